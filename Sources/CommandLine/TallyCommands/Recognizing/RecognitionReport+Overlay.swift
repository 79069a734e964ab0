import CommandKit
import Drawing
import Recognition
import VisionProtocols

extension RecognitionReport {
  /// The outlines of what the steps saw, green if their step gave the answer.
  ///
  /// Classes and similar objects have no outlines: the caption names them.
  var overlay: Overlay {
    Overlay(marks: result.steps.flatMap(Self.marks), caption: caption)
  }

  private static func marks(_ step: RecognitionStepReport) -> [Overlay.Mark] {
    let color: Color = step.outcome == .won ? .green : .blue
    switch step.answer {
    case .barcodes(let found):
      return found.enumerated().map { index, finding in
        Overlay.Mark(
          quad: finding.barcode.outline, label: BarcodeReport.label(of: finding.barcode),
          shortLabel: "\(index + 1)", color: color)
      }
    case .texts(let found):
      return found.enumerated().map { index, line in
        Overlay.Mark(quad: line.outline, label: "\(index + 1)", color: color)
      }
    case .classifications, .likenesses, nil: return []
    }
  }
}
