/// What the parser and the help text need to know of an option, whatever its value.
package protocol OptionDeclaration: Sendable {
  /// The name without its two dashes.
  var name: String { get }
  /// The letter that may stand for the name, after one dash; nil if none does.
  var short: Character? { get }
  /// What it does, as one or more sentences.
  var help: String { get }
  /// What holds if the option is not given, or nil if there is nothing to say.
  var fallback: String? { get }
  /// What stands for the value, or nil for a flag.
  var metavar: String? { get }
  /// Whether it may be given more than once.
  var isRepeatable: Bool { get }
  /// The words that it accepts; empty if its value is not one of a few.
  var choices: [String] { get }
  /// Whether it asks for something that stays when the command has ended, such as a file.
  var isWritten: Bool { get }
  /// The value of `text`.
  func value(of text: String) throws(UsageError) -> any Sendable
}

/// An option with a value: `--name VALUE` or `--name=VALUE`.
package struct Option<Value: Sendable>: OptionDeclaration {
  package let name: String
  package let short: Character?
  package let kind: ValueKind<Value>
  package let help: String
  package let fallback: String?
  package let isRepeatable: Bool

  package init(
    _ name: String, _ kind: ValueKind<Value>, short: Character? = nil, help: String,
    fallback: String? = nil, isRepeatable: Bool = false
  ) {
    self.name = name
    self.short = short
    self.kind = kind
    self.help = help
    self.fallback = fallback
    self.isRepeatable = isRepeatable
  }

  package var metavar: String? { kind.metavar }
  package var choices: [String] { kind.choices }
  package var isWritten: Bool { kind.isWritten }

  package func value(of text: String) throws(UsageError) -> any Sendable {
    if let value = kind.parse(text) { return value }
    let proposal = Suggestion.text(for: text, among: kind.choices)
    let fault = kind.fault(text).map { ", which \($0)" } ?? ""
    throw UsageError("--\(name) is '\(text)'\(fault); it must be \(kind.expectation)\(proposal)")
  }
}

/// An option without a value.
package struct Flag: OptionDeclaration {
  package let name: String
  package let short: Character?
  package let help: String
  package let isWritten: Bool

  package init(_ name: String, short: Character? = nil, help: String, isWritten: Bool = false) {
    self.name = name
    self.short = short
    self.help = help
    self.isWritten = isWritten
  }

  package var fallback: String? { nil }
  package var metavar: String? { nil }
  package var choices: [String] { [] }
  // Saying yes twice is still yes.
  package var isRepeatable: Bool { true }

  package func value(of text: String) throws(UsageError) -> any Sendable {
    throw UsageError("--\(name) takes no value, and got '\(text)'")
  }
}

/// Options that belong together in a help text.
package struct OptionGroup: Sendable {
  package let title: String
  package let options: [any OptionDeclaration]

  package init(_ title: String, _ options: [any OptionDeclaration]) {
    self.title = title
    self.options = options
  }
}

/// The arguments that are not options.
package struct Operands: Sendable {
  /// What stands for one of them, such as `IMAGE`.
  let metavar: String
  /// What they are.
  let help: String
  /// Whether there may be more than one.
  let isList: Bool
  /// An option with a value that takes their place: with it there are none.
  let replacement: (any OptionDeclaration)?
  /// Whether there may be none.
  let isOptional: Bool

  package init(
    metavar: String, help: String, isList: Bool, replacement: (any OptionDeclaration)? = nil,
    isOptional: Bool = false
  ) {
    self.metavar = metavar
    self.help = help
    self.isList = isList
    self.replacement = replacement
    self.isOptional = isOptional
  }

  /// For a command that takes options only.
  package static let none = Operands(metavar: "", help: "", isList: false)

  /// How a usage line shows them.
  var usage: String {
    let name = isOptional ? "[\(metavar)]" : metavar
    return isList ? "\(name)..." : name
  }
}
