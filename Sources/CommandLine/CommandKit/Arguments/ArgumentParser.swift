/// Splits a command's arguments into options and operands.
///
/// - `--name VALUE` and `--name=VALUE` mean the same; a value that itself starts with two dashes
///   needs the second form. An option may have a letter too: `-o VALUE`.
/// - `--` ends the options: everything after it is an operand.
/// - An option with a value may be given once, unless it is repeatable: of two thresholds, the
///   intended one is unknown.
package struct ArgumentParser {
  let specification: CommandSpecification

  /// A parser for the arguments of a command.
  package init(specification: CommandSpecification) {
    self.specification = specification
  }

  /// The parsed arguments.
  package func parse(_ arguments: [String]) throws(UsageError) -> ParsedArguments {
    do {
      return try parseAll(arguments)
    } catch {
      throw error.advising("see '\(specification.invocation) --help'")
    }
  }

  /// The help text that the arguments request, even if they are invalid; nil if they request none.
  package static func help(askedForBy arguments: [String]) -> HelpText.Extent? {
    let options = arguments.prefix { $0 != "--" }
    if options.contains("--\(StandardOptions.helpAll.name)") { return .all }
    return options.contains("--help") || options.contains("-h") ? .first : nil
  }

  private func parseAll(_ arguments: [String]) throws(UsageError) -> ParsedArguments {
    var parsed = ParsedArguments()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        parsed.operands += rest
        break
      }
      if argument.hasPrefix("-"), argument != "-" {
        try parseOption(argument, rest: &rest, into: &parsed)
      } else {
        parsed.operands.append(argument)
      }
    }
    try checkOperands(of: parsed)
    return parsed
  }

  private func parseOption(
    _ argument: String, rest: inout ArraySlice<String>, into parsed: inout ParsedArguments
  ) throws(UsageError) {
    let sign = argument.firstIndex(of: "=")
    let name = String(argument[..<(sign ?? argument.endIndex)])
    let found = specification.options.first { option in
      "--\(option.name)" == name || option.short.map { "-\($0)" == name } ?? false
    }
    guard let option = found else { throw unknownOption(name) }

    guard let metavar = option.metavar else {
      if let sign { _ = try option.value(of: String(argument[argument.index(after: sign)...])) }
      parsed.add(true, typed: "", to: option.name)
      return
    }
    let text: String
    if let sign {
      text = String(argument[argument.index(after: sign)...])
    } else if let next = rest.first, !next.hasPrefix("--") {
      text = next
      rest.removeFirst()
    } else {
      throw UsageError("--\(option.name) needs a value: --\(option.name) \(metavar)")
    }
    if parsed.has(option.name), !option.isRepeatable {
      throw UsageError("--\(option.name) is given more than once")
    }
    parsed.add(try option.value(of: text), typed: text, to: option.name)
  }

  private func unknownOption(_ name: String) -> UsageError {
    let names = specification.options.map { "--\($0.name)" }
    return UsageError("unknown option '\(name)'\(Suggestion.text(for: name, among: names))")
  }

  private func checkOperands(of parsed: ParsedArguments) throws(UsageError) {
    let operands = parsed.operands
    let metavar = specification.operands.metavar
    if let option = specification.operands.replacement {
      let isReplaced = parsed.has(option)
      if isReplaced, let first = operands.first {
        throw UsageError(
          "--\(option.name) takes the place of \(metavar), and '\(first)' is given too")
      }
      if isReplaced { return }
      if operands.isEmpty {
        throw UsageError("neither \(metavar) nor --\(option.name) is given")
      }
    }
    if metavar.isEmpty {
      guard let first = operands.first else { return }
      throw UsageError("'\(first)' is given, and only options are taken")
    }
    if operands.isEmpty {
      if specification.operands.isOptional { return }
      throw UsageError("no \(metavar) is given")
    }
    if operands.contains("") { throw UsageError("\(metavar) is an empty text") }
    if !specification.operands.isList, operands.count > 1 {
      throw UsageError("expected one \(metavar), got a second: '\(operands[1])'")
    }
  }
}

/// The arguments of a command.
package struct ParsedArguments: Sendable {
  /// The arguments that are not options, in order; none is an empty text.
  ///
  /// The list is not empty if the command takes operands, unless they are optional or an option
  /// replaced them.
  package fileprivate(set) var operands: [String] = []
  private var values: [String: [any Sendable]] = [:]
  private var typed: [String: [String]] = [:]

  /// The value of an option, or nil if it was not given.
  package subscript<Value>(_ option: Option<Value>) -> Value? {
    values[option.name]?.first as? Value
  }

  /// All values of an option that may be repeated, in order.
  package func all<Value>(_ option: Option<Value>) -> [Value] {
    (values[option.name] ?? []).compactMap { $0 as? Value }
  }

  /// All values of an option as they were typed, in order; an empty text for a flag.
  func texts(of option: any OptionDeclaration) -> [String] { typed[option.name] ?? [] }

  /// The given ones of some options, as a command line has them.
  package func written(_ options: [any OptionDeclaration]) -> [String] {
    options.flatMap { option in
      texts(of: option).map {
        option.metavar == nil ? "--\(option.name)" : "--\(option.name)=\($0)"
      }
    }
  }

  /// Whether a flag was given.
  package subscript(_ flag: Flag) -> Bool {
    values[flag.name] != nil
  }

  /// The same arguments except one option's value.
  package func setting<Value>(_ option: Option<Value>, to value: Value) -> ParsedArguments {
    var copy = self
    copy.values[option.name] = [value]
    return copy
  }

  /// The same arguments with some options only, and no operands.
  package func only(_ options: [any OptionDeclaration]) -> ParsedArguments {
    var copy = ParsedArguments()
    for option in options { copy.values[option.name] = values[option.name] }
    return copy
  }

  /// The same arguments with other operands.
  package func withOperands(_ operands: [String]) -> ParsedArguments {
    var copy = self
    copy.operands = operands
    return copy
  }

  /// The operands of a command that takes one thing, and after it at least one of another.
  ///
  /// - Parameter name: the name of the others, for the error if there are none.
  package func oneAndOthers(
    of specification: CommandSpecification, named name: String
  ) throws(UsageError) -> (one: String, others: [String]) {
    let others = Array(operands.dropFirst())
    guard !others.isEmpty else {
      throw UsageError("no \(name) is given (see '\(specification.invocation) --help')")
    }
    return (operands[0], others)
  }

  /// Whether an option or flag was given.
  package func has(_ option: any OptionDeclaration) -> Bool { has(option.name) }

  fileprivate func has(_ name: String) -> Bool {
    values[name] != nil
  }

  fileprivate mutating func add(_ value: any Sendable, typed text: String, to name: String) {
    values[name, default: []].append(value)
    typed[name, default: []].append(text)
  }
}
