import CountReport
import Counting
import Drawing
import Foundation

extension Overlay {
  /// The objects of a count, the main kind in green and all others in blue and further colours.
  ///
  /// ```swift
  /// var overlay = Overlay(result)
  /// overlay.caption = "\(result.count) bottles"
  /// let picture = try overlay.drawn(over: photo)
  /// ```
  ///
  /// There is one mark for each of the result's `detections`, in their order. Its label is the
  /// object's number (`ObjectNumbers`) and its score, its short label the number alone. The main
  /// kind is emphasized. All other kinds are dashed, each in its own colour
  /// (``/Drawing/KindStyle``): blue is the largest of them, and kinds after the seventh share one.
  /// The outline of an object is drawn instead of its box if the detector knows it.
  ///
  /// The legend names the kinds, in English. It is empty if there is one kind only, because it would
  /// hide a part of the photo. The caption is empty. All of it is yours to change.
  ///
  /// - Complexity: O(*n* log *n*) for *n* objects.
  public init(_ result: CountingResult) {
    self.init(
      marks: Self.marks(of: result, where: { _ in true }),
      legend: Self.legend(of: result, main: result.count))
  }

  /// The objects of a corrected count, those that a person added or moved in orange.
  ///
  /// The main kind has the person's objects and those of the machine that the person left: green if
  /// they are as found, orange with dashes if not. Their labels are their numbers. The other kinds
  /// are as in ``init(_:)-(CountingResult)``. The legend says how many objects are as found and how
  /// many are the person's, if there are any of these.
  ///
  /// - Complexity: O(*n* log *n*) for *n* objects.
  public init(_ corrected: CorrectedCount) {
    let own = corrected.objects.map { object in
      let isFound = object.origin == .machine
      return Mark(
        box: object.box, label: "\(object.number)", color: isFound ? .green : .orange,
        isEmphasized: true, isDashed: !isFound)
    }
    self.init(
      marks: own + Self.marks(of: corrected.machine, where: { !$0.isMain }),
      legend: Self.legend(
        of: corrected.machine, main: corrected.count,
        byPerson: corrected.number(from: .person) + corrected.number(from: .moved)))
  }

  /// The machine's objects for which `isDrawn`.
  private static func marks(
    of result: CountingResult, where isDrawn: (CountedDetection) -> Bool
  ) -> [Mark] {
    let kinds = Kinds(result)
    return zip(result.detections, ObjectNumbers(result).numbers).filter { isDrawn($0.0) }.map {
      object, number in
      Mark(
        object.detection,
        label: "\(number) \(String(format: "%.2f", Double(object.detection.score)))",
        shortLabel: "\(number)",
        // If nothing was counted, no kind is the main one, and the first of them is not green.
        color: object.isMain
          ? .green : KindStyle(rank: max(kinds.rank(of: object.cluster), 1)).photoColor,
        isEmphasized: object.isMain, isDashed: !object.isMain)
    }
  }

  /// The kinds, and the person's objects if there are any.
  private static func legend(
    of result: CountingResult, main: Int, byPerson: Int = 0
  ) -> [LegendEntry] {
    let kinds = Kinds(result)
    let hasOthers = result.mainCluster != nil && result.detections.count > result.count
    var legend: [LegendEntry] = []
    if byPerson > 0 {
      let kind = hasOthers ? "main kind, " : ""
      legend = [
        LegendEntry(color: .green, text: "\(kind)as found: \(main - byPerson)"),
        LegendEntry(color: .orange, text: "\(kind)by a person: \(byPerson)", isDashed: true),
      ]
    } else if hasOthers {
      legend = [LegendEntry(color: .green, text: "main kind: \(main)")]
    }
    guard hasOthers else { return legend }
    for (rank, kind) in kinds.sizes.enumerated().dropFirst().prefix(KindStyle.last) {
      // The last style is that of all kinds that have none of their own.
      let rest = rank == KindStyle.last ? kinds.sizes[rank...] : kinds.sizes[rank...rank]
      let name = rest.count > 1 ? "\(rest.count) more kinds" : kinds.name(of: kind.label)
      legend.append(
        LegendEntry(
          color: KindStyle(rank: rank).photoColor,
          text: "\(name): \(rest.reduce(0) { $0 + $1.size })", isDashed: true))
    }
    return legend
  }
}
