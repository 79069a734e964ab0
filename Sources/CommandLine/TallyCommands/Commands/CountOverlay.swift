import Counting
import Drawing
import Raster

/// The photo of a count with a box around every object: the main kind in green, the others in blue.
struct CountOverlay {
  let result: CountingResult
  let image: Raster

  /// What is drawn over the photo.
  var overlay: Overlay {
    let marks = result.detections.map { object in
      let score = NumberText.fixed(Double(object.detection.score), digits: 2)
      return Overlay.Mark(
        box: object.detection.box, label: "\(Self.name(of: object.cluster)) \(score)",
        shortLabel: Self.name(of: object.cluster), color: object.isMain ? .green : .blue,
        isEmphasized: object.isMain)
    }
    // With one kind only there is nothing to tell apart, and a legend would hide part of the photo.
    var legend: [Overlay.LegendEntry] = []
    let others = result.detections.count - result.count
    if let main = result.mainCluster, others > 0 {
      legend = [
        Overlay.LegendEntry(
          color: .green, text: "main kind (\(Self.name(of: main))): \(result.count)"),
        Overlay.LegendEntry(color: .blue, text: "others: \(others)"),
      ]
    }
    return Overlay(
      marks: marks, caption: Sentence.count(result.count, "object", "objects"), legend: legend)
  }

  /// Writes the drawing to the file at `path`, in the format that its name ends in.
  ///
  /// - Throws: `DrawingError`, `ImageFileError`, ``CommandError``.
  func write(to path: String) throws {
    try OverlayFile.write(overlay, over: image, to: path)
  }

  private static func name(of cluster: Int) -> String { "c\(cluster)" }
}
