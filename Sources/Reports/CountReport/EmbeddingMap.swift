import Counting
import Foundation
import Geometry
import ImageFiles
import Raster
import VisionProtocols
import _PlotParts

/// The similarity map: the first two principal components of the objects' embeddings.
///
/// Each object is a mark of its kind. Objects are shown as pictures if there is room.
struct EmbeddingMap {
  private let plane: LooksPlane
  private var objects: [CountedDetection] { plane.objects }

  private static let (width, height) = (360.0, 330.0)
  private static let area = (left: 16.0, top: 8.0, width: 336.0, height: 290.0)
  /// The side of a picture, in units of the drawing and in pixels of the sheet.
  private static let (picture, pixels) = (30.0, 60)
  private static let mostPictures = 64

  /// Nil if there are fewer than three embeddings, because they do not define a plane.
  init?(of trace: CountTrace) throws {
    guard let plane = try LooksPlane(of: trace) else { return nil }
    self.plane = plane
  }

  /// The figure, with drawing and caption; `numbers` are those of the objects on the page.
  func figure(of photo: Raster, kinds: Kinds, numbers: ObjectNumbers) throws -> Markup {
    let places = self.places
    let shown = pictured(places)
    let sheet = try sheet(of: shown, in: photo)
    return .element(
      "figure", ["class": "plot wide"],
      [
        .element(
          "figcaption", ["id": "map-title"],
          [
            .element("h3", [:], "Looks"),
            .element("p", ["class": "note"], caption(pictures: sheet == nil ? 0 : shown.count)),
          ]),
        .element(
          "svg",
          [
            "viewBox": "0 0 \(Number.place(Self.width)) \(Number.place(Self.height))",
            "id": "map", "role": "img", "aria-labelledby": "map-title",
          ],
          [
            frame, marks(places, kinds: kinds, numbers: numbers),
            pictures(shown, at: places, sheet: sheet, kinds: kinds, numbers: numbers),
          ]),
      ])
  }

  private func caption(pictures: Int) -> String {
    let percent = { (share: Double) in Number.text(100 * share) }
    return "Objects that are similar for the embedder lie close together: the first two principal "
      + "components of its \(Number.of(objects.count, "vector", "vectors")), "
      + "\(percent(plane.shares.x)) % and \(percent(plane.shares.y)) % of the variance."
      + (pictures > 0 && pictures < objects.count
        ? " \(pictures) of \(objects.count) are shown as pictures, the others as marks." : "")
  }

  // MARK: Places

  /// The points on the drawing, with one scale for both axes, so that distances are true.
  private var places: [Point] {
    let center = Point(
      x: Self.area.left + Self.area.width / 2, y: Self.area.top + Self.area.height / 2)
    // The points of the plane are finite.
    return MapPlaces.of(
      plane.points, about: center, width: Self.area.width - Self.picture - 4,
      height: Self.area.height - Self.picture - 4
    ).map { $0 ?? center }
  }

  /// The objects whose pictures fit beside each other, the most confident first.
  private func pictured(_ places: [Point]) -> [Int] {
    var taken: [Int] = []
    for index in plane.surestFirst where taken.count < Self.mostPictures {
      let isFree = taken.allSatisfy {
        abs(places[$0].x - places[index].x) > Self.picture + 2
          || abs(places[$0].y - places[index].y) > Self.picture + 2
      }
      if isFree { taken.append(index) }
    }
    return taken
  }

  // MARK: Drawing

  private var frame: Markup {
    let (left, bottom) = (Self.area.left, Self.area.top + Self.area.height)
    return .all([
      .element(
        "rect",
        [
          "class": "frame", "x": Number.place(left), "y": Number.place(Self.area.top),
          "width": Number.place(Self.area.width), "height": Number.place(Self.area.height),
        ]),
      .element(
        "text",
        [
          "x": Number.place(left + Self.area.width / 2), "y": Number.place(bottom + 19),
          "text-anchor": "middle", "class": "name",
        ], "first component"),
      .element(
        "text",
        [
          "transform": "translate(11 \(Number.place(Self.area.top + Self.area.height / 2))) "
            + "rotate(-90)", "text-anchor": "middle", "class": "name",
        ], "second component"),
    ])
  }

