import TallyCommands

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

exit(await TallyProcess.run())
