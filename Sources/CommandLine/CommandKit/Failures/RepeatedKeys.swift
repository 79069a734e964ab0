import Foundation

/// Finds a key that an object of JSON has twice.
///
/// Foundation's decoder takes one of the two values silently. Keys count as equal if Swift's
/// strings are, so `é` as one or as two code points is one key: a dictionary could hold only one.
///
/// The reader of manifests refuses such keys too, but it holds a whole document as values, and
/// documents may have a gigabyte. This holds only the keys of the objects that are open.
struct RepeatedKeys {
  /// The first key that stands twice in an object; nil if there is none, or if this is not JSON.
  ///
  /// - Complexity: O(n) for n bytes.
  static func first(in data: Data) -> String? {
    data.withUnsafeBytes { RepeatedKeys(bytes: $0).first() }
  }

  private let bytes: UnsafeRawBufferPointer

  private func first() -> String? {
    // The keys of each open object; nil for an open array.
    var open: [Set<String>?] = []
    var place = 0
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "{"): open.append([])
      case UInt8(ascii: "["): open.append(nil)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard open.popLast() != nil else { return nil }
      case UInt8(ascii: "\""):
        guard let end = endOfText(from: place + 1) else { return nil }
        if let last = open.indices.last, open[last] != nil, isKey(endingAt: end),
          let key = text(place...end), open[last]?.insert(key).inserted == false
        {
          return key
        }
        place = end
      default: break
      }
      place += 1
    }
    return nil
  }

  /// The place of the quotation mark that ends a text.
  private func endOfText(from start: Int) -> Int? {
    var place = start
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    return place < bytes.count ? place : nil
  }

  /// Whether a colon follows the text.
  private func isKey(endingAt end: Int) -> Bool {
    bytes[(end + 1)...].first { ![9, 10, 13, 32].contains($0) } == UInt8(ascii: ":")
  }

  private func text(_ range: ClosedRange<Int>) -> String? {
    let quoted = Data(bytes[range])
    guard quoted.contains(UInt8(ascii: "\\")) else {
      return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
    }
    return (try? JSONSerialization.jsonObject(with: quoted, options: .fragmentsAllowed)) as? String
  }
}
