import Foundation
import TestSupport
import Testing

@testable import ISBN

/// The examples of python-stdnum's and isbnlib's own tests, as far as they apply.
@Suite struct PeerExampleTests {
  struct Golden: Decodable {
    struct Example: Decodable, Sendable, CustomTestStringConvertible {
      let from: String
      let operation: String
      let text: String
      let answer: Answer

      var testDescription: String { "\(from): \(operation) \(text.prefix(40))" }
    }
    struct LeftOut: Decodable {
      let example: String
      let reason: String
    }
    let examples: [Example]
    let leftOut: [LeftOut]
  }

  /// One text, a list of them, or nil where the text is refused.
  enum Answer: Decodable, Equatable, Sendable {
    case refused
    case text(String)
    case list([String])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .refused
      } else if let text = try? container.decode(String.self) {
        self = .text(text)
      } else {
        self = .list(try container.decode([String].self))
      }
    }

    init(_ text: String?) {
      self = text.map(Answer.text) ?? .refused
    }
  }

  static func golden() throws -> Golden {
    try Folders.golden("ISBN/peer_examples.json", as: Golden.self)
  }

  @Test(arguments: try golden().examples)
  func example(example: Golden.Example) throws {
    #expect(try Self.answer(example.operation, example.text) == example.answer)
  }

  @Test func bothPeersAreAsked() throws {
    let golden = try Self.golden()
    #expect(golden.examples.count { $0.from.hasPrefix("python-stdnum") } > 200)
    #expect(golden.examples.count { $0.from.hasPrefix("isbnlib") } > 80)
    // A reason for each that does not apply.
    #expect(golden.leftOut.allSatisfy { !$0.reason.isEmpty })
  }

  private static func answer(_ operation: String, _ text: String) throws -> Answer {
    switch operation {
    case "read": return Answer((try? AnyISBN(text))?.description)
    case "normalize": return Answer(try? AnyISBN.normalized(text))
    case "hyphenate": return Answer((try? AnyISBN(text))?.hyphenated)
    case "group": return Answer((try? AnyISBN(text))?.isbn13.group?.name)
    case "kind":
      switch try? AnyISBN(text) {
      case .isbn10: return .text("ISBN10")
      case .isbn13: return .text("ISBN13")
      case nil: return .refused
      }
    // The peers' conversions read numbers out of texts.
    case "isbn13": return Answer(number(in: text)?.isbn13.description)
    case "isbn10": return Answer(number(in: text)?.isbn10?.description)
    case "check10": return Answer((try? ISBN10(completing: text)).map { String($0.checkDigit) })
    case "check13": return Answer((try? ISBN13(completing: text)).map { String($0.checkDigit) })
    case "find":
      var seen: Set<String> = []
      let found = ISBNExtractor().matches(in: text).map(\.isbn.description)
      return .list(found.filter { seen.insert($0).inserted })
    case "payload": return Answer((try? EANPayload(text)).map { String($0.number) })
    case "music":
      return Answer((try? EANPayload(text)).flatMap { try? ISMN($0) }?.description)
    default: throw UnknownOperation(name: operation)
    }
  }

  private static func number(in text: String) -> AnyISBN? {
    (try? AnyISBN(text)) ?? ISBNExtractor().matches(in: text).first?.isbn
  }

  private struct UnknownOperation: Error {
    let name: String
  }
}
