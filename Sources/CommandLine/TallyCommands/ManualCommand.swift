import CommandKit
import Foundation

/// `tally manual`: pages for the program `man`.
enum ManualCommand: Command {
  static let specification = CommandSpecification(
    words: ["manual"],
    summary: "Write a page for 'man' about each command",
    discussion: [
      "Writes a page about each command into a folder, for the program 'man'. The folder must "
        + "exist. Pages that are there already are replaced. 'make install' does this for the "
        + "folder where 'man' looks."
    ],
    operands: Operands(
      metavar: "FOLDER", help: "The folder, whose name usually is man1.", isList: false),
    groups: [],
    examples: [
      Example("For one person.", "tally manual ~/.local/share/man/man1")
    ], changesStore: true)

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let folder = arguments.operands[0]
    try OutputFolder.make(folder)
    let pages = CommandTree.manualPages
    for page in pages {
      try OutputFile.write(Data(page.text.utf8), to: "\(folder)/\(page.name).1")
    }
    try console.print("\(PrintableText.of(folder)): \(pages.count) pages")
    return .success
  }
}
