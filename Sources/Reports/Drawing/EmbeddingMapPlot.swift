import CCairo
import Foundation
import Geometry
import Raster
import _PlotParts

/// A map in which similar objects are close together; each object is a mark or a picture.
///
/// Both axes have one scale, so that distances are true. Pictures never cover each other or the
/// mark of another object. If a picture would, it is moved to the nearest free place, with a line
/// to its mark. If there is no free place nearby, the object is only a mark. Objects that come
/// first in ``items`` get their places first.
///
/// Pictures have the numbers of their objects, and so have marks with room for it beside them. The
/// object in the middle of each kind and the outermost objects have their numbers in any case.
///
/// ```swift
/// let items = [
///   EmbeddingMapPlot.Item(x: 0, y: 0, kind: 0), EmbeddingMapPlot.Item(x: 4, y: 3, kind: 1),
/// ]
/// var plot = EmbeddingMapPlot(items: items, kinds: ["main kind", "kind 2"], title: "Looks")
/// for index in plot.pictured() { plot.items[index].picture = crops[index] }
/// try plot.page().pdf().write(to: url)
/// ```
public struct EmbeddingMapPlot: Hashable, Sendable {
  /// One object.
  public struct Item: Hashable, Sendable {
    /// Its place.
    ///
    /// Objects whose place is not finite are left out, and a line states their number.
    public var x, y: Double
    /// Its kind, a place in ``EmbeddingMapPlot/kinds``.
    public var kind: Int
    /// Its number in other drawings; nil for none.
    public var number: Int?
    /// Its picture, drawn small; nil for only a mark.
    public var picture: Raster?

    /// Makes an object.
    public init(x: Double, y: Double, kind: Int, number: Int? = nil, picture: Raster? = nil) {
      (self.x, self.y, self.kind, self.number, self.picture) = (x, y, kind, number, picture)
    }
  }

  /// The objects, in the order in which they get pictures.
  public var items: [Item]
  /// The kinds' names for the legend, the main kind first.
  public var kinds: [String]
  /// The title.
  public var title: String
  /// The names of both axes.
  public var axes: (x: String, y: String) {
    get { (xName, yName) }
    set { (xName, yName) = newValue }
  }
  private var xName: String
  private var yName: String

  /// The greatest number of pictures; with more, the map would be unreadable.
  public static let mostPictures = 64

  /// Makes a map.
  public init(
    items: [Item], kinds: [String], title: String,
    axes: (x: String, y: String) = ("first component", "second component")
  ) {
    (self.items, self.kinds, self.title) = (items, kinds, title)
    (xName, yName) = axes
  }

  /// The objects that have room for a picture on a page of that size, as places in ``items``.
  ///
  /// - Complexity: O(n p) for *p* pictures.
  public func pictured(width: Int = 800, height: Int = 640) -> [Int] {
    MapDrawing(self, width: Double(width), height: Double(height)).pictures.map(\.index)
  }

  /// The map on a white page.
  public func page(width: Int = 800, height: Int = 640) -> Page {
    Page(width: width, height: height) { canvas in
      try MapDrawing(self, width: Double(width), height: Double(height)).draw(on: canvas)
    }
  }
}

/// The layout of a map on its page.
struct MapDrawing {
  let plot: EmbeddingMapPlot
  private let width: Double
  private let height: Double
  let fontSize: Double
  let pictureSide: Double
  /// The area of the objects.
  let area: Frame
  /// The centre of each object; nil if it has no place.
  let places: [Point?]

  /// A picture's place.
  struct Pictured {
    let index: Int
    let frame: Frame
    /// Whether it is at its object's place; otherwise a line leads there.
    let isInPlace: Bool
  }

  /// After this number of objects in a row without a place, there is no room left.
  private static let mostTries = 600

  init(_ plot: EmbeddingMapPlot, width: Double, height: Double) {
    self.plot = plot
    (self.width, self.height) = (width, height)
    fontSize = min(PlotStyle.fontSize(forHeight: height * 0.75), max(width / 30, 4))
    pictureSide = min(max(min(width, height) / 14, 8), 120)
    let legend = min(15 * fontSize, width / 3)
    area = Frame(
      x: 2.6 * fontSize, y: 2.8 * fontSize, width: max(width - 2.6 * fontSize - legend, 1),
      height: max(height - 2.8 * fontSize - 2.8 * fontSize, 1))
    let room = area.inset(by: pictureSide / 2 + fontSize / 2 + 1)
    places = MapPlaces.of(
      plot.items.map { Point(x: $0.x, y: $0.y) },
      about: Point(x: room.x + room.width / 2, y: room.y + room.height / 2), width: room.width,
      height: room.height)
  }

  /// Half the side of a mark.
  var markSize: Double { fontSize / 2.4 }

  /// The pictures that have room; earlier objects get their places first.
  var pictures: [Pictured] {
    let half = 1.35 * markSize
    let frames = places.map { place in
      place.map {
        Frame(
          x: $0.x - area.x - half, y: $0.y - area.y - half, width: 2 * half, height: 2 * half)
      }
    }
    var placer = LabelPlacer(
      width: area.width, height: area.height, marks: frames.compactMap { $0 },
      labelHeight: pictureSide / 2)
    let gap = fontSize / 6
    let side = pictureSide + 2 * gap
    var answer: [Pictured] = []
    for (index, mark) in frames.enumerated().prefix(Self.mostTries) {
      guard answer.count < EmbeddingMapPlot.mostPictures else { break }
      guard let mark else { continue }
      let over = placer.over(mark, width: side, height: side)
      guard
        let frame = over
          ?? placer.politelyApart(from: mark, width: side, height: side, share: 0, rings: 3)
      else { continue }
      placer.take(frame)
      let inner = frame.inset(by: gap)
      answer.append(
        Pictured(
          index: index,
          frame: Frame(
            x: inner.x + area.x, y: inner.y + area.y, width: pictureSide, height: pictureSide),
          isInPlace: over != nil))
    }
    return answer
  }

