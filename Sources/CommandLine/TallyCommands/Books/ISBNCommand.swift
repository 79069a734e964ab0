import CommandKit
import ISBN

/// `tally isbn`: checks ISBNs and numbers like them, or finds them in a text.
enum ISBNCommand: Command {
  static let specification = CommandSpecification(
    words: ["isbn"],
    summary: "Check ISBNs, ISSNs, ISMNs or GTIN-14s, or find them in a text",
    discussion: [
      "Checks whether each code is a valid ISBN-10 or ISBN-13, converts it, hyphenates it by the "
        + "agency's ranges of \(RegistrationGroup.tableDate), and names its registration group. "
        + "For an invalid code it prints the rule that is broken.",
      "With --scan it finds the ISBNs in a text instead, such as the output of text recognition. "
        + "Letters that look like digits (O and 0, I and 1, B and 8, S and 5) are read as digits "
        + "if the check digit confirms it.",
      "With --kind it does the same for the numbers of periodicals (ISSN), of printed music (ISMN) "
        + "and of cartons (GTIN-14). In a text an ISSN needs the word ISSN before it, and GTIN-14s "
        + "are not searched for: a check digit alone proves too little.",
    ],
    operands: Operands(
      metavar: "CODE",
      help: "A number, with or without hyphens and the word ISBN; put one with spaces in quotes. "
        + "The five price digits of a barcode may follow an ISBN-13.",
      isList: true, replacement: scan),
    groups: [
      OptionGroup("Codes", [ProductNumberKind.option, scan]),
      OptionGroup("Output", [StandardOptions.json]),
    ],
    examples: [
      Example("Check one code.", "tally isbn 978-0-306-40615-7"),
      Example("Check many, one line of JSON each.", "tally isbn 0306406152 080442957X --json"),
      Example("Check the number of a journal.", "tally isbn --kind issn 0264-3596"),
      Example("Find the ISBNs of a page.", "tally isbn --scan page.txt"),
      Example(
        "Find those in another program's output.", "pdftotext book.pdf - | tally isbn --scan -"),
    ])

  static let scan = Option(
    "scan", .path("FILE|-"),
    help: "Print every number of a text, with line and column; - is standard input. The text is "
      + "UTF-8 or another encoding with ASCII digits.",
    isRepeatable: true)

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let printsJSON = arguments[StandardOptions.json]
    let kind = arguments[ProductNumberKind.option] ?? .isbn
    let texts = arguments.all(scan)
    guard texts.count(where: { $0 == "-" }) < 2 else {
      throw UsageError(
        "--scan - is given more than once, and standard input can be read once "
          + "(see '\(specification.invocation) --help')")
    }
    guard texts.isEmpty || kind != .gtin14 else {
      throw UsageError("--scan finds no GTIN-14 in a text: a check digit alone proves too little")
    }
    let loop = InputLoop(on: console, isQuiet: true)
    guard texts.isEmpty else {
      return try await loop.forEach(texts) { _, path in
        if kind == .isbn {
          try ISBNScan(path: path, console: console, printsJSON: printsJSON).run()
        } else {
          try ProductNumberScan(path: path, kind: kind, console: console, printsJSON: printsJSON)
            .run()
        }
      }
    }
    let codes = arguments.operands
    return try await loop.forEach(codes) { _, code in
      let other =
        switch kind {
        case .isbn: ProductNumberReport?.none
        case .any: ProductNumberReport(ofAnyKind: code)
        case .issn, .ismn, .gtin14: ProductNumberReport(code: code, kind: kind)
        }
      let report = CodeReport(of: ISBNReport(code: code), or: other)
      if printsJSON {
        try console.print(report.json.text)
      } else if report.failure == nil {
        let lines = codes.count == 1 ? report.lines : [report.line]
        try console.print(lines.joined(separator: "\n"))
      }
      if let failure = report.failure { throw failure }
    }
  }
}

/// The report of a code of any kind.
private struct CodeReport {
  let json: JSONText
  let line: String
  let lines: [String]
  let failure: CommandError?

  init(of isbn: ISBNReport, or other: ProductNumberReport?) {
    json = other?.json ?? isbn.json
    line = other?.line ?? isbn.line
    lines = other?.lines ?? isbn.lines
    failure = other.map(\.failure) ?? isbn.failure
  }
}
