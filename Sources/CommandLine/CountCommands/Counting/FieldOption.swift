import CommandKit
import Counting

/// The option of `tally count` for a field of the configuration.
enum FieldOption: Sendable {
  case number(Option<Double>, CountingField.Place<Double>)
  case switchable(Option<Switchable>, CountingField.Place<Double?>)
  case whole(Option<Int>, CountingField.Place<Int>)
  case flag(Flag, CountingField.Place<Bool>)

  /// Nil for a field without an option.
  init?(_ field: CountingField) {
    guard let option = field.option else { return nil }
    let fallback = Self.fallback(of: field)
    switch field.value {
    case .number(let place, let range):
      let kind = ValueKind<Double>.number(option.metavar, in: range)
      self = .number(Option(option.name, kind, help: option.help, fallback: fallback), place)
    case .switchable(let place, let range):
      let kind = ValueKind<Switchable>.numberOrOff(option.metavar, in: range)
      self = .switchable(Option(option.name, kind, help: option.help, fallback: fallback), place)
    case .whole(let place, let range):
      let kind = ValueKind<Int>.integer(option.metavar, in: range)
      self = .whole(Option(option.name, kind, help: option.help, fallback: fallback), place)
    case .flag(let place): self = .flag(Flag(option.name, help: option.help), place)
    }
  }

  /// The options of some fields, in their order.
  static func all(_ fields: [CountingField]) -> [FieldOption] {
    fields.compactMap(FieldOption.init)
  }

  /// The declaration for the parser and the help text.
  var declaration: any OptionDeclaration {
    switch self {
    case .number(let option, _): option
    case .switchable(let option, _): option
    case .whole(let option, _): option
    case .flag(let flag, _): flag
    }
  }

  /// Applies the given value to a configuration.
  func take(_ arguments: ParsedArguments, into configuration: inout CountingConfiguration) {
    switch self {
    case .number(let option, let place):
      if let value = arguments[option] { configuration[keyPath: place] = value }
    case .switchable(let option, let place):
      if let value = arguments[option] { configuration[keyPath: place] = value.number }
    case .whole(let option, let place):
      if let value = arguments[option] { configuration[keyPath: place] = value }
    case .flag(let flag, let place):
      if arguments[flag] { configuration[keyPath: place] = false }
    }
  }

  // MARK: Defaults

  private static func fallback(of field: CountingField) -> String {
    func text(_ configuration: CountingConfiguration) -> String {
      switch field.value {
      case .number(let place, _): NumberText.of(configuration[keyPath: place])
      case .switchable(let place, _): configuration[keyPath: place].map(NumberText.of) ?? "off"
      case .whole(let place, _): "\(configuration[keyPath: place])"
      case .flag(let place): "\(configuration[keyPath: place])"
      }
    }
    let basis: CountingConfiguration = field.scope == .bands ? .standard : .adaptive
    let (plain, bundled) = (text(basis), text(basis.suitedToBundledModels()))
    guard plain != bundled else { return plain }
    if field.scope == .bands { return "\(plain) (\(bundled))" }
    let model =
      text(basis.suitedToBundledModels(embedder: false)) == bundled ? "detector" : "embedder"
    return "\(plain), or \(bundled) with the bundled \(model)"
  }
}
