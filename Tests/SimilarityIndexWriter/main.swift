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
ChildProgram.limitFiles(to: arguments.dropFirst(4).first.flatMap { rlim_t($0) })

do {
  let folder = URL(fileURLWithPath: arguments[1])
  let options = SimilarityOptions(exactLimit: exactLimit)
  ChildProgram.say("begins")
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
      try IndexScript.replay(last) { id, entry in
        try writer.add(id: id, vector: entry.vector, payload: entry.payload)
      } remove: { id in
        try writer.remove(id: id)
      }
      try writer.commit()
    }
    guard writer.lastCommit == UInt64(last) else {
      ChildProgram.say("failed: commit \(writer.lastCommit) where \(last) was due")
      exit(1)
    }
    ChildProgram.say("\(last)")
  }
  ChildProgram.say("done")
} catch {
  ChildProgram.say("failed: \(error)")
  exit(1)
}
