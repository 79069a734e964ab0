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
/// The main kind is green, and the other kinds are blue dashes. Objects that a person added or
/// moved are orange.
struct CountOverlay {
  let result: CountingResult
  /// The count with a person's corrections; nil if there are none.
  var corrected: CorrectedCount?
  let image: Raster
  /// The width and height of a photo's pixel in the drawing, in pixels; nil for a readable scale.
  var scale: Int?

  /// The drawing over the photo.
  var overlay: Overlay {
    // With one kind only there is nothing to distinguish, and a legend would hide part of the
    // photo.
    var legend: [Overlay.LegendEntry] = []
    let others = result.detections.count - result.count
    if result.mainCluster != nil, others > 0 {
      legend = [
        Overlay.LegendEntry(
          color: .green, text: "main kind: \(corrected?.count ?? result.count)"),
        Overlay.LegendEntry(color: .blue, text: "others: \(others)", isDashed: true),
      ]
    }
    let byPerson = (corrected?.number(from: .person) ?? 0) + (corrected?.number(from: .moved) ?? 0)
    if byPerson > 0 {
      legend.append(Overlay.LegendEntry(color: .orange, text: "by a person: \(byPerson)"))
    }
    let caption =
      corrected.map { "\(Sentence.count($0.count, "object", "objects")), corrected" }
      ?? CountWords.count(result)
    return Overlay(
      marks: corrected.map(marks) ?? marks, caption: caption, legend: legend)
  }

  /// The machine's objects.
  private var marks: [Overlay.Mark] {
    let numbers = ObjectNumbers(result).numbers
    let kinds = Kinds(result)
    return zip(result.detections, numbers).map { object, number in
      let score = NumberText.fixed(Double(object.detection.score), digits: 2)
      let kind = object.isMain ? "" : " \(kinds.name(of: object.cluster))"
      var mark = Overlay.Mark(
        box: object.detection.box, label: "\(number)\(kind) \(score)", shortLabel: "\(number)",
        color: object.isMain ? .green : .blue, isEmphasized: object.isMain,
        isDashed: !object.isMain)
      mark.take(object.detection.outline)
      return mark
    }
  }

  /// The person's objects, numbered in their order, and the machine's of other kinds.
  private func marks(of corrected: CorrectedCount) -> [Overlay.Mark] {
    let own = corrected.objects.enumerated().map { index, object in
      Overlay.Mark(
        box: object.box, label: "\(index + 1)", shortLabel: "\(index + 1)",
        color: object.origin == .machine ? .green : .orange, isEmphasized: true)
    }
    return own
      + result.detections.filter { !$0.isMain }.map {
        Overlay.Mark(box: $0.detection.box, color: .blue, isDashed: true)
      }
  }

  /// Writes the drawing to the file at `path`, in the format that its name ends in.
  ///
  /// - Throws: `DrawingError`, `ImageFileError`, ``CommandError``.
  func write(to path: String) throws {
    try DrawingFile.write(overlay, over: image, scale: scale, to: path)
  }
}
