import Foundation

/// The attributes that operators have, from `Tests/Fuzz/attributes.txt`, which a test makes of their table.
enum Schema {
  struct Attribute {
    let name: String
    /// ONNX's number of its type: 1 a number, 2 an integer, 3 text, 4 a tensor, 5 a graph, 6 to 10
    /// lists of them.
    let kind: Int
  }

  /// By operator.
  static let attributes: [String: [Attribute]] = {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../attributes.txt")
    var result: [String: [Attribute]] = [:]
    for line in (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n") ?? [] {
      let words = line.split(separator: " ")
      guard let operation = words.first else { continue }
      // Operators of two domains may have one name; they get what either has.
      for word in words.dropFirst() {
        let parts = word.split(separator: ":")
        guard parts.count == 2, let kind = Int(parts[1]) else { continue }
        let attribute = Attribute(name: String(parts[0]), kind: kind)
        if result[String(operation)]?.contains(where: { $0.name == attribute.name }) == true {
          continue
        }
        result[String(operation), default: []].append(attribute)
      }
    }
    precondition(
      !result.isEmpty, "Tests/Fuzz/attributes.txt is missing; OperatorPageTests writes it")
    return result
  }()

  /// Text that some attribute means something by.
  static let words = [
    "", "NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID", "constant", "reflect", "edge", "wrap",
    "nearest", "linear", "cubic", "bilinear", "bicubic", "zeros", "border", "reflection",
    "half_pixel", "half_pixel_symmetric", "align_corners", "asymmetric", "pytorch_half_pixel",
    "tf_half_pixel_for_nn", "tf_crop_and_resize", "round_prefer_floor", "round_prefer_ceil",
    "floor", "ceil", "stretch", "not_larger", "not_smaller", "add", "mul", "min", "max", "none",
    "mean",
    "sum", "forward", "reverse", "bidirectional", "LEFT", "RIGHT", "DCR", "CRD", "avg",
    "output_half_pixel", "Relu", "Tanh", "Sigmoid", "Affine", "LeakyRelu", "HardSigmoid", "Elu",
    "Clip", "TF", "IDF", "TFIDF", "standard", "nesterov", "up", "down", "a|b*",
    "Softplus", "ij,jk->ik",
    "ii->i", "...ij->...ji", "ij->", "i,j->ij", "bij,bjk", ",", "->", "...", "a...,...b->ab",
  ]
}
