import CommandKit
import CountTemplates
import Foundation

/// `tally template list`: lists the templates.
enum TemplateListCommand: Command {
  static let specification = CommandSpecification(
    words: ["template", "list"],
    summary: "Print the templates that are kept",
    discussion: [
      "Prints the templates by name, with the photo that each was learnt from. A damaged file gets "
        + "an error line, and the others are still printed."
    ],
    operands: .none,
    groups: [
      OptionGroup("Templates", [TemplateInputs.folder]),
      OptionGroup("Output", [StandardOptions.json]),
    ],
    examples: [Example("What can be counted?", "tally template list")])

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let templates = try TemplateInputs.folder(arguments, console)
    var table = TextTable([
      ("template", .left), ("objects", .right), ("others", .right), ("photo", .left),
      ("made", .left),
    ])
    var code = ExitCode.success
    let names = try templates.names()
    for name in names {
      do {
        let stored = try templates.template(name)
        if arguments[StandardOptions.json] {
          try console.print(JSONText.object(TemplateInputs.members(stored)).text)
        }
        table.add([
          name, "\(stored.objects)", "\(stored.template.unlike.count)",
          PrintableText.of(stored.photo),
          HistoryInputs.text(of: stored.created, milliseconds: false),
        ])
      } catch let error as TemplateError {
        let failure = Failure.of(error)
        console.report(failure.message)
        code = failure.code
      }
    }
    guard !arguments[StandardOptions.json] else { return code }
    let folder = PrintableText.of(templates.url.path)
    try console.print(
      names.isEmpty ? "\(folder): there are no templates" : table.lines.joined(separator: "\n"))
    return code
  }
}

/// `tally template show`: shows a template.
enum TemplateShowCommand: Command {
  static let specification = CommandSpecification(
    words: ["template", "show"],
    summary: "Print what a template knows",
    discussion: [
      "Prints the photo that a template was learnt from, how large its objects are, and which "
        + "models it needs. The side is a share of the photo's longer side."
    ],
    operands: TemplateInputs.name,
    groups: [
      OptionGroup("Templates", [TemplateInputs.folder]),
      OptionGroup("Output", [StandardOptions.json]),
    ],
    examples: [Example("Where is it from?", "tally template show sweets")])

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let templates = try TemplateInputs.folder(arguments, console)
    let stored = try TemplateInputs.template(arguments.operands[0], in: templates)
    let file = try templates.file(of: stored.name).path
    guard !arguments[StandardOptions.json] else {
      let members = TemplateInputs.members(stored) + [("file", .string(file))]
      try console.print(JSONText.object(members).text)
      return .success
    }
    let template = stored.template
    var report = ReportText()
    report.add("photo", stored.photo)
    report.add("made", HistoryInputs.text(of: stored.created, milliseconds: false))
    report.add(
      "objects",
      "\(stored.objects), of which \(template.like.count) are kept; "
        + "\(template.unlike.count) to leave out")
    report.add(
      "size",
      "\(NumberText.fixed(template.side, digits: 3)) of the longer side, width / height "
        + NumberText.fixed(template.aspect, digits: 2))
    report.add("detector", template.models.detector)
    report.add("embedder", template.models.embedder)
    if let preset = stored.embedderPreset { report.add("preset", preset) }
    report.add("file", file)
    try console.print(([stored.name] + report.lines).joined(separator: "\n"))
    return .success
  }
}

/// `tally template remove`: removes a template.
enum TemplateRemoveCommand: Command {
  static let specification = CommandSpecification(
    words: ["template", "remove"],
    summary: "Remove a template",
    discussion: ["Removes the file of a template, damaged or not."],
    operands: TemplateInputs.name,
    groups: [OptionGroup("Templates", [TemplateInputs.folder])],
    examples: [Example("Remove one.", "tally template remove sweets")], changesStore: true)

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let templates = try TemplateInputs.folder(arguments, console)
    let name = arguments.operands[0]
    do {
      try templates.remove(name)
    } catch {
      throw TemplateInputs.failure(error)
    }
    try console.print("\(name): removed")
    return .success
  }
}
