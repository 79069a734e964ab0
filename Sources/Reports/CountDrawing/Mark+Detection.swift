import Drawing
import VisionProtocols

extension Overlay.Mark {
  /// Makes a mark of a detection: its outline if the detector knows it, else its box.
  ///
  /// The label lies in the box, or along the outline of a rotated box.
  public init(
    _ detection: Detection, label: String = "", shortLabel: String = "", color: Color = .blue,
    isEmphasized: Bool = false, isDashed: Bool = false
  ) {
    self.init(
      box: detection.box, label: label, shortLabel: shortLabel, color: color,
      isEmphasized: isEmphasized, isDashed: isDashed)
    switch detection.outline {
    case .rotatedBox(let quad): self.quad = quad
    case .polygon(let points): self.outline = points
    case nil: break
    }
  }
}
