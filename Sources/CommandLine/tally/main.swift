import TallyCommands

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

let code = await TallyProcess.run()
// Not `exit`: it waits for OpenBLAS's threads, which were started when the library was loaded. If memory is
// limited (`ulimit -v`), they look for room without end. All files and streams are written by then.
fflush(nil)
_exit(code)
