import Geometry
import Testing

@testable import Counting

@Suite("Windows all over a photo")
struct DenseSearchTests {
  @Test(
    "There are never more than can be waited for, and they reach from edge to edge",
    arguments: [
      // As thin as can be around the border between two pixels, and a hair.
      Box(minX: Float(1).nextDown, minY: 10, maxX: 1, maxY: 60),
      Box(minX: 100, minY: Float(1).nextDown, maxX: 120, maxY: 1),
      Box(minX: 99.99, minY: 99.99, maxX: 100, maxY: 100),
      Box(minX: 7, minY: 7, maxX: 8, maxY: 8), Box(minX: 500, minY: 300, maxX: 640, maxY: 420),
      Box(minX: 0, minY: 0, maxX: 4000, maxY: 3000),
    ])
  func bounded(_ box: Box) throws {
    let windows = DenseSearch(box: box, width: 4000, height: 3000, region: nil).windows
    #expect((1...DenseSearch.mostWindows).contains(windows.count), "\(windows.count)")
    #expect(windows.first?.minX == 0 && windows.first?.minY == 0)
    let last = try #require(windows.last)
    #expect(abs(last.maxX - 4000) < 0.01 && abs(last.maxY - 3000) < 0.01)
  }

  @Test("A box of usual size has windows half of it apart")
  func steps() throws {
    let box = Box(minX: 100, minY: 100, maxX: 500, maxY: 500)
    let windows = DenseSearch(box: box, width: 4000, height: 3000, region: nil).windows
    #expect(windows.count == 19 * 14)
    #expect(windows[1].minX - windows[0].minX == 200)
  }
}
