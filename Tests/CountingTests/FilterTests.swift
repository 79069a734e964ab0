import Counting
import Geometry
import TestSupport
import Testing
import VisionProtocols

@Suite("Size, aspect and area filters")
struct FilterTests {
  @Test("fewer than three areas pass unchanged", arguments: [[], [5], [1, 1000]])
  func fewAreas(areas: [Float]) {
    let output = SizeFilter(sigma: 0).filter(boxes(areas: areas))
    #expect(output.items.map(\.box.width) == areas)
    #expect(output.itemsIn == areas.count && output.itemsOut == areas.count)
  }

  @Test("the bounds of the size band are inside it")
  func inclusiveSizeBounds() {
    // Mean 5, population deviation exactly 2, median 4.5: the band of 1.25 deviations is 2...7.
    let areas: [Float] = [2, 4, 4, 4, 5, 5, 7, 9]
    let kept = SizeFilter(sigma: 1.25).filter(boxes(areas: areas)).items.map(\.box.width)
    #expect(kept == [2, 4, 4, 4, 5, 5, 7])
    let narrower = SizeFilter(sigma: 1.2).filter(boxes(areas: areas)).items.map(\.box.width)
    #expect(narrower == [4, 4, 4, 5, 5])
  }

  @Test("equal areas have no deviation, and all pass")
  func equalAreas() {
    #expect(SizeFilter(sigma: 0).filter(boxes(areas: [7, 7, 7, 7])).itemsOut == 4)
  }

  @Test("an area far off goes, and a filter that is off lets it pass")
  func outlier() {
    let areas: [Float] = [10, 11, 9, 10, 500]
    let output = SizeFilter().filter(boxes(areas: areas))
    #expect(output.items.map(\.box.width) == [10, 11, 9, 10])
    #expect(output.itemsIn == 5 && output.itemsOut == 4)
    #expect(SizeFilter(sigma: nil).filter(boxes(areas: areas)).itemsOut == 5)
  }

  @Test("areas beyond what a Float holds still order")
  func hugeAreas() {
    let huge = Box(minX: 0, minY: 0, maxX: 3e38, maxY: 3e38)
    let small = (0..<5).map { _ in detection(Box(x: 0, y: 0, width: 4, height: 4)) }
    let output = SizeFilter(sigma: 1).filter(small + [detection(huge)])
    #expect(output.itemsOut == 5)
  }

  @Test("two ratios or fewer pass, but not one without height")
  func fewRatios() {
    #expect(AspectFilter(rule: .sigma(0)).filter(boxes(ratios: [1, 9])).itemsOut == 2)
    let flat = detection(Box(x: 0, y: 0, width: 5, height: 0))
    #expect(AspectFilter().filter([flat] + boxes(ratios: [1, 9])).items == boxes(ratios: [1, 9]))
    let inverted = detection(Box(minX: 0, minY: 5, maxX: 5, maxY: 0))
    #expect(AspectFilter().filter([inverted]).itemsOut == 0)
  }

  @Test("equal ratios pass whatever the factor")
  func equalRatios() {
    #expect(AspectFilter(rule: .sigma(0)).filter(boxes(ratios: [2, 2, 2])).itemsOut == 3)
  }

  @Test("the bounds of the fixed range are inside it, as decimals are written")
  func fixedRange() {
    let inside = [
      Box(x: 0, y: 0, width: 45, height: 100), Box(x: 0, y: 0, width: 220, height: 100),
    ].map { detection($0) }
    let outside = [
      Box(x: 0, y: 0, width: 44, height: 100), Box(x: 0, y: 0, width: 221, height: 100),
      Box(x: 0, y: 0, width: 5, height: 0),
    ].map { detection($0) }
    let filter = AspectFilter(rule: .range(minimum: 0.45, maximum: 2.2))
    #expect(filter.filter(outside + inside).items == inside)
  }

  @Test("an aspect filter that is off lets even a flat box pass")
  func aspectOff() {
    let flat = detection(Box(x: 0, y: 0, width: 5, height: 0))
    #expect(AspectFilter(rule: .off).filter([flat]).itemsOut == 1)
  }

