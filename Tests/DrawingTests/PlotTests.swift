import Drawing
import Foundation
import Geometry
import ImageFiles
import Raster
import TestSupport
import Testing

private func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

/// How many pixels are not white.
private func inked(_ image: Raster) -> Int {
  stride(from: 0, to: image.samples.count, by: 3).reduce(0) { count, index in
    count + (image.samples[index..<index + 3].allSatisfy { $0 > 250 } ? 0 : 1)
  }
}

private let strange: [Double] = [.nan, .infinity, -.infinity, 0, -3, 1e308, .leastNonzeroMagnitude]

@Suite("Histograms")
struct HistogramPlotTests {
  private func plot(_ kept: [Double], _ dropped: [Double] = []) -> HistogramPlot {
    HistogramPlot(
      title: "Area", axisName: "area in pixels", kept: kept, dropped: dropped, band: 100...400,
      note: "Sides within a factor of 2 of the usual 14 px.")
  }

  @Test("What was dropped and the band add to the picture")
  func parts() throws {
    let kept = (0..<40).map { 100 + 7 * Double($0) }
    var bare = plot(kept)
    bare.band = nil
    let without = inked(try bare.page().image())
    let banded = inked(try plot(kept).page().image())
    let dropped = inked(try plot(kept, [20, 30, 900, 5000]).page().image())
    #expect(banded > without + 5000)
    #expect(dropped != banded)
  }

  @Test("Bounds without end are no lines", arguments: [0...Double.infinity, -5...300, 150...1e300])
  func openBands(band: ClosedRange<Double>) throws {
    var plot = plot([120, 180, 260])
    plot.band = band
    let svg = text(try plot.page().svg())
    #expect(!svg.contains("nan") && !svg.contains("inf"))
  }

  @Test("Values without a place are left out and said")
  func leftOut() throws {
    let plain = inked(try plot([120, 130, 200]).page().image())
    let marked = inked(try plot([120, 130, 200, .nan, 0]).page().image())
    #expect(marked > plain)
    for value in strange {
      for kept in [[value], [value, 120], [value, value]] {
        for dropped in [[], [value], [200.0]] {
          let svg = text(try plot(kept, dropped).page().svg())
          #expect(!svg.contains("nan\"") && !svg.contains("inf\""), "of \(value)")
        }
      }
    }
    _ = try plot([]).page().image()
  }

  @Test("Any number of bars, any page")
  func pages() throws {
    var plot = plot((1...500).map(Double.init), (1...500).map { 1 / Double($0) })
    for bins in [-4, 0, 1, 7, 300, 1_000_000] {
      plot.binCount = bins
      _ = try plot.page().image()
    }
    for (width, height) in [(1, 1), (3, 700), (700, 3), (32767, 20)] {
      _ = try plot.page(width: width, height: height).image()
    }
    let two = HistogramPlot.page(of: [plot, plot], width: 300, height: 200)
    #expect(two.height == 400)
    #expect(try inked(two.image()) > inked(plot.page(width: 300, height: 200).image()))
    #expect(HistogramPlot.page(of: []).height == 360)
    #expect(throws: DrawingError.self) {
      try HistogramPlot.page(of: [plot, plot], width: 9, height: .max).svg()
    }
  }
}

@Suite("Maps of looks")
struct EmbeddingMapPlotTests {
  private func map(_ count: Int, seed: UInt64 = 1) -> EmbeddingMapPlot {
    var generator = SeededGenerator(seed: seed)
    let items = (0..<count).map { index in
      EmbeddingMapPlot.Item(
        x: Double.random(in: -1...1, using: &generator),
        y: Double.random(in: -1...1, using: &generator), kind: index % 3)
    }
    return EmbeddingMapPlot(items: items, kinds: ["main kind", "kind 2", "kind 3"], title: "Looks")
  }

  @Test("Pictures go to those that come first, and to none too many", arguments: [3, 60, 2000])
  func pictured(count: Int) {
    let map = map(count)
    let shown = map.pictured()
    // Two thousand marks leave no room for a picture among them.
    #expect(count > 1000 || shown.first == 0)
    #expect(shown == shown.sorted() && Set(shown).count == shown.count)
    #expect(shown.count <= EmbeddingMapPlot.mostPictures)
    #expect(shown == map.pictured())
    // Of things at one place a few have pictures around it.
    var heap = map
    for index in heap.items.indices { (heap.items[index].x, heap.items[index].y) = (2, 3) }
    #expect(heap.pictured().first == 0 && heap.pictured().count < 30)
  }

  @Test("Pictures and marks are drawn")
  func drawn() throws {
    var map = map(30)
    let marks = inked(try map.page().image())
    let red = try Raster(
      width: 4, height: 2, channels: 3, samples: (0..<8).flatMap { _ in [255, 0, 0] as [UInt8] })
    for index in map.pictured() { map.items[index].picture = red }
    let image = try map.page().image()
    #expect(inked(image) > marks)
    let reds = stride(from: 0, to: image.samples.count, by: 3).filter {
      image.samples[$0] > 240 && image.samples[$0 + 1] < 10 && image.samples[$0 + 2] < 10
    }
    #expect(reds.count > 200 * map.pictured().count)
  }

