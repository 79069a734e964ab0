import FuzzSupport
import Telemetry

extension Target {
  /// A file that says which events were right.
  static let labels = Target(
    "labels",
    seeds: {
      [
        """
        {"event":"4f1c09d2a6b7e385","right":true}
        {"time":1732272012345,"right":false}

        {"missed":1732272012345,"width":0.1,"height":0.6,"aspect":0.1,"text":true,"barcode":false}
        {"missed":-1}
        """
      ].map { Array($0.utf8) }
    }
  ) { bytes in
    try refusable(TelemetryError.self) {
      let labels = try TelemetryLabels(bytes)
      _ = (labels.count, labels.missed.count)
    }
  }
}
