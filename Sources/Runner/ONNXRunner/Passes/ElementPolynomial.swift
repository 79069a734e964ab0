import RunnerGraph

/// What a graph computes of each element x of a tensor, and of a function t of it: a polynomial.
struct ElementPolynomial {
  private struct Powers: Hashable {
    var x = 0
    var t = 0
  }

  private var coefficients: [Powers: Double] = [:]

  /// Polynomials with higher powers of x are given up.
  private static let greatestPower = 4

  static let one = ElementPolynomial(1)
  static let x = ElementPolynomial(x: [1: 1])
  static let t: ElementPolynomial = {
    var result = ElementPolynomial(0)
    result.coefficients = [Powers(t: 1): 1]
    return result
  }()

  /// A constant.
  init(_ number: Double) { coefficients = [Powers(): number] }

  /// A polynomial of x alone, by its coefficients.
  init(x: [Int: Double]) {
    for (power, coefficient) in x { coefficients[Powers(x: power)] = coefficient }
  }

  /// The number, if it is a constant.
  var constant: Double? {
    coefficients.allSatisfy { $0.key == Powers() || $0.value == 0 }
      ? coefficients[Powers()] ?? 0 : nil
  }

  private var isBounded: Bool {
    coefficients.allSatisfy { $0.key.x <= Self.greatestPower && $0.key.t <= 1 && $0.value.isFinite }
  }

  static func + (a: ElementPolynomial, b: ElementPolynomial) -> ElementPolynomial {
    var result = a
    result.coefficients.merge(b.coefficients, uniquingKeysWith: +)
    return result
  }

  static func * (a: ElementPolynomial, b: ElementPolynomial) -> ElementPolynomial {
    var result = ElementPolynomial(0)
    for (first, p) in a.coefficients {
      for (second, q) in b.coefficients {
        let powers = Powers(x: first.x + second.x, t: first.t + second.t)
        result.coefficients[powers, default: 0] += p * q
      }
    }
    return result
  }

  func scaled(by factor: Double) -> ElementPolynomial {
    var result = self
    result.coefficients = coefficients.mapValues { $0 * factor }
    return result
  }

  /// The polynomial if its powers are low enough and its coefficients are numbers.
  var bounded: ElementPolynomial? { isBounded ? self : nil }

  /// Whether all coefficients are the same to the precision that files have them with.
  func isClose(to other: ElementPolynomial) -> Bool {
    Set(coefficients.keys).union(other.coefficients.keys).allSatisfy {
      let (a, b) = (coefficients[$0] ?? 0, other.coefficients[$0] ?? 0)
      return abs(a - b) <= 2e-5 * abs(b)
    }
  }
}

/// Reads the polynomial of a tensor's elements off the nodes that compute it.
struct ElementExpression {
  private let view: GraphView
  private let x: Graph.Value
  private let t: Graph.Value?
  /// Nodes that are read from a value back to x.
  ///
  /// The activations that exporters write have 7.
  static let greatestDepth = 8

  init(_ view: GraphView, x: Graph.Value, t: Graph.Value?) {
    self.view = view
    self.x = x
    self.t = t
  }

  /// The polynomial that `value` is, and the nodes that compute it.
  ///
  /// - Complexity: at most 2^``greatestDepth`` nodes are visited, if a graph uses each value twice.
  func polynomial(
    _ value: Graph.Value?, depth: Int = greatestDepth
  ) -> (polynomial: ElementPolynomial, nodes: [Int])? {
    guard let value else { return nil }
    if value == x { return (.x, []) }
    if value == t { return (.t, []) }
    if let number = view.number(value) { return (ElementPolynomial(Double(number)), []) }
    guard depth > 0, let (index, node) = view.polynomialStep(to: value),
      node.inputs.count == 2, let (a, first) = polynomial(node.inputs[0], depth: depth - 1),
      let (b, second) = polynomial(node.inputs[1], depth: depth - 1),
      let result = combined(node.operation, a, b)?.bounded
    else { return nil }
    return (result, first + second + [index])
  }

  private func combined(
    _ operation: String, _ a: ElementPolynomial, _ b: ElementPolynomial
  ) -> ElementPolynomial? {
    switch operation {
    case "Add": return a + b
    case "Sub": return a + b.scaled(by: -1)
    case "Mul": return a * b
    case "Div":
      guard let number = b.constant, number != 0 else { return nil }
      return a.scaled(by: 1 / number)
    default:
      switch b.constant {
      case 2: return a * a
      case 3: return a * a * a
      default: return nil
      }
    }
  }
}

extension GraphView {
  /// The node that defines `value`, if it makes a polynomial of polynomials.
  fileprivate func polynomialStep(to value: Graph.Value) -> (index: Int, node: Graph.Node)? {
    producer(of: value, "Add", "Sub", "Mul", "Div", "Pow")
  }

  /// The values that `value` may be a polynomial of: those that are used more than once, nearest first.
  func sources(of value: Graph.Value) -> [Graph.Value] {
    var found: [Graph.Value] = []
    var level = [value]
    for _ in 0...ElementExpression.greatestDepth {
      var next: [Graph.Value] = []
      for value in level where graph.constants[value] == nil {
        if isElsewhere[value] || users[value].count > 1 {
          if !found.contains(value) { found.append(value) }
        }
        guard let (_, node) = polynomialStep(to: value) else { continue }
        for case let input? in node.inputs where !next.contains(input) { next.append(input) }
      }
      // A polynomial of one tensor has few tensors besides.
      guard !next.isEmpty, next.count <= 8, found.count <= 4 else { break }
      level = next
    }
    return found
  }
}