  @Test("Nothing, one thing, strange places, many kinds")
  func edges() throws {
    _ = try EmbeddingMapPlot(items: [], kinds: [], title: "").page().image()
    for value in strange {
      var map = map(5)
      map.items.append(.init(x: value, y: 0, kind: 0))
      map.items.append(.init(x: 1e308, y: -1e308, kind: 900))
      map.items.append(.init(x: -1e308, y: 1e308, kind: -2))
      let svg = text(try map.page().svg())
      #expect(!svg.contains("nan\"") && !svg.contains("inf\""), "of \(value)")
    }
    let names = (0..<40).map { "a kind with quite a long name, \($0)" }
    let items = (0..<40).map { EmbeddingMapPlot.Item(x: 1, y: Double($0), kind: $0) }
    let many = EmbeddingMapPlot(items: items, kinds: names, title: "Many")
    for (width, height) in [(800, 640), (100, 100), (1, 1), (3, 900), (900, 3)] {
      _ = try many.page(width: width, height: height).image()
    }
  }

  @Test("Kinds differ in shape and colour")
  func styles() {
    let styles = (0...KindStyle.last).map(KindStyle.init)
    #expect(Set(styles.map(\.color)).count == styles.count)
    #expect(Set(styles.map(\.corners)).count == styles.count)
    #expect(KindStyle(rank: 99) == KindStyle(rank: KindStyle.last))
    #expect(KindStyle(rank: -1) == KindStyle(rank: 0))
  }
}

@Suite("Pages as files")
struct PageTests {
  private let plot = HistogramPlot(title: "Title", axisName: "x", kept: [1, 2, 3])

  @Test("A PDF is whole, says what it is, and is the same each time")
  func pdf() throws {
    let information = PDFInformation(title: "Areas of 3 boxes", subject: "A test")
    let first = try plot.page().pdf(information)
    let words = text(first)
    #expect(words.hasPrefix("%PDF-1."))
    #expect(words.trimmingCharacters(in: .whitespacesAndNewlines).hasSuffix("%%EOF"))
    #expect(words.contains("Areas of 3 boxes") && words.contains("A test"))
    #expect(words.contains("/CreationDate (D:200001010000"))
    #expect(words.contains("/Creator"))
    #expect(try plot.page().pdf(information) == first)
    var later = information
    later.created = "2026-02-03T04:05:06Z"
    #expect(text(try plot.page().pdf(later)).contains("/CreationDate (D:202602030405"))
  }

  @Test(
    "A page of a PDF is as long as A4, whatever the drawing's size", arguments: [40, 800, 9000])
  func pageSize(side: Int) throws {
    let words = text(try plot.page(width: side, height: side / 2).pdf())
    #expect(words.contains("/MediaBox [ 0 0 842 421 ]"))
  }

  @Test("Pages follow one another, each in its size")
  func pages() throws {
    let words = text(
      try Page.pdf(of: [plot.page(width: 800, height: 400), plot.page(width: 300, height: 600)]))
    #expect(words.contains("/Count 2"))
    #expect(words.contains("842 421") && words.contains("421 842"))
    #expect(throws: DrawingError.noPages) { try Page.pdf(of: []) }
  }

  @Test("The photo in a PDF is the JPEG as it is")
  func photo() throws {
    let photo = try Raster(width: 320, height: 200, channels: 3, fill: 77)
    let jpeg = try ImageFile.data(of: photo, as: .jpeg(quality: 80))
    let overlay = Overlay(marks: [
      .init(box: Box(minX: 10, minY: 10, maxX: 90, maxY: 60), label: "1", color: .green)
    ])
    for scale in [1, 3] {
      let pdf = try overlay.page(width: 320, height: 200, photo: jpeg, scale: scale).pdf()
      #expect(pdf.range(of: jpeg) != nil)
      #expect(text(pdf).contains("/DCTDecode"))
      let svg = text(try overlay.svg(width: 320, height: 200, photo: jpeg, scale: scale))
      #expect(svg.contains("width=\"\(320 * scale)px\" height=\"\(200 * scale)px\""))
    }
  }

  @Test("Images have the page's size times the scale", arguments: [1, 2, 5])
  func image(scale: Int) throws {
    let image = try plot.page(width: 80, height: 50).image(scale: scale)
    #expect(image.width == 80 * scale && image.height == 50 * scale && image.channels == 3)
  }

  @Test("Sides and scales that cannot be are errors")
  func sizes() {
    for (width, height) in [(0, 1), (1, 0), (-5, 5), (32_768, 1), (Int.max, Int.max)] {
      let page = plot.page(width: width, height: height)
      #expect(throws: DrawingError.self) { try page.pdf() }
      #expect(throws: DrawingError.self) { try page.svg() }
      #expect(throws: DrawingError.self) { try page.image() }
    }
    for scale in [0, -1, 400, Int.max] {
      #expect(throws: DrawingError.self) {
        try plot.page(width: 100, height: 100).image(scale: scale)
      }
    }
    #expect(throws: DrawingError.self) {
      try Overlay().svg(width: 20_000, height: 5, scale: 2)
    }
  }
}
