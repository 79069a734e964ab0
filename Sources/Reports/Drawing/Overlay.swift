import Geometry

/// Boxes and quadrilaterals with labels, a caption and a legend, drawn over a photo.
///
/// Lines and letters grow with the photo, so that the whole drawing looks the same for a photo of
/// 100 or of 10,000 pixels. Labels lie inside their boxes, and in the middle of quadrilaterals or
/// along them: the title of an upright spine is read downwards, and ends in an ellipsis if it is too
/// long. If a label does not fit, the short label is used, then a place outside at the side of the
/// box, and last a place at the end of a line. A label never covers another. No label is lost if
/// the drawing has room for all (``readableScale(width:height:)``).
public struct Overlay: Hashable, Sendable {
  /// One box or quadrilateral of an ``Overlay``.
  public struct Mark: Hashable, Sendable {
    /// Its place, in pixels of the photo.
    ///
    /// Parts outside the photo are cut off; a box that is empty, outside or not finite is not
    /// drawn.
    public var box: Box
    /// The shape whose sides are drawn instead of those of ``box``, in pixels of the photo; nil for
    /// the box.
    ///
    /// Parts outside the photo are cut off; a shape that is outside, flat or not finite is not
    /// drawn.
    public var quad: Quadrilateral?
    /// The closed line that is drawn instead of the sides of ``box``, in pixels of the photo; nil
    /// for the box.
    ///
    /// It is for the outline of a mask. Parts outside the photo are cut off. The label lies in the
    /// box.
    public var outline: [Point]?
    /// Its text; empty for none.
    public var label: String
    /// The text if ``label`` does not fit; empty for none.
    public var shortLabel: String
    /// The colour of its frame and label.
    public var color: Color
    /// Whether it is drawn over the others, with a thicker frame.
    public var isEmphasized: Bool
    /// Whether its frame is dashed: a sign that does not depend on colour.
    public var isDashed: Bool

    /// Makes a mark.
    public init(
      box: Box, label: String = "", shortLabel: String = "", color: Color = .blue,
      isEmphasized: Bool = false, isDashed: Bool = false
    ) {
      self.box = box
      self.label = label
      self.shortLabel = shortLabel
      self.color = color
      self.isEmphasized = isEmphasized
      self.isDashed = isDashed
    }

    /// Makes a mark of a quadrilateral; its box is the bounding box.
    public init(
      quad: Quadrilateral, label: String = "", shortLabel: String = "", color: Color = .blue,
      isEmphasized: Bool = false, isDashed: Bool = false
    ) {
      self.init(
        box: quad.boundingBox, label: label, shortLabel: shortLabel, color: color,
        isEmphasized: isEmphasized, isDashed: isDashed)
      self.quad = quad
    }

    /// The mark on a photo of `factor` times the width and height.
    func scaled(by factor: Int) -> Mark {
      guard factor != 1 else { return self }
      var mark = self
      mark.box = box.scaled(by: Float(factor))
      mark.quad = quad?.mapCorners { $0.scaled(x: Double(factor), y: Double(factor)) }
      mark.outline = outline?.map { $0.scaled(x: Double(factor), y: Double(factor)) }
      return mark
    }
  }

  /// One line of a legend: a swatch of colour and its meaning.
  public struct LegendEntry: Hashable, Sendable {
    /// The swatch's colour.
    public var color: Color
    /// The meaning of the swatch.
    public var text: String
    /// Whether its marks have a dashed frame.
    public var isDashed: Bool

    /// Makes a line of a legend.
    public init(color: Color, text: String, isDashed: Bool = false) {
      self.color = color
      self.text = text
      self.isDashed = isDashed
    }
  }

  /// The shapes, drawn in order, emphasized ones last.
  public var marks: [Mark]
  /// A line in the corner where it hides the least, such as the count; empty for none.
  public var caption: String
  /// Lines below the caption.
  public var legend: [LegendEntry]

  /// Makes an overlay.
  public init(marks: [Mark] = [], caption: String = "", legend: [LegendEntry] = []) {
    self.marks = marks
    self.caption = caption
    self.legend = legend
  }
}
