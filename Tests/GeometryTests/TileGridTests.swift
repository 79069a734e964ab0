import Geometry
import TestSupport
import Testing

@Suite struct TileGridTests {
  @Test func oneTileIsTheImage() throws {
    let grid = try #require(TileGrid(width: 640, height: 481, columns: 1, rows: 1, overlap: 0.25))
    #expect(grid.tiles == [try #require(PixelRect(x: 0, y: 0, width: 640, height: 481))])
  }

  /// Of 1000 pixels, three tiles that overlap by a quarter are 400 long and begin 300 apart.
  @Test func tilesOverlapByTheirShare() throws {
    let grid = try #require(TileGrid(width: 1000, height: 70, columns: 3, rows: 2, overlap: 0.25))
    #expect(grid.tiles.map(\.x) == [0, 300, 600, 0, 300, 600])
    #expect(grid.tiles.map(\.maxX) == [400, 700, 1000, 400, 700, 1000])
    #expect(grid.tiles.map(\.y) == [0, 0, 0, 30, 30, 30])
    #expect(grid.tiles.map(\.maxY) == [40, 40, 40, 70, 70, 70])
  }

  @Test func everyPixelIsCoveredWhateverTheSize() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<300 {
      let columns = Int.random(in: 1...9, using: &generator)
      let rows = Int.random(in: 1...9, using: &generator)
      let width = Int.random(in: columns...200, using: &generator)
      let height = Int.random(in: rows...200, using: &generator)
      let overlap = Double.random(in: 0...0.9, using: &generator)
      let grid = try #require(
        TileGrid(width: width, height: height, columns: columns, rows: rows, overlap: overlap))
      #expect(grid.tiles.count == columns * rows)
      var covered = Set<Int>()
      for tile in grid.tiles {
        #expect(tile.x >= 0 && tile.y >= 0 && tile.maxX <= width && tile.maxY <= height)
        for y in tile.y..<tile.maxY {
          covered.formUnion(y * width + tile.x..<y * width + tile.maxX)
        }
      }
      #expect(covered.count == width * height, "\(width) x \(height), \(columns) x \(rows)")
    }
  }

  @Test func whatCannotBeCutHasNoGrid() {
    #expect(TileGrid(width: 0, height: 9, columns: 1, rows: 1, overlap: 0) == nil)
    #expect(TileGrid(width: 9, height: -9, columns: 1, rows: 1, overlap: 0) == nil)
    #expect(TileGrid(width: 9, height: 9, columns: 10, rows: 1, overlap: 0) == nil)
    #expect(TileGrid(width: 9, height: 9, columns: 1, rows: 0, overlap: 0) == nil)
    #expect(TileGrid(width: 9, height: 9, columns: 1, rows: .max, overlap: 0) == nil)
    #expect(TileGrid(width: .max, height: 9, columns: 2, rows: 2, overlap: 0) == nil)
    for overlap in [-0.1, 0.91, .nan, .infinity] {
      #expect(TileGrid(width: 9, height: 9, columns: 2, rows: 2, overlap: overlap) == nil)
    }
  }
}
