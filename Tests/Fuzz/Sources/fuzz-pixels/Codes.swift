import Barcodes
import EANDecoding
import FuzzSupport
import Geometry
import Raster

extension Target {
  /// The painting scanner alone: numbers that are right by their check digit.
  static let scanlines = Target("scanlines", seeds: { barSeeds }) { bytes in
    var choices = Choices(bytes)
    let image = try choices.picture(largestSide: 128)
    for code in try EANScanner().codes(in: image) {
      let digits = code.digits.utf8.map { Int($0) - 48 }
      let sum = digits.enumerated().reduce(0) { $0 + $1.element * ($1.offset % 2 == 0 ? 1 : 3) }
      expect(digits.count == 13 && sum % 10 == 0, "\(code)")
      expect(code.outline.isFinite && (0...1).contains(code.confidence), "\(code)")
    }
  }

  /// All readers together, at any effort; mostly for codes of two dimensions only, which is much quicker.
  static let barcodes = Target(
    "barcodes", seeds: { barSeeds.map { [4] + $0 } + dotSeeds }
  ) { bytes in
    var choices = Choices(bytes)
    let look = choices.below(12)
    let effort = BarcodeEffort.allCases[look % 3]
    let kinds =
      look / 3 == 1
      ? BarcodeScanner.everySymbology : [.qr, .dataMatrix, .aztec, .pdf417, .maxiCode]
    let image = try choices.picture(largestSide: 128)
    let scanner = BarcodeScanner(symbologies: kinds, effort: effort)
    let scan = try waiting(for: { try await scanner.scan(image) })
    for code in scan.barcodes {
      expect(code.outline.isFinite && (0...1).contains(code.confidence), "\(code)")
    }
    expect(scan.unread.allSatisfy(\.isFinite), "\(scan.unread)")
  }

  /// Pictures of dots in rows and columns, one to four pixels wide, with some paper around them.
  private static var dotSeeds: [[UInt8]] {
    (0..<12).map { index in
      let (module, count) = (1 + index % 4, 10 + index)
      let side = module * count + 12
      var seed: [UInt8] = [UInt8(index % 3), 0, UInt8(side - 1), UInt8(side - 1), 0]
      for y in 0..<side {
        for x in 0..<side {
          let (column, row) = ((x - 6) / module, (y - 6) / module)
          let isInside = x >= 6 && y >= 6 && column < count && row < count
          let isBar = column == 0 || row == count - 1
          let isDark = isInside && (isBar || (column * column + 3 * row * column + row) % 5 < 2)
          seed.append(isDark ? 25 : 225)
        }
      }
      return seed
    }
  }

  /// Pictures of bars: an EAN-13 in modules of one pixel, and the others.
  private static var barSeeds: [[UInt8]] {
    let left = [
      "0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111",
      "0111011", "0110111", "0001011",
    ]
    // 4006381333931: the first digit is in the parities of the next six (LGLLGG).
    let digits = [0, 0, 6, 3, 8, 1, 3, 3, 3, 9, 3, 1]
    var modules = String(repeating: "0", count: 12) + "101"
    for (place, digit) in digits.enumerated() {
      let inverted = String(left[digit].map { $0 == "0" ? "1" : "0" })
      if place == 6 { modules += "01010" }
      switch place {
      case 1, 4, 5: modules += String(inverted.reversed())
      case 0..<6: modules += left[digit]
      default: modules += inverted
      }
    }
    modules += "101" + String(repeating: "0", count: 12)
    let bars = modules.map { $0 == "1" ? UInt8(20) : 235 }
    return [[1, 126, 40, 255, 0, 4] + bars] + pictureSeeds
  }
}