  func draw(on canvas: Canvas) throws {
    PlotStyle.begin(canvas, width: width, height: height)
    canvas.setColor(.ink)
    canvas.write(plot.title, x: area.x, baseline: 1.7 * fontSize, size: 1.15 * fontSize)
    canvas.setColor(PlotStyle.grey)
    canvas.stroke(area.corners, lineWidth: fontSize / 12)
    guard !plot.items.isEmpty else { return }
    canvas.setColor(.ink)
    canvas.write(
      plot.axes.x, x: area.x + area.width / 2, baseline: area.y + area.height + 1.6 * fontSize,
      size: fontSize, alignment: .middle)
    let length = canvas.metrics(of: plot.axes.y).width * fontSize
    canvas.write(
      plot.axes.y, x: area.x - 0.8 * fontSize, baseline: area.y + (area.height + length) / 2,
      size: fontSize, isUpward: true)
    let shown = pictures.filter { plot.items[$0.index].picture != nil }
    let pictured = Set(shown.map(\.index))
    drawMarks(of: places.indices.filter { !pictured.contains($0) }, on: canvas)
    canvas.setColor(PlotStyle.grey)
    for picture in shown where !picture.isInPlace {
      guard let place = places[picture.index] else { continue }
      let mark = Frame(x: place.x, y: place.y, width: 0, height: 0)
      let line = picture.frame.shortestLine(to: mark)
      canvas.addLine([line.from, line.to])
    }
    canvas.strokeLines(width: fontSize / 12)
    for picture in shown { try draw(picture, on: canvas) }
    // The marks at the ends of lines lie on top, so that no line ends at a hidden one.
    drawMarks(of: shown.filter { !$0.isInPlace }.map(\.index), on: canvas)
    for number in numbers(pictures: shown, measure: canvas) { draw(number, on: canvas) }
    drawLegend(on: canvas, pictures: shown.count)
  }

  private func drawMarks(of indices: [Int], on canvas: Canvas) {
    for index in indices {
      guard let place = places[index] else { continue }
      canvas.mark(
        KindStyle(rank: plot.items[index].kind), x: place.x, y: place.y, size: markSize)
    }
  }

  private func draw(_ pictured: Pictured, on canvas: Canvas) throws {
    guard let picture = plot.items[pictured.index].picture else { return }
    let kind = KindStyle(rank: plot.items[pictured.index].kind)
    let frame = pictured.frame
    canvas.setColor(kind.color)
    canvas.fill(frame)
    let border = max(pictureSide / 16, 1)
    let inner = frame.inset(by: border)
    canvas.setColor(PlotStyle.pale)
    canvas.fill(inner)
    let factor = min(
      inner.width / Double(picture.width), inner.height / Double(picture.height))
    let (wide, high) = (Double(picture.width) * factor, Double(picture.height) * factor)
    try canvas.draw(
      picture,
      in: Frame(
        x: inner.x + (inner.width - wide) / 2, y: inner.y + (inner.height - high) / 2, width: wide,
        height: high))
    let size = pictureSide / 9
    canvas.mark(
      kind, x: frame.x + frame.width - 1.4 * size, y: frame.y + 1.4 * size, size: size)
  }

  private func drawLegend(on canvas: Canvas, pictures: Int) {
    let x = area.x + area.width + fontSize
    let room = max(width - x - fontSize / 2, 1)
    var y = area.y + fontSize
    let counts = Dictionary(
      grouping: plot.items.map { KindStyle(rank: $0.kind).rank }, by: { $0 }
    ).mapValues(\.count)
    let rest = max(plot.kinds.count - KindStyle.last, 1)
    for (rank, name) in plot.kinds.prefix(KindStyle.last + 1).enumerated() {
      canvas.mark(
        KindStyle(rank: rank), x: x + fontSize / 2, y: y - 0.35 * fontSize, size: fontSize / 2.2)
      let own = rank == KindStyle.last && rest > 1 ? "\(rest) more kinds" : name
      canvas.setColor(.ink)
      let lines = canvas.lines(
        of: "\(own): \(counts[rank, default: 0])", width: room - 1.5 * fontSize, size: fontSize)
      for line in lines {
        canvas.write(line, x: x + 1.5 * fontSize, baseline: y, size: fontSize)
        y += 1.4 * fontSize
      }
    }
    var sentences: [String] = []
    let placed = places.reduce(0) { $0 + ($1 == nil ? 0 : 1) }
    if pictures > 0, pictures < placed {
      sentences.append("\(pictures) of \(placed) are shown as pictures, the others as marks.")
    }
    if placed < places.count {
      sentences.append(
        PlotStyle.count(
          places.count - placed, "thing without a place is", "things without a place are")
          + " left out.")
    }
    y += fontSize
    canvas.setColor(.ink)
    for line in canvas.lines(
      of: sentences.joined(separator: " "), width: room, size: 0.9 * fontSize)
    {
      canvas.write(line, x: x, baseline: y, size: 0.9 * fontSize)
      y += 1.3 * fontSize
    }
  }
}
