import Geometry
import Raster
import TestSupport
import Testing

@testable import EANDecoding

@Suite("Codes read by painting them")
struct EANScannerTests {
  /// A way to spoil a code.
  struct Spoilt: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let paint: @Sendable (inout PaintedEAN) -> Void

    init(_ testDescription: String, _ paint: @escaping @Sendable (inout PaintedEAN) -> Void) {
      self.testDescription = testDescription
      self.paint = paint
    }
  }

  static let ways: [Spoilt] = [
    Spoilt("sharp") { _ in },
    Spoilt("tiny") {
      $0.module = 1.2
      $0.height = 60
    },
    Spoilt("out of focus") {
      $0.module = 2
      $0.blur = 2.4
    },
    Spoilt("out of focus and noisy") {
      $0.module = 2.5
      $0.blur = 2.6
      $0.noise = 4
    },
    Spoilt("noisy") { $0.noise = 30 },
    Spoilt("of low contrast") {
      $0.white = 120
      $0.black = 95
      $0.noise = 2
    },
    Spoilt("turned") { $0.angle = 0.5 },
    Spoilt("upside down") {
      $0.angle = .pi
      $0.blur = 3
    },
    Spoilt("standing") { $0.angle = .pi / 2 },
    Spoilt("in perspective") {
      $0.perspective = 0.15
      $0.blur = 1.5
    },
    Spoilt("all at once") {
      $0.module = 2.5
      $0.angle = -0.35
      $0.blur = 2
      $0.noise = 5
      $0.white = 170
      $0.perspective = 0.08
    },
  ]

  static func number(_ generator: inout SeededGenerator) -> String {
    var digits = (0..<12).map { _ in Int.random(in: 0...9, using: &generator) }
    let sum = digits.enumerated().reduce(0) { $0 + $1.element * ($1.offset % 2 == 0 ? 1 : 3) }
    digits.append((10 - sum % 10) % 10)
    return digits.map { String($0) }.joined()
  }

  @Test("A spoilt code is read, in its place, and nothing else", arguments: ways)
  func spoilt(way: Spoilt) throws {
    var generator = SeededGenerator(seed: 11)
    for seed in 0..<4 as Range<UInt64> {
      var painted = PaintedEAN(Self.number(&generator))
      painted.seed = seed
      way.paint(&painted)
      let image = try Raster(
        width: painted.side, height: painted.side, channels: 1, samples: painted.samples)
      let codes = try EANScanner().codes(in: image)
      #expect(codes.map(\.digits) == [painted.digits])
      guard let code = codes.first else { continue }
      #expect((0.4...1).contains(code.confidence))
      #expect((1...2).contains(code.strips))
      // Reading begins at the left: the middles of both ends are where they were painted.
      let truth = painted.corners.map { Point(x: $0.x, y: $0.y) }
      let (own, tolerance) = (code.outline, 2.5 * painted.module)
      for (a, b, c, d) in [
        (own.topLeft, own.bottomLeft, truth[0], truth[3]),
        (own.topRight, own.bottomRight, truth[1], truth[2]),
      ] {
        let left = Self.distance(of: a, c, d)
        let right = Self.distance(of: b, c, d)
        #expect(left < tolerance && right < tolerance, "\(own) \(truth)")
      }
    }
  }

  /// How far a point is from the line through two others.
  private static func distance(of point: Point, _ a: Point, _ b: Point) -> Double {
    let cross = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
    return abs(cross) / a.distance(to: b)
  }

  @Test("A code with a wrong check digit is none")
  func wrongCheckDigit() throws {
    for digits in ["9780306406158", "5901234123450"] {
      let painted = PaintedEAN(digits)
      let image = try Raster(
        width: painted.side, height: painted.side, channels: 1, samples: painted.samples)
      #expect(try EANScanner().codes(in: image).isEmpty)
    }
  }

  @Test("Pictures without codes have none")
  func nothing() throws {
    for (width, height) in [(1, 1), (1, 500), (500, 1), (7, 7), (24, 24), (300, 200)] {
      for fill in [UInt8.min, 128, .max] {
        let image = try Raster(width: width, height: height, channels: 1, fill: fill)
        #expect(try EANScanner().codes(in: image).isEmpty)
      }
    }
    var generator = SeededGenerator(seed: 5)
    let noise = (0..<300 * 200).map { _ in UInt8.random(in: 0...255, using: &generator) }
    #expect(
      try EANScanner().codes(in: Raster(width: 300, height: 200, channels: 1, samples: noise))
        .isEmpty)
    // Bars of one width, and bars at random, sharp and soft.
    for period in [4, 7, 14] {
      let bars = (0..<400 * 120).map { UInt8($0 % 400 / period % 2 == 0 ? 20 : 220) }
      #expect(
        try EANScanner().codes(in: Raster(width: 400, height: 120, channels: 1, samples: bars))
          .isEmpty)
    }
    for _ in 0..<6 {
      var value = 0.0
      let row = (0..<400).map { _ -> UInt8 in
        value = 0.7 * value + 60 * (generator.unit() - 0.5)
        return UInt8(min(max(128 + value, 0), 255))
      }
      let bars = (0..<120).flatMap { _ in row }
      #expect(
        try EANScanner().codes(in: Raster(width: 400, height: 120, channels: 1, samples: bars))
          .isEmpty)
    }
  }

  @Test("A cancelled task ends with its error")
  func cancelled() async throws {
    let painted = PaintedEAN("9780306406157")
    let image = try Raster(
      width: painted.side, height: painted.side, channels: 1, samples: painted.samples)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try EANScanner().codes(in: image)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("The patterns are those of the standard's tables")
  func patterns() {
    #expect(EANPattern.left.count == 20 && EANPattern.right.count == 10)
    #expect(Set(EANPattern.left + EANPattern.right).count == 30)
    #expect(Set(EANPattern.parities).count == 10)
    // Every digit has two bars; sets B and C are mirrors of each other.
    for digit in 0..<10 {
      #expect(EANPattern.left[10 + digit] == EANPattern.right[digit].reversed())
      #expect(EANPattern.left[digit] == EANPattern.right[digit].map { 1 - $0 })
    }
    let bars = EANPattern.bars(of: [9, 7, 8, 0, 3, 0, 6, 4, 0, 6, 1, 5, 7])
    #expect(bars.count == 95 && bars.reversed().prefix(3) == [1, 0, 1])
  }
}
