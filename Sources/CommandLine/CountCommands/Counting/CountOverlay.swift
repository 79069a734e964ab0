import CommandKit
import CountReport
import Counting
import Drawing
import Raster
import VisionProtocols

extension Overlay.Mark {
  /// Draws an object's outline instead of its box, if there is one.
  package mutating func take(_ outline: Detection.Outline?) {
    switch outline {
    case .rotatedBox(let quad): self.quad = quad
    case .polygon(let points): self.outline = points
    case nil: break
    }
  }
}

/// The photo of a count with a box and a number around every object.
///
/// The main kind is green, and each other kind is dashed in a colour of its own. Objects that a
/// person added or moved are orange, with thick dashes.
struct CountOverlay {
  let result: CountingResult
  /// The count with a person's corrections; nil if there are none.
  var corrected: CorrectedCount?
  let image: Raster
  /// The width and height of a photo's pixel in the drawing, in pixels; nil for a readable scale.
  var scale: Int?

  /// The drawing over the photo.
  var overlay: Overlay {
    let caption =
      corrected.map { "\(Sentence.count($0.count, "object", "objects")), corrected" }
      ?? CountWords.count(result)
    return Overlay(
      marks: corrected.map(marks) ?? machineMarks { _ in true }, caption: caption, legend: legend)
  }

  /// The kinds and the person's objects.
  ///
  /// It is empty with one kind only: there is nothing to distinguish, and a legend would hide part
  /// of the photo.
  private var legend: [Overlay.LegendEntry] {
    let kinds = Kinds(result)
    let hasOthers = result.mainCluster != nil && result.detections.count > result.count
    let byPerson = (corrected?.number(from: .person) ?? 0) + (corrected?.number(from: .moved) ?? 0)
    var legend: [Overlay.LegendEntry] = []
    if byPerson > 0 {
      let kind = hasOthers ? "main kind, " : ""
      let asFound = corrected?.number(from: .machine) ?? 0
      legend = [
        Overlay.LegendEntry(color: .green, text: "\(kind)as found: \(asFound)"),
        Overlay.LegendEntry(
          color: .orange, text: "\(kind)by a person: \(byPerson)", isDashed: true),
      ]
    } else if hasOthers {
      legend = [
        Overlay.LegendEntry(
          color: .green, text: "main kind: \(corrected?.count ?? result.count)")
      ]
    }
    guard hasOthers else { return legend }
    for (rank, kind) in kinds.sizes.enumerated().dropFirst().prefix(KindStyle.last) {
      // The last style is that of all kinds that have none of their own.
      let rest = rank == KindStyle.last ? kinds.sizes[rank...] : kinds.sizes[rank...rank]
      let name = rest.count > 1 ? "\(rest.count) more kinds" : kinds.name(of: kind.label)
      legend.append(
        Overlay.LegendEntry(
          color: KindStyle(rank: rank).photoColor,
          text: "\(name): \(rest.reduce(0) { $0 + $1.size })", isDashed: true))
    }
    return legend
  }

  /// The machine's objects for which `isDrawn`.
  private func machineMarks(_ isDrawn: (CountedDetection) -> Bool) -> [Overlay.Mark] {
    let kinds = Kinds(result)
    return zip(result.detections, ObjectNumbers(result).numbers).filter { isDrawn($0.0) }.map {
      object, number in
      let score = NumberText.fixed(Double(object.detection.score), digits: 2)
      var mark = Overlay.Mark(
        box: object.detection.box, label: "\(number) \(score)", shortLabel: "\(number)",
        color: object.isMain ? .green : KindStyle(rank: kinds.rank(of: object.cluster)).photoColor,
        isEmphasized: object.isMain, isDashed: !object.isMain)
      mark.take(object.detection.outline)
      return mark
    }
  }

  /// The person's objects, and the machine's of other kinds.
  private func marks(of corrected: CorrectedCount) -> [Overlay.Mark] {
    let own = corrected.objects.map { object in
      let isFound = object.origin == .machine
      return Overlay.Mark(
        box: object.box, label: "\(object.number)", color: isFound ? .green : .orange,
        isEmphasized: true, isDashed: !isFound)
    }
    return own + machineMarks { !$0.isMain }
  }

  /// Writes the drawing to the file at `path`, in the format that its name ends in.
  ///
  /// - Throws: `DrawingError`, `ImageFileError`, ``CommandError``.
  func write(to path: String) throws {
    try DrawingFile.write(overlay, over: image, scale: scale, to: path)
  }
}
