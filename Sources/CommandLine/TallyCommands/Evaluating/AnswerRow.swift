import CommandKit

/// An image of a file in JSON: the plain form, or what `tally classify`, `text`, `barcode` and
/// `recognize` print.
struct AnswerRow: Decodable {
  /// The name or path of the image.
  let image: String
  /// Why the command failed on it; nil if it did not.
  let error: String?

  private var lists: [Key: [String]] = [:]
  private let object: ObjectRow?
  private let method: String?
  private let steps: [StepRow]?

  private enum Key: String, CodingKey, CaseIterable {
    case label, labels, answer, alternatives
    case text, lines
    case payload, payloads, barcodes
    case date, dates
    case image, error, object, method, steps

    static let lists = allCases.prefix { $0 != .image }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    image = try container.decode(String.self, forKey: .image)
    error = try container.decodeIfPresent(String.self, forKey: .error)
    for key in Key.lists where container.contains(key) {
      lists[key] = try container.decodeIfPresent(Values.self, forKey: key)?.values ?? []
    }
    object = try container.decodeIfPresent(ObjectRow.self, forKey: .object)
    method = try container.decodeIfPresent(String.self, forKey: .method)
    steps = try container.decodeIfPresent([StepRow].self, forKey: .steps)
  }

  /// What the row says; nil if it says nothing of this kind.
  func answer(_ kind: AnswerKind) -> Answer? {
    switch kind {
    case .label:
      if let label = lists[.label] ?? lists[.labels] { return Answer(label) }
      if let answer = lists[.answer] {
        return Answer(answer + (lists[.alternatives] ?? []), isSure: !answer.isEmpty)
      }
      guard steps != nil else { return nil }
      let isNamed = method == "classification" || method == "likeness"
      return Answer(isNamed ? object?.ranking ?? [] : [])
    case .text: return (lists[.text] ?? lists[.lines] ?? answer(of: "text")).map { Answer($0) }
    case .payloads:
      let list = lists[.payloads] ?? lists[.payload] ?? lists[.barcodes] ?? answer(of: "barcode")
      return list.map { Answer($0) }
    case .dates:
      let list = lists[.dates] ?? lists[.date] ?? steps.map { _ in object?.dates ?? [] }
      return list.map { Answer($0) }
    }
  }

  /// What a step of `tally recognize` saw, whichever step won; nil if the line is of another command.
  private func answer(of step: String) -> [String]? {
    steps.map { steps in steps.first { $0.step == step }?.answer?.values ?? [] }
  }
}

/// One value or a list of them: texts, numbers, or objects that have the value in one of their
/// members.
private struct Values: Decodable {
  let values: [String]

  init(from decoder: any Decoder) throws {
    if var list = try? decoder.unkeyedContainer() {
      var values: [String] = []
      while !list.isAtEnd { values.append(try list.decode(Value.self).text) }
      self.values = values
    } else {
      values = [try Value(from: decoder).text]
    }
  }
}

private struct Value: Decodable {
  let text: String

  /// The members of objects that commands print, the most special one first: a date may have a
  /// label too, and a known thing has a name or only an id.
  private enum Key: CodingKey, CaseIterable {
    case payload, text, date, label, name, id
  }

  init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    if let text = try? single.decode(String.self) {
      self.text = text
    } else if let number = try? single.decode(Int.self) {
      text = "\(number)"
    } else {
      let container = try decoder.container(keyedBy: Key.self)
      for key in Key.allCases {
        if let text = try container.decodeIfPresent(String.self, forKey: key) {
          self.text = text
          return
        }
      }
      throw DecodingError.typeMismatch(
        String.self, .init(codingPath: decoder.codingPath, debugDescription: "no value"))
    }
  }
}

/// The object that `tally recognize` prints.
private struct ObjectRow: Decodable {
  /// Its class or name and the alternatives, best first; empty for other objects.
  let ranking: [String]
  /// The dates in its text.
  let dates: [String]?

  private enum Key: CodingKey {
    case alternatives, dates
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    dates = try container.decodeIfPresent(Values.self, forKey: .dates)?.values
    let others = try container.decodeIfPresent(Values.self, forKey: .alternatives)?.values
    ranking = try others.map { try Values(from: decoder).values + $0 } ?? []
  }
}

/// A step that `tally recognize` prints.
private struct StepRow: Decodable {
  let step: String
  let answer: Values?
}
