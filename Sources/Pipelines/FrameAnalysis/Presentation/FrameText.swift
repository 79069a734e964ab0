/// A short text for a person: in English, with a key to translate it by.
///
/// ```swift
/// let translations = ["guidance.moveCloser": "Geh näher heran"]
/// let label = Guidance.moveCloser.text?.filled { key in translations[key] }
/// print(label ?? "")  // Geh näher heran
/// ```
public struct FrameText: Hashable, Sendable, Codable {
  /// The key of a translation, such as `guidance.moveCloser`; nil if the text is not to be
  /// translated, because it was read in the picture.
  public let key: String?
  /// The English text, with `%@` in the place of each argument.
  public let english: String
  /// What is put in for each `%@`, in order.
  public let arguments: [String]

  init(_ key: String?, _ english: String, _ arguments: String...) {
    self.key = key
    self.english = english
    self.arguments = arguments
  }

  /// The text in another language, with its arguments put in.
  ///
  /// A `%@` without an argument is left out.
  ///
  /// - Parameter translation: the text for a key, with a `%@` for each argument; nil if there is
  ///   none, which leaves it in English.
  public func filled(by translation: (_ key: String) -> String?) -> String {
    let pattern = key.flatMap(translation) ?? english
    var result = ""
    var rest = Substring(pattern)
    var values = arguments.makeIterator()
    while let mark = rest.firstIndex(of: "%") {
      result += rest[..<mark]
      rest = rest[mark...].dropFirst()
      if rest.first == "@" {
        rest = rest.dropFirst()
        result += values.next() ?? ""
      } else {
        result += "%"
      }
    }
    return result + rest
  }
}

extension FrameText: CustomStringConvertible {
  /// The text in English, with its arguments put in.
  public var description: String { filled { _ in nil } }
}
