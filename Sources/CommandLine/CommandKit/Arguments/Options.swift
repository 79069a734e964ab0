/// The properties of an option for the parser and the help text, for any type of value.
package protocol OptionDeclaration: Sendable {
  /// The name without its two dashes.
  var name: String { get }
  /// The letter for the name, after one dash; nil if there is none.
  var short: Character? { get }
  /// Its effect, in one or more sentences.
  var help: String { get }
  /// The default if the option is not given; nil if there is none to show.
  var fallback: String? { get }
  /// The placeholder of the value; nil for a flag.
  var metavar: String? { get }
  /// Whether it may be given more than once.
  var isRepeatable: Bool { get }
  /// The words that it accepts; empty if it accepts other values.
  var choices: [String] { get }
  /// Whether its result remains after the command, such as a file.
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
  // A repeated flag means the same.
  package var isRepeatable: Bool { true }

  package func value(of text: String) throws(UsageError) -> any Sendable {
    throw UsageError("--\(name) takes no value, and got '\(text)'")
  }
}

/// A group of options in a help text.
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
  /// The placeholder of one of them, such as `IMAGE`.
  let metavar: String
  /// Their description.
  let help: String
  /// Whether there may be more than one.
  let isList: Bool
  /// An option with a value that replaces them: with it there are none.
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

  /// For a command that takes only options.
  package static let none = Operands(metavar: "", help: "", isList: false)

  /// Their form in a usage line.
  var usage: String {
    let name = isOptional ? "[\(metavar)]" : metavar
    return isList ? "\(name)..." : name
  }
}
