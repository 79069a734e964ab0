import CommandKit

/// The options that a request gives, as a command line has them.
///
/// None of them names a file of this machine, because requests come from other programs and other machines.
package struct RequestOptions: Sendable {
  /// Names and values; a flag's value is empty or `true`.
  private let items: [(name: String, value: String)]

  /// The options that say what to count, and the thresholds of a count.
  package static let ofCounts: [any OptionDeclaration] =
    CountOptions.ofGuide + [CountOptions.set] + CountOptions.ofAll + CountOptions.ofAdaptive
    + CountOptions.ofBands

  /// Reads the options of a count.
  ///
  /// - Throws: ``UsageError`` for another option, and for a template in a file.
  package init(ofCount items: [(name: String, value: String)]) throws(UsageError) {
    try self.init(items, among: Self.ofCounts)
    if let (_, name) = items.first(where: { $0.name == CountOptions.template.name }),
      name.contains("/") || name.lowercased().hasSuffix(".json")
    {
      throw UsageError("template is '\(name)'; it must be a name of GET /templates")
    }
  }

  /// Reads options of a command.
  ///
  /// - Throws: ``UsageError`` for an option that is not one of `known`.
  package init(
    _ items: [(name: String, value: String)], among known: [any OptionDeclaration]
  ) throws(UsageError) {
    for (name, value) in items {
      guard let option = known.first(where: { $0.name == name }) else {
        throw UsageError(
          "unknown option '\(name)'\(Suggestion.text(for: name, among: known.map(\.name)))")
      }
      guard option.metavar != nil || ["", "true"].contains(value) else {
        throw UsageError("\(name) is '\(value)'; it must be true, or left out")
      }
    }
    self.items = items.map { item in
      (item.name, known.first { $0.name == item.name }?.metavar == nil ? "" : item.value)
    }
  }

  /// The arguments of a command line.
  package var arguments: [String] {
    items.map { $0.value.isEmpty ? "--\($0.name)" : "--\($0.name)=\($0.value)" }
  }

  /// The names of the options.
  var names: Set<String> { Set(items.map(\.name)) }

  /// These options, and those of `others` that are not among them.
  func over(_ others: RequestOptions) -> RequestOptions {
    RequestOptions(
      items + others.items.filter { other in !items.contains { $0.name == other.name } })
  }

  /// The same without the boxes and the part of one count.
  var withoutMarks: RequestOptions {
    let marks = Set(CountOptions.ofOnePhoto.map(\.name))
    return RequestOptions(items.filter { !marks.contains($0.name) })
  }

  private init(_ items: [(name: String, value: String)]) { self.items = items }
}
