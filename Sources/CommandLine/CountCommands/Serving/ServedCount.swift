import CountReport
import Counting
import Foundation

/// A count that a server keeps in memory, with its photo.
package struct ServedCount: Sendable {
  /// Letters and digits that nobody can guess.
  package let id: String
  /// The name of the photo's file, without its folder.
  package let name: String
  package let time: Date
  /// The bytes of the photo's file.
  package let photo: Data
  let count: TracedCount
  let configuration: CountingConfiguration
  /// The options of the count, which a count of the same photo begins with.
  let options: RequestOptions
  /// A person's changes; nil if there are none.
  var correction: CountCorrection?

  package var result: CountingResult { count.result }

  /// The count with the changes.
  ///
  /// They were checked when they came.
  package var corrected: CorrectedCount {
    correction.flatMap { try? CorrectedCount(result, correctedBy: $0) } ?? CorrectedCount(result)
  }

  package var isCorrected: Bool { correction != nil }
}

/// The counts of a server: the newest, within a number and a size.
actor ServedCounts {
  private let mostCounts: Int
  private let mostBytes: Int
  /// The oldest first.
  private var counts: [ServedCount] = []

  /// Keeps that many counts and bytes of photos, and the newest in any case.
  init(mostCounts: Int, mostBytes: Int) {
    self.mostCounts = mostCounts
    self.mostBytes = mostBytes
  }

  /// All counts, the newest first.
  var all: [ServedCount] { counts.reversed() }

  /// The count of an id; nil if there is none any more.
  subscript(id: String) -> ServedCount? { counts.first { $0.id == id } }

  /// Keeps a count, and forgets the oldest ones if there are too many.
  func add(_ count: ServedCount) {
    counts.append(count)
    while counts.count > 1, counts.count > mostCounts || bytes > mostBytes { counts.removeFirst() }
  }

  /// Keeps a person's changes to a count; false if it is not there any more.
  func correct(_ id: String, by correction: CountCorrection?) -> Bool {
    guard let place = counts.firstIndex(where: { $0.id == id }) else { return false }
    counts[place].correction = correction
    return true
  }

  /// Forgets a count; false if it is not there.
  func remove(_ id: String) -> Bool {
    guard let place = counts.firstIndex(where: { $0.id == id }) else { return false }
    counts.remove(at: place)
    return true
  }

  /// The bytes of all photos, each once: counts of one photo share its bytes.
  private var bytes: Int {
    var starts = Set<UnsafeRawPointer>()
    return counts.reduce(0) { sum, count in
      let isNew = count.photo.withUnsafeBytes { $0.baseAddress.map { starts.insert($0).inserted } }
      return sum + (isNew == true ? count.photo.count : 0)
    }
  }
}
