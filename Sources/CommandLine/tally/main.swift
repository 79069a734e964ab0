import Dispatch
import TallyCommands

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// The process ends where the work ends. Going back to the main thread would need a thread of the system's, and
// `exit` waits for OpenBLAS's, which were started when the library was loaded. If memory is limited
// (`ulimit -v`), both look for room without end. All files and streams are written by then.
Task.detached {
  let code = await TallyProcess.run()
  fflush(nil)
  _exit(code)
}
dispatchMain()
