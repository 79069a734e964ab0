import Clustering
import CommandKit
import CountReport
import Counting
import Drawing
import Foundation
import Geometry
import LinearAlgebra
import Raster
import VisionProtocols

/// The plots that `tally count` draws of a count: similarity map, histograms, similarity tree.
struct CountPlots {
  static let map = Option(
    "map", .outputPath("FILE"),
    help: "Draw the similarity map: the embeddings of the objects on their first two principal "
      + "components, as marks of their kinds, with pictures of as many objects as fit; "
      + "\(DrawingFile.formats). Several photos: as with --overlay.")
  static let histograms = Option(
    "histograms", .outputPath("FILE"),
    help: "Draw histograms of areas, width/height and scores, with the limits and what was kept; "
      + "\(DrawingFile.formats). Several photos: as with --overlay.")
  static let dendrogram = Option(
    "dendrogram", .outputPath("FILE"),
    help: "Draw the similarity tree (dendrogram) of the objects, numbered as in the overlay, with "
      + "kinds in colours and the cut as a dashed line; \(DrawingFile.formats). Several photos: as "
      + "with --overlay.")
  static let overlayScale = Option(
    "overlay-scale", .integer("N", in: 1...16),
    help: "Draw the overlay N times as large as the photo.",
    fallback: "1, and for small photos as much as their labels need")

  /// The options, in the help's order.
  static let options: [any OptionDeclaration] = [overlayScale, map, histograms, dendrogram]

  private let maps: OutputPattern?
  private let histograms: OutputPattern?
  private let dendrograms: OutputPattern?
  private let images: [String]

  /// Computes the requested plots and their places.
  init(_ arguments: ParsedArguments, images: [String]) throws(UsageError) {
    func pattern(_ option: Option<String>) throws(UsageError) -> OutputPattern? {
      guard let pattern = arguments[option] else { return nil }
      return try OutputPattern(
        pattern, option: option.name, extensions: DrawingFile.extensions, inputs: images)
    }
    maps = try pattern(Self.map)
    histograms = try pattern(Self.histograms)
    dendrograms = try pattern(Self.dendrogram)
    self.images = images
  }

  /// The files by option, for checking that they differ.
  var patterns: [(name: String, pattern: OutputPattern?)] {
    [
      (Self.map.name, maps), (Self.histograms.name, histograms),
      (Self.dendrogram.name, dendrograms),
    ]
  }

  /// Whether the plots need the trace of every detection.
  var needTrace: Bool { patterns.contains { $0.pattern != nil } }

  /// Writes the plots of the photo at `index`.
  ///
  /// - Throws: `DrawingError`, `ImageFileError`, `ClusteringError`, `LinearAlgebraError`,
  ///   ``CommandError``.
  func draw(
    _ count: TracedCount, of image: Raster, configuration: CountingConfiguration, at index: Int
  ) throws {
    let name = (images[index] as NSString).lastPathComponent
    if let path = maps?.paths[index] {
      try DrawingFile.write(
        Self.map(of: count, in: image).page(), title: "Similarity map: \(name)", to: path)
    }
    if let path = histograms?.paths[index] {
      let plots = Self.histograms(of: count, configuration: configuration)
      try DrawingFile.write(
        HistogramPlot.page(of: plots), title: "Sizes, shapes and scores: \(name)", to: path)
    }
    if let path = dendrograms?.paths[index] {
      let plot = try Self.dendrogram(of: count, configuration: configuration)
      try DrawingFile.write(
        plot.page(width: plot.readableWidth), title: "Similarity tree: \(name)", to: path)
    }
  }

  // MARK: Plots

  /// The map; it is empty if there are too few embeddings for a plane.
  static func map(of count: TracedCount, in image: Raster) throws -> EmbeddingMapPlot {
    guard let plane = try LooksPlane(of: count.trace) else {
      return EmbeddingMapPlot(
        items: [], kinds: [], title: "No map: the count looked at fewer than three objects")
    }
    let (kinds, numbers) = (Kinds(count.result), ObjectNumbers(count.result))
    func percent(_ share: Double) -> String { NumberText.fixed(100 * share, digits: 0) }
    // The most confident objects get pictures first.
    let order = plane.surestFirst
    var plot = EmbeddingMapPlot(
      items: order.map { index in
        EmbeddingMapPlot.Item(
          x: plane.points[index].x, y: plane.points[index].y,
          kind: kinds.rank(of: plane.objects[index].cluster),
          number: numbers.number(of: plane.objects[index].detection))
      }, kinds: kinds.sizes.map { kinds.name(of: $0.label) },
      title: "Similar objects lie close together",
      axes: (
        "first component, \(percent(plane.shares.x)) % of the variance",
        "second component, \(percent(plane.shares.y)) % of the variance"
      ))
    for place in plot.pictured() {
      plot.items[place].picture = try plane.crop(of: order[place], from: image)?
        .fitted(width: 120, height: 120, method: .bicubic)
    }
    return plot
  }

  /// The histograms of areas, ratios and scores.
  static func histograms(
    of count: TracedCount, configuration: CountingConfiguration
  ) -> [HistogramPlot] {
    CountMeasures(of: count, configuration: configuration).all.map { measure in
      HistogramPlot(
        title: measure.title,
        axisName: measure.title.lowercased() + (measure.unit.isEmpty ? "" : " in \(measure.unit)"),
        kept: measure.kept, dropped: measure.dropped, band: measure.band, note: measure.note)
    }
  }

  /// The similarity tree, cut into the kinds of the count; without leaves if there are fewer than
  /// two embeddings.
  static func dendrogram(
    of count: TracedCount, configuration: CountingConfiguration
  ) throws -> DendrogramPlot {
    let trace = count.trace
    guard let rows = trace.embeddings, rows.count >= 2, rows.count == trace.embedded.count else {
      return DendrogramPlot(
        leaves: [], brackets: [], title: "No tree: the count looked at fewer than two objects")
    }
    let labels = trace.embedded.map(\.cluster)
    let clustering = AgglomerativeClustering(
      cut: configuration.adaptive == nil
        ? .similarity(configuration.similarity) : .count(Set(labels).count))
    let assignment = try clustering.fit(
      Matrix<Float>(rowCount: rows.count, columnCount: rows.dimension, elements: rows.values))
    let (numbers, kinds) = (ObjectNumbers(count.result), Kinds(count.result))
    return try DendrogramFile.plot(
      assignment, of: clustering,
      things: DendrogramFile.Things(
        singular: "object", plural: "objects",
        name: { numbers.number(of: trace.embedded[$0].detection).map(String.init) ?? "" },
        rank: { kinds.rank(of: labels[$0]) },
        kinds: kinds.sizes.map { "\(kinds.name(of: $0.label)): \($0.size)" })
    )
  }
}
