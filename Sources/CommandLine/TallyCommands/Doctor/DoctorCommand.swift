import CommandKit

/// `tally doctor`: what is missing or unusual on this machine.
enum DoctorCommand: Command {
  static let specification = CommandSpecification(
    words: ["doctor"],
    summary: "Check this installation, and say what is missing or unusual",
    discussion: [
      "Checks the program, its models and libraries, the processor, the memory, your settings and "
        + "the folders that commands use. Each line begins with ok, note or problem. A note is "
        + "unusual or good to know. A problem makes a command fail, and the line below it says "
        + "what to do.",
      "Nothing is changed or made, and nothing is sent. Run this first if something does not "
        + "work.",
    ],
    operands: .none,
    groups: [OptionGroup("Output", [StandardOptions.json])],
    examples: [
      Example("Is all well?", "tally doctor"),
      Example("For a bug report or another program.", "tally doctor --json"),
    ], findsProblems: true)

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    var findings: [Finding] = []
    for (needsMemory, check) in checks
    where !needsMemory || ProgramChecks.Memory.current.sufficesForChecks {
      try Task.checkCancellation()
      let found = await check(console)
      // What is found is printed at once: a fault in a later check does not lose it.
      if !arguments[StandardOptions.json] {
        try console.print(DoctorReport(findings: found).lines.joined(separator: "\n"))
      }
      findings += found
    }
    let report = DoctorReport(findings: findings)
    try console.print(arguments[StandardOptions.json] ? report.json.text : report.summary)
    let problems = report.count(.problem)
    guard problems > 0 else { return .success }
    console.report("\(Sentence.count(problems, "problem", "problems")) found")
    return .problemFound
  }

  private typealias Check = @Sendable (Console) async -> [Finding]

  /// All checks, in the order in which they are printed.
  private static let checks: [(needsMemory: Bool, check: Check)] = [
    (false, { _ in ProgramChecks.findings() }),
    (true, { _ in [ProgramChecks.matrices] }),
    (true, { _ in await BundledModelCheck.findings() }),
    (true, { _ in CodecChecks.findings() }),
    (true, { console in ModelFolderChecks.findings(console) }),
    (true, { console in StoredFileChecks.findings(console) }),
    (false, { console in SurroundingsChecks.findings(console) }),
  ]
}
