import Counting
import Drawing
import Raster

/// The photo of a count with a box and a number around every object: the main kind in green, the others in
/// blue dashes.
struct CountOverlay {
  let result: CountingResult
  let image: Raster
  /// How many pixels of the drawing a pixel of the photo is wide and high; nil for as many as it needs.
  var scale: Int?

  /// What is drawn over the photo.
  var overlay: Overlay {
    let numbers = ObjectNumbers(result).numbers
    let marks = zip(result.detections, numbers).map { object, number in
      let score = NumberText.fixed(Double(object.detection.score), digits: 2)
      return Overlay.Mark(
        box: object.detection.box,
        label: "\(number) \(Self.name(of: object.cluster)) \(score)", shortLabel: "\(number)",
        color: object.isMain ? .green : .blue, isEmphasized: object.isMain,
        isDashed: !object.isMain)
    }
    // With one kind only there is nothing to tell apart, and a legend would hide part of the photo.
    var legend: [Overlay.LegendEntry] = []
    let others = result.detections.count - result.count
    if let main = result.mainCluster, others > 0 {
      legend = [
        Overlay.LegendEntry(
          color: .green, text: "main kind (\(Self.name(of: main))): \(result.count)"),
        Overlay.LegendEntry(color: .blue, text: "others: \(others)", isDashed: true),
      ]
    }
    return Overlay(
      marks: marks, caption: CountWords.count(result), legend: legend)
  }

  /// Writes the drawing to the file at `path`, in the format that its name ends in.
  ///
  /// - Throws: `DrawingError`, `ImageFileError`, ``CommandError``.
  func write(to path: String) throws {
    try DrawingFile.write(overlay, over: image, scale: scale, to: path)
  }

  private static func name(of cluster: Int) -> String { "c\(cluster)" }
}
