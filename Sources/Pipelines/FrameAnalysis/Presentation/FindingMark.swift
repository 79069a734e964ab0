import ISBN

/// How one finding is drawn over the frame, as plain values.
public struct FindingMark: Hashable, Sendable, Codable {
  /// What is drawn, and where.
  public let finding: FrameFinding
  /// The opacity and the width of its frame.
  public let style: FindingStyle
  /// The colour of its frame and its label: blue for objects, orange for text, green for barcodes.
  public let color: FindingColor
  /// What stands beside it: the text of a line, the ISBN or the payload of a barcode; nil for
  /// objects.
  ///
  /// It is one line of at most 40 characters, without characters that would move others.
  public let label: FrameText?
  /// The confidence in whole percent, such as `95%`; nil for barcodes, whose readers usually do not
  /// say, and for a confidence that is not a number.
  public let badge: String?

  /// The mark of a finding.
  public init(_ finding: FrameFinding) {
    self.finding = finding
    style = FindingStyle(confidence: finding.confidence)
    switch finding {
    case .object(let object):
      (color, label, badge) = (.blue, nil, Self.percent(object.confidence))
    case .text(let text):
      (color, badge) = (.orange, Self.percent(text.confidence))
      label = FrameText(nil, "%@", Self.line(text.text))
    case .barcode(let barcode):
      (color, badge) = (.green, nil)
      if let isbn = barcode.isbn {
        label = FrameText("label.isbn", "ISBN: %@", isbn.hyphenated ?? "\(isbn)")
      } else {
        label = FrameText(nil, "%@", Self.line(barcode.payload))
      }
    }
  }

  private static func percent(_ confidence: Float) -> String? {
    if confidence.isNaN { return nil }
    return "\(Int((Double(min(max(confidence, 0), 1)) * 100).rounded()))%"
  }

  /// The text in one line that cannot disturb what is around it.
  private static func line(_ text: String) -> String {
    let limit = 40
    // Marks that combine make characters of any length, so scalars are limited as well.
    let scalars = text.unicodeScalars.prefix(8 * limit).map { $0.isDisturbing ? " " : $0 }
    let line = String(String.UnicodeScalarView(scalars))
    return line.count > limit ? line.prefix(limit - 1) + "…" : line
  }
}

extension AnalyzedFrame {
  /// How the findings are drawn, one over the other: objects, then texts, then barcodes.
  public var marks: [FindingMark] { findings.map { FindingMark($0) } }
}

extension Unicode.Scalar {
  /// Whether it ends a line, moves a cursor, or turns the direction of what follows.
  fileprivate var isDisturbing: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    }
  }
}
