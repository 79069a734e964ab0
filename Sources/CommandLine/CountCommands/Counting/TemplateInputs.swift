import CommandKit
import CountTemplates
import Counting
import Foundation

/// The templates of commands.
package enum TemplateInputs {
  static let folder = Option(
    "templates", .path("DIR"), help: "Where templates are kept.",
    fallback: "$\(variable), or tally/templates in $XDG_DATA_HOME or ~/.local/share")

  /// The variable for the folder.
  package static let variable = "TALLY_TEMPLATES"

  /// One name as operand.
  static let name = Operands(
    metavar: "NAME", help: "A name that 'tally template list' prints.", isList: false)

  /// The folder that the command line or the environment names.
  static func folder(
    _ arguments: ParsedArguments, _ console: Console
  ) throws(UsageError) -> TemplateFolder {
    if let path = arguments[folder] { return TemplateFolder(URL(fileURLWithPath: path)) }
    if let path = console.environment[variable], !path.isEmpty {
      return TemplateFolder(URL(fileURLWithPath: path))
    }
    guard let templates = TemplateFolder.usual(environment: console.environment) else {
      throw UsageError(
        "there is no place for templates: give --templates, or set \(variable), XDG_DATA_HOME or "
          + "HOME")
    }
    return templates
  }

  /// The template of a name in a folder; the error proposes the name that was probably meant.
  static func template(
    _ name: String, in templates: TemplateFolder
  ) throws(CommandError) -> StoredTemplate {
    do {
      return try templates.template(name)
    } catch {
      throw failure(error)
    }
  }

  /// The command's error for an error about a name.
  static func failure(_ error: TemplateError) -> CommandError {
    let failure = Failure.of(error)
    switch error {
    case .noTemplate(let name, _, let known):
      let proposal = Suggestion.text(for: name, among: known)
      return CommandError(
        failure.code,
        failure.message + (proposal.isEmpty ? " (see 'tally template list')" : proposal))
    case .exists:
      return CommandError(failure.code, "\(failure.message); --replace replaces it")
    default: return failure
    }
  }

  /// The template that `--template` names and its file; nil if none is named.
  ///
  /// It must have been made with the models in use.
  ///
  /// - Throws: ``UsageError`` for a folder that is not used; ``CommandError``.
  static func chosen(
    _ arguments: ParsedArguments, _ console: Console
  ) throws -> (template: StoredTemplate, file: URL)? {
    guard let text = arguments[CountOptions.template] else {
      guard arguments[folder] == nil else {
        throw UsageError("--templates is about --template, and that is not given")
      }
      return nil
    }
    let (stored, file) = try find(text, arguments, console)
    do {
      let models = try ModelDigests.of(arguments, console: console)
      try stored.template.models.requireSame(as: models)
    } catch let error as CountingError {
      throw CommandError(.badData, at: file.path, "\(error) (--detector, --embedder)")
    }
    let preset = ModelDigests.embedderPreset(arguments)
    guard stored.embedderPreset == preset else {
      let word = stored.embedderPreset.map { "--embedder-preset \($0)" } ?? "no --embedder-preset"
      throw CommandError(
        .badData, at: file.path,
        "the template was made with \(word), so that its embeddings mean something else; give the "
          + "same, or make it again")
    }
    return (stored, file)
  }

  private static func find(
    _ text: String, _ arguments: ParsedArguments, _ console: Console
  ) throws -> (template: StoredTemplate, file: URL) {
    if text.contains("/") || text.lowercased().hasSuffix(".json") {
      let file = try InputFile.existing(text)
      do {
        return (try TemplateFolder.template(contentsOf: file), URL(fileURLWithPath: text))
      } catch {
        throw Failure.of(error)
      }
    }
    let templates = try folder(arguments, console)
    do {
      return (try template(text, in: templates), try templates.file(of: text))
    } catch let error as TemplateError {
      throw Failure.of(error)
    }
  }

  // MARK: Printing

  /// The members of a template in JSON, without its rows.
  static func members(_ stored: StoredTemplate) -> [(String, JSONText)] {
    let template = stored.template
    return [
      ("name", .string(stored.name)),
      ("created", .string(HistoryInputs.text(of: stored.created, milliseconds: false))),
      ("photo", .string(stored.photo)), ("objects", .integer(stored.objects)),
      ("like", .integer(template.like.count)), ("unlike", .integer(template.unlike.count)),
      ("dimension", .integer(template.like.first?.count ?? 0)),
      ("side", .double(template.side)), ("aspect", .double(template.aspect)),
      ("detector", .string(template.models.detector)),
      ("embedder", .string(template.models.embedder)),
      ("embedderPreset", .optional(stored.embedderPreset) { .string($0) }),
    ]
  }
}
