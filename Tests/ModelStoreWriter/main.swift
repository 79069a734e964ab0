import Foundation
import ModelStore
import TestSupport

// Changes a store until it is killed, or as often as it is told, for the tests of the module: a test's own
// process cannot be killed at any moment, nor be given too little disk.
//
//   ModelStoreWriter FOLDER ROUNDS SIZE URL|- [SOURCE DISK-BYTES]
//
// Round n installs version n of the model, of so many bytes that follow from n, or fetches it from URL/n; every
// third one then rolls back, every fifth removes a version that is not in use. Prints one line when it
// begins, "n" before each round, and "done" or what went wrong in the end. With SOURCE the file is there already,
// and no file can grow beyond DISK-BYTES, as on a full disk.

let arguments = CommandLine.arguments
guard [5, 7].contains(arguments.count), let rounds = Int(arguments[2]),
  let size = Int(arguments[3])
else {
  print("ModelStoreWriter FOLDER ROUNDS SIZE URL|- [SOURCE DISK-BYTES]")
  exit(64)
}
let source = arguments.count == 7 ? URL(fileURLWithPath: arguments[5]) : nil
ChildProgram.limitFiles(to: arguments.dropFirst(6).first.flatMap { rlim_t($0) })

do {
  let models = ModelFolder(URL(fileURLWithPath: arguments[1]))
  ChildProgram.say("begins")
  var used = (try? models.model(ModelScript.name)).flatMap { Int($0.manifest.version) } ?? 0
  // Beside the store: where it is killed, whoever removes that removes it.
  let made = URL(
    fileURLWithPath: "\(arguments[1])-made-by-\(ProcessInfo.processInfo.processIdentifier)")
  defer { try? FileManager.default.removeItem(at: made) }
  for _ in 0..<rounds {
    let known = try models.list().compactMap { Int($0.version) }
    let next = (known.max() ?? 0) + 1
    ChildProgram.say("\(next)")
    if source == nil { try Data(ModelScript.bytes(of: next, count: size)).write(to: made) }
    let file = source ?? made
    let manifest = try ModelManifest(
      name: ModelScript.name, version: "\(next)", digest: SHA256Digest(contentsOf: file),
      size: size,
      task: "test")
    if arguments[4] == "-" {
      try models.install(file, as: manifest)
    } else {
      try await models.fetch(
        manifest, from: "\(arguments[4])/\(next)", limits: FetchLimits(pause: 0))
    }
    used = next
    if next % 3 == 0 { used = Int(try models.rollBack(ModelScript.name)) ?? used }
    if next % 5 == 0, let oldest = known.filter({ $0 != used }).min() {
      try models.remove(ModelScript.name, version: "\(oldest)")
    }
  }
  ChildProgram.say("done")
} catch {
  ChildProgram.say("failed: \(error)")
  exit(1)
}
