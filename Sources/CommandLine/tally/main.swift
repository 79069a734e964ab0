import TallyCommands
import _CLibrary

let code = await TallyProcess.run()
// Not `exit`: it runs what libraries do at the end, while threads may still be at work in them. All
// files and streams are written by then.
fflush(nil)
_exit(code)
