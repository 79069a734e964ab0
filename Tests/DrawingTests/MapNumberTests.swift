import Geometry
import Raster
import TestSupport
import Testing

@testable import Drawing

@Suite("Numbers on maps of looks")
struct MapNumberTests {
  private func map(_ count: Int, spread: Double = 1) throws -> EmbeddingMapPlot {
    var generator = SeededGenerator(seed: 5)
    var plot = EmbeddingMapPlot(
      items: (0..<count).map { index in
        EmbeddingMapPlot.Item(
          x: Double(index % 3) + Double.random(in: 0...spread, using: &generator),
          y: Double.random(in: 0...1, using: &generator), kind: index % 3, number: index + 1)
      }, kinds: ["main kind", "kind 2", "kind 3"], title: "Looks")
    let picture = try Raster(width: 8, height: 8, channels: 3, fill: 9)
    for place in plot.pictured() { plot.items[place].picture = picture }
    return plot
  }

  private func numbers(_ plot: EmbeddingMapPlot) throws -> (MapDrawing, [MapDrawing.Number]) {
    let drawing = MapDrawing(plot, width: 800, height: 640)
    let shown = drawing.pictures.filter { plot.items[$0.index].picture != nil }
    return (
      drawing, drawing.numbers(pictures: shown, measure: try Canvas(width: 1, height: 1))
    )
  }

  @Test("No number is twice, and none covers another one or a mark", arguments: [3, 30, 400])
  func apart(count: Int) throws {
    let plot = try map(count)
    let (drawing, numbers) = try numbers(plot)
    #expect(Set(numbers.map(\.text)).count == numbers.count)
    #expect(numbers.count >= min(count, 30))
    for (index, number) in numbers.enumerated() {
      for other in numbers[(index + 1)...] {
        #expect(number.frame.overlap(with: other.frame) < 1e-6)
      }
    }
    let shown = drawing.pictures
    let inPictures = Set(shown.map { "\(plot.items[$0.index].number ?? 0)" })
    let inPlace = Set(shown.filter(\.isInPlace).map(\.index))
    for number in numbers where !inPictures.contains(number.text) {
      for (index, place) in drawing.places.enumerated() where !inPlace.contains(index) {
        let place = try #require(place)
        let mark = Frame(x: place.x - 4, y: place.y - 4, width: 8, height: 8)
        #expect(number.frame.overlap(with: mark) < 1e-6)
      }
      #expect(shown.allSatisfy { number.frame.overlap(with: $0.frame) < 1e-6 })
    }
  }

  @Test("Every picture has its number, in the picture")
  func pictures() throws {
    let plot = try map(40)
    let (drawing, numbers) = try numbers(plot)
    for picture in drawing.pictures {
      let text = "\(plot.items[picture.index].number ?? 0)"
      let number = try #require(numbers.first { $0.text == text })
      let area = number.frame.width * number.frame.height
      #expect(number.frame.overlap(with: picture.frame) > 0.999 * area)
    }
  }

  @Test("The outermost objects and the middle of each kind have numbers in any crowd")
  func landmarks() throws {
    var plot = try map(600, spread: 0.05)
    for place in plot.items.indices { plot.items[place].picture = nil }
    let (drawing, numbers) = try numbers(plot)
    #expect(numbers.count < plot.items.count)
    let places = drawing.places.compactMap { $0 }
    let texts = Set(numbers.map(\.text))
    for outermost in [
      places.indices.max { places[$0].x < places[$1].x },
      places.indices.min { places[$0].x < places[$1].x },
      places.indices.max { places[$0].y < places[$1].y },
      places.indices.min { places[$0].y < places[$1].y },
    ] {
      let index = try #require(outermost)
      #expect(texts.contains("\(index + 1)"))
    }
    // A number away from its mark has a line to it.
    #expect(numbers.contains { $0.leader != nil })
  }

  @Test("Objects without numbers have none")
  func none() throws {
    var plot = try map(20)
    for place in plot.items.indices { plot.items[place].number = nil }
    #expect(try numbers(plot).1.isEmpty)
    _ = try plot.page(width: 1, height: 1).image()
  }
}