  @Test("filters agree with their definition on random boxes", arguments: 0..<30)
  func bruteForce(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 0...40, using: &random)
    let found = (0..<count).map { _ in
      detection(
        Box(
          x: .random(in: -50...50, using: &random), y: .random(in: -50...50, using: &random),
          width: .random(in: 1...60, using: &random), height: .random(in: 1...60, using: &random)))
    }
    let sigma = Double.random(in: 0...3, using: &random)
    let areas = found.map { Double($0.box.width) * Double($0.box.height) }
    let ratios = found.map { Double($0.box.width) / Double($0.box.height) }
    #expect(
      SizeFilter(sigma: sigma).filter(found).items
        == within(sigma, of: areas).map { found[$0] })
    #expect(
      AspectFilter(rule: .sigma(sigma)).filter(found).items
        == within(sigma, of: ratios).map { found[$0] })
  }

  /// The rule as it is written down, by sorting and two sums.
  private func within(_ sigma: Double, of values: [Double]) -> [Int] {
    guard values.count >= 3 else { return Array(values.indices) }
    let sorted = values.sorted()
    let median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    let mean = values.reduce(0, +) / Double(values.count)
    let variance = values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(values.count)
    let reach = sigma * variance.squareRoot()
    return values.indices.filter { abs(values[$0] - median) <= reach }
  }
}

@Suite("Crops")
struct CropStageTests {
  @Test(
    "corners are truncated toward zero and clamped",
    arguments: [
      (Box(minX: 1.9, minY: 2.9, maxX: 5.9, maxY: 7.1), PixelRect(x: 1, y: 2, width: 4, height: 5)),
      (Box(minX: -3.7, minY: -0.9, maxX: 4, maxY: 4), PixelRect(x: 0, y: 0, width: 4, height: 4)),
      (
        Box(minX: 90, minY: 70, maxX: 500, maxY: 80), PixelRect(x: 90, y: 70, width: 10, height: 10)
      ),
      (
        Box(minX: -1e38, minY: -.infinity, maxX: 1e38, maxY: .infinity),
        PixelRect(x: 0, y: 0, width: 100, height: 80)
      ),
      (Box(minX: 3.1, minY: 3.1, maxX: 3.9, maxY: 9), nil),
      (Box(minX: 100, minY: 0, maxX: 130, maxY: 20), nil),
      (Box(minX: -9, minY: 0, maxX: -1, maxY: 20), nil),
      (Box(minX: 9, minY: 0, maxX: 3, maxY: 20), nil),
      (Box(minX: .nan, minY: 0, maxX: 3, maxY: 20), nil),
    ])
  func rect(box: Box, expected: PixelRect?) {
    #expect(CropStage.rect(of: box, width: 100, height: 80) == expected)
  }

  @Test("an image without size has no crops")
  func emptyImage() {
    let box = Box(x: 0, y: 0, width: 4, height: 4)
    #expect(CropStage.rect(of: box, width: 0, height: 10) == nil)
    #expect(CropStage.rect(of: box, width: 10, height: -1) == nil)
  }

  @Test("areas are compared unclamped: an object cut by the frame stays")
  func unclampedArea() {
    let whole = (0..<4).map { detection(Box(x: Float($0) * 25, y: 0, width: 20, height: 20)) }
    let cut = detection(Box(x: 95, y: 0, width: 20, height: 20))
    let output = CropStage().crops(of: whole + [cut], width: 100, height: 80)
    #expect(output.itemsOut == 5)
    #expect(output.items.last?.rect == PixelRect(x: 95, y: 0, width: 5, height: 20))
  }

  @Test("empty crops go before the areas are compared")
  func emptyFirst() {
    let found = [
      detection(Box(x: 200, y: 0, width: 90, height: 90)),
      detection(Box(x: 0, y: 0, width: 10, height: 10)),
      detection(Box(x: 20, y: 0, width: 30, height: 30)),
    ]
    // Of three areas the band would drop one; of the two that are left it drops none.
    let output = CropStage(areaSigma: 0).crops(of: found, width: 100, height: 80)
    #expect(output.items.map(\.detection) == Array(found[1...]))
    #expect(output.itemsIn == 3 && output.itemsOut == 2)
  }
}
