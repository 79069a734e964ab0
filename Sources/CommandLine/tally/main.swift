import Dispatch
import TallyCommands
import _CLibrary

// Before the first thread: it may be one for which there are no addresses.
if let code = TallyProcess.refused() { exit(code) }
Task {
  let code = await TallyProcess.run()
  // Not `exit`: it runs what libraries do at the end, while threads may still be at work in them.
  // All files and streams are written by then.
  fflush(nil)
  _exit(code)
}
dispatchMain()
