/// The layout of a detector that answers one table: a row of numbers for each candidate.
///
/// All YOLO networks do so, and many exports with the suppression inside. They differ in which
/// column says what, and in whether the table is transposed.
///
/// ```swift
/// let head = try CandidateTable.yolov8(classCount: 80)        // [1, 84, N]
/// let found = try head.candidates(in: output, minimumScore: 0.25)
/// ```
public struct CandidateTable: Hashable, Sendable {
  /// The columns of a row for its score and its class.
  public enum Scores: Hashable, Sendable {
    /// The probability of each class; the greatest is the score.
    case classes(Range<Int>)
    /// The probability of any object, and of each class if there is one; their product is the
    /// score.
    case objectness(Int, classes: Range<Int>)
    /// The score of the best class, and which class it is.
    case best(score: Int, classID: Int)
  }

  /// How many columns there are.
  public let columnCount: Int
  /// Whether columns come first: `[1, columns, N]` instead of `[1, N, columns]`.
  public let isTransposed: Bool
  /// The first of the four columns of the box.
  public let boxColumn: Int
  /// What these four say.
  public let boxForm: BoxForm
  /// Where scores are.
  public let scores: Scores
  /// The column of the angle in radians; nil if boxes are upright.
  public let angleColumn: Int?
  /// The columns of a mask's coefficients, see ``PrototypeMasks``; empty if there are none.
  public let coefficientColumns: Range<Int>

  /// Makes a layout.
  ///
  /// - Throws: ``DetectionDecodeError/layout(_:)`` if a column is outside of the table or has two
  ///   meanings.
  public init(
    columnCount: Int, isTransposed: Bool = false, boxColumn: Int = 0,
    boxForm: BoxForm = .centerSize, scores: Scores, angleColumn: Int? = nil,
    coefficientColumns: Range<Int> = 0..<0
  ) throws(DetectionDecodeError) {
    guard (1...Self.mostColumns).contains(columnCount) else {
      throw .layout("\(columnCount) columns; there must be 1 to \(Self.mostColumns)")
    }
    guard (0...Self.mostColumns).contains(boxColumn) else {
      throw .layout("the box begins in column \(boxColumn)")
    }
    var ranges = [boxColumn..<boxColumn + 4, coefficientColumns]
    var single = angleColumn.map { [$0] } ?? []
    switch scores {
    case .classes(let classes):
      guard !classes.isEmpty else { throw .layout("there are no classes") }
      ranges.append(classes)
    case .objectness(let column, let classes):
      guard !classes.isEmpty else { throw .layout("there are no classes") }
      ranges.append(classes)
      single.append(column)
    case .best(let score, let classID): single += [score, classID]
    }
    for column in single {
      guard column >= 0, column < columnCount else {
        throw .layout("column \(column) of \(columnCount)")
      }
      ranges.append(column..<column + 1)
    }
    try Self.check(ranges, of: columnCount)
    self.columnCount = columnCount
    self.isTransposed = isTransposed
    self.boxColumn = boxColumn
    self.boxForm = boxForm
    self.scores = scores
    self.angleColumn = angleColumn
    self.coefficientColumns = coefficientColumns
  }

  /// Throws if a column has two meanings or lies outside of the table.
  private static func check(
    _ ranges: [Range<Int>], of columnCount: Int
  ) throws(DetectionDecodeError) {
    var taken = 0
    var first = columnCount
    var last = 0
    let filled = ranges.filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
    for range in filled {
      guard range.lowerBound >= taken else {
        throw .layout("column \(range.lowerBound) has two meanings")
      }
      taken = range.upperBound
      first = min(first, range.lowerBound)
      last = max(last, range.upperBound)
    }
    guard first >= 0, last <= columnCount else {
      throw .layout("columns \(first) to \(last - 1) of \(columnCount)")
    }
  }

  /// The most columns a table may have.
  private static let mostColumns = 1_100_000

  /// How many classes the table tells apart; nil if a row only names the best.
  public var classCount: Int? {
    switch scores {
    case .classes(let classes), .objectness(_, let classes): classes.count
    case .best: nil
    }
  }

  /// The shape in words, such as `[1, N, 85]`.
  public var shapeText: String {
    isTransposed ? "[1, \(columnCount), N]" : "[1, N, \(columnCount)]"
  }
}

extension CandidateTable {
  /// YOLOv5's and YOLOv7's: center and size in pixels, objectness, classes; then coefficients of a
  /// mask.
  ///
  /// Source: the repositories `ultralytics/yolov5` and Wang et al., "YOLOv7: Trainable
  /// bag-of-freebies sets new state-of-the-art for real-time object detectors".
  public static func yolov5(
    classCount: Int, coefficientCount: Int = 0
  ) throws(DetectionDecodeError) -> CandidateTable {
    let classes = try range(from: 5, count: classCount)
    let coefficients = try range(from: classes.upperBound, count: coefficientCount)
    return try CandidateTable(
      columnCount: coefficients.upperBound, scores: .objectness(4, classes: classes),
      coefficientColumns: coefficients)
  }

  /// What follows the classes in a row of YOLOv8.
  public enum Extra: Hashable, Sendable {
    /// Nothing.
    case none
    /// The coefficients of a mask (`-seg`).
    case coefficients(Int)
    /// The angle of the box (`-obb`).
    case angle
    /// Numbers that are not read, such as key points (`-pose`).
    case unread(Int)

    var count: Int {
      switch self {
      case .none: 0
      case .coefficients(let count), .unread(let count): count
      case .angle: 1
      }
    }
  }

  /// YOLOv8's, and that of YOLOv5u, v6, v9, 11 and 12: center and size in pixels, classes, and what
  /// a task adds.
  ///
  /// - Parameters:
  ///   - classCount: how many classes there are.
  ///   - extra: what follows them.
  ///   - isTransposed: whether columns come first, as Ultralytics exports them.
  ///
  /// Source: Jocher et al., Ultralytics YOLO.
  public static func yolov8(
    classCount: Int, extra: Extra = .none, isTransposed: Bool = true
  ) throws(DetectionDecodeError) -> CandidateTable {
    let classes = try range(from: 4, count: classCount)
    let extras = try range(from: classes.upperBound, count: extra.count)
    var coefficients = 0..<0
    if case .coefficients = extra { coefficients = extras }
    return try CandidateTable(
      columnCount: extras.upperBound, isTransposed: isTransposed, scores: .classes(classes),
      angleColumn: extra == .angle ? extras.lowerBound : nil, coefficientColumns: coefficients)
  }

  /// Rows that are left after suppression: the box, the score, the class, and what a task adds.
  ///
  /// YOLOv10, YOLO26 and all Ultralytics exports with `nms=True` answer so, with corners in pixels;
  /// turned boxes have their center and size.
  public static func endToEnd(
    boxForm: BoxForm = .corners, extra: Extra = .none
  ) throws(DetectionDecodeError) -> CandidateTable {
    let extras = try range(from: 6, count: extra.count)
    var coefficients = 0..<0
    if case .coefficients = extra { coefficients = extras }
    return try CandidateTable(
      columnCount: extras.upperBound, boxForm: boxForm, scores: .best(score: 4, classID: 5),
      angleColumn: extra == .angle ? 6 : nil, coefficientColumns: coefficients)
  }

  /// A range that does not overflow.
  private static func range(
    from start: Int, count: Int
  ) throws(DetectionDecodeError) -> Range<Int> {
    guard (0...mostColumns).contains(count) else { throw .layout("\(count) columns of one kind") }
    return start..<start + count
  }
}
