import Foundation
import SimilarityIndex
import TestSupport

// Writes an index until it is killed, or as many commits as it is told, for the tests of the module: a
// test's own process cannot be killed at any moment, nor be given too little disk.
//
//   SimilarityIndexWriter FOLDER COMMITS EXACT-LIMIT [DISK-BYTES]
//
// Opens the index in FOLDER, or makes it, and goes on where it was left with what IndexScript says.
// Prints one line when it begins, the number of each commit once it holds, and "done" or what went
// wrong in the end. With DISK-BYTES no file can grow beyond that, as on a full disk.

let arguments = CommandLine.arguments
guard (4...5).contains(arguments.count), let commits = Int(arguments[2]),
  let exactLimit = Int(arguments[3])
else {
  print("SimilarityIndexWriter FOLDER COMMITS EXACT-LIMIT [DISK-BYTES]")
  exit(64)
}
if let bytes = arguments.dropFirst(4).first.flatMap({ rlim_t($0) }) {
  // The write is to fail, not the process.
  signal(SIGXFSZ, SIG_IGN)
  var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
  #if canImport(Darwin)
    setrlimit(RLIMIT_FSIZE, &limit)
  #else
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  #endif
}
/// Prints a line at once, whatever standard output is.
func say(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

do {
  let folder = URL(fileURLWithPath: arguments[1])
  let options = SimilarityOptions(exactLimit: exactLimit)
  say("begins")
  let isThere = FileManager.default.fileExists(
    atPath: folder.appendingPathComponent("entries").path)
  let writer =
    isThere
    ? try SimilarityWriter(opening: folder, options: options)
    : try SimilarityWriter(creating: folder, dimension: IndexScript.dimension, options: options)
  var last = Int(writer.lastCommit)
  for _ in 0..<commits {
    last += 1
    if IndexScript.isCompaction(last) {
      try writer.compact()
    } else {
      for change in IndexScript.changes(of: last) {
        if let entry = change.entry {
          try writer.add(id: change.id, vector: entry.vector, payload: entry.payload)
        } else {
          try writer.remove(id: change.id)
        }
      }
      try writer.commit()
    }
    guard writer.lastCommit == UInt64(last) else {
      say("failed: commit \(writer.lastCommit) where \(last) was due")
      exit(1)
    }
    say("\(last)")
  }
  say("done")
} catch {
  say("failed: \(error)")
  exit(1)
}