  private func marks(
    _ places: [Point], kinds: Kinds, numbers: ObjectNumbers
  ) -> Markup {
    .all(
      objects.indices.map { index in
        KindMark(rank: kinds.rank(of: objects[index].cluster)).markup(
          x: places[index].x, y: places[index].y, size: 4.5,
          object: numbers.number(of: objects[index].detection))
      })
  }

  private func pictures(
    _ shown: [Int], at places: [Point], sheet: Sheet?, kinds: Kinds,
    numbers: ObjectNumbers
  ) -> Markup {
    guard let sheet else { return .none }
    let columns = sheet.columns
    let defined = Markup.element(
      "defs", [:],
      [
        .element(
          "image",
          [
            "id": "sheet", "width": "\(columns * Self.pixels)",
            "height": "\(sheet.rows * Self.pixels)", "href": sheet.url,
          ])
      ])
    let half = Self.picture / 2
    return .all(
      [defined]
        + shown.enumerated().map { place, index in
          let (x, y) = (places[index].x - half, places[index].y - half)
          let number = numbers.number(of: objects[index].detection)
          return .element(
            "g", ["class": "point", "data-object": number.map(String.init)],
            [
              .element(
                "svg",
                [
                  "x": Number.place(x), "y": Number.place(y),
                  "width": Number.place(Self.picture), "height": Number.place(Self.picture),
                  "viewBox":
                    "\(place % columns * Self.pixels) \(place / columns * Self.pixels) "
                    + "\(Self.pixels) \(Self.pixels)",
                ], [.element("use", ["href": "#sheet"])]),
              .element(
                "rect",
                [
                  "class": "ring k\(kinds.rank(of: objects[index].cluster))",
                  "x": Number.place(x), "y": Number.place(y),
                  "width": Number.place(Self.picture), "height": Number.place(Self.picture),
                ]),
              KindMark(rank: kinds.rank(of: objects[index].cluster)).markup(
                x: x + Self.picture - 3, y: y + 3, size: 4, object: nil),
            ])
        })
  }

  // MARK: Pictures

  private struct Sheet {
    let url: String
    let columns: Int
    let rows: Int
  }

  /// Small pictures of objects side by side in one image; nil if there are none.
  private func sheet(of shown: [Int], in photo: Raster) throws -> Sheet? {
    guard !shown.isEmpty else { return nil }
    let pixels = Self.pixels
    let columns = min(shown.count, 8)
    let rows = (shown.count + columns - 1) / columns
    let (width, height) = (columns * pixels, rows * pixels)
    var samples = [UInt8](repeating: 128, count: width * height * 3)
    for (place, index) in shown.enumerated() {
      guard let crop = plane.crop(of: index, from: photo) else { continue }
      let small = try crop.converted(toChannels: 3).fitted(
        width: pixels, height: pixels, method: .bicubic, enlarging: true)
      let left = place % columns * pixels + (pixels - small.width) / 2
      let top = place / columns * pixels + (pixels - small.height) / 2
      for row in 0..<small.height {
        let from = row * small.width * 3
        let to = ((top + row) * width + left) * 3
        samples.replaceSubrange(
          to..<to + small.width * 3, with: small.samples[from..<from + small.width * 3])
      }
    }
    let sheet = try Raster(width: width, height: height, channels: 3, samples: samples)
    return Sheet(
      url: DataURL.jpeg(try ImageFile.data(of: sheet, as: .jpeg(quality: 78))), columns: columns,
      rows: rows)
  }
}

/// Images inside a page.
enum DataURL {
  /// A JPEG as an address without a network.
  static func jpeg(_ data: Data) -> String {
    "data:image/jpeg;base64,\(data.base64EncodedString())"
  }
}
