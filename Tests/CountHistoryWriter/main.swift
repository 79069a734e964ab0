import CountHistory
import Foundation
import TestSupport

// Changes a history until it is killed, or as many times as it is told, for the tests of the module: a
// test's own process cannot be killed at any moment, nor be given too little disk.
//
//   CountHistoryWriter FILE DONE CHANGES [DISK-BYTES]
//   CountHistoryWriter FILE DONE CHANGES add STEP
//
// Makes the changes of HistoryScript to the history in FILE, of which so many are DONE already, and which
// has room for 100 entries. Prints
// one line when it begins, how many are done after each, and "done" or what went wrong in the end.
// With DISK-BYTES no file can grow beyond that, as on a full disk. With `add` it only adds entries, with
// the numbers DONE, DONE + STEP and so on.

let arguments = CommandLine.arguments
let adds = arguments.count == 6 && arguments[4] == "add"
guard (4...6).contains(arguments.count), let done = Int(arguments[2]),
  let changes = Int(arguments[3])
else {
  print("CountHistoryWriter FILE DONE CHANGES [DISK-BYTES | add STEP]")
  exit(64)
}
if !adds { ChildProgram.limitFiles(to: arguments.dropFirst(4).first.flatMap { rlim_t($0) }) }

/// Adds an entry of the script.
func add(_ entry: HistoryScript.Entry, to history: HistoryFile) async throws {
  try await history.add(
    HistoryEntry(
      id: entry.id, time: entry.time, count: entry.number, imageName: entry.name,
      thresholds: ["number": entry.number], thumbnail: entry.thumbnail,
      isFavorite: entry.isFavorite))
}

do {
  let history = HistoryFile(URL(fileURLWithPath: arguments[1]), patience: 120)
  ChildProgram.say("begins")
  try await history.setLimit(HistoryScript.limit)
  for count in 0..<changes {
    if adds {
      let number = done + count * (Int(arguments[5]) ?? 1)
      try await add(HistoryScript.Entry(number: number, isFavorite: false), to: history)
    } else {
      switch HistoryScript.change(after: done + count) {
      case .add(let number, let isFavorite):
        // The script knows that nothing happens then.
        do {
          try await add(HistoryScript.Entry(number: number, isFavorite: isFavorite), to: history)
        } catch HistoryError.full {}
      case .remove(let number): try await history.remove(HistoryScript.id(number))
      case .favorite(let number, let isFavorite):
        try await history.setFavorite(isFavorite, HistoryScript.id(number))
      case .clear: try await history.removeAll()
      }
    }
    ChildProgram.say("\(done + count + 1)")
  }
  ChildProgram.say("done")
} catch {
  ChildProgram.say("failed: \(error)")
  exit(1)
}
