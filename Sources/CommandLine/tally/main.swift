import TallyCommands

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// A reader that stops reading, such as `head`, is found out by the write that fails.
signal(SIGPIPE, SIG_IGN)
let code = await TallyCommand.run(Array(CommandLine.arguments.dropFirst()), console: .standard)
exit(code.rawValue)
