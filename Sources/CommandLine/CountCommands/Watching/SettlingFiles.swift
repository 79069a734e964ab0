import CommandKit

/// The files that did not change between two scans of a folder, each once.
struct SettlingFiles {
  /// What was handed out, as it was then.
  private var taken: [FolderName: FileStamp] = [:]
  /// The files that changed since the last scan.
  private var unsettled: [FolderName: FileStamp] = [:]

  /// Whether there are files that the next scan may settle.
  var isWaiting: Bool { !unsettled.isEmpty }

  /// Takes in a look at the folder.
  ///
  /// - Returns: the names of files that are as they were at the look before and were not handed out
  ///   so, sorted; an empty file is one that is still to be written.
  mutating func settled(in look: [FolderName: FileStamp]) -> [FolderName] {
    taken = taken.filter { look[$0.key] != nil }
    let changed = look.filter { taken[$0.key] != $0.value && $0.value.size > 0 }
    let settled = changed.filter { unsettled[$0.key] == $0.value }
    taken.merge(settled) { $1 }
    unsettled = changed.filter { settled[$0.key] == nil }
    return settled.keys.sorted { $0.text < $1.text }
  }

  /// Leaves out files as they are.
  mutating func leaveOut(_ stamps: [FolderName: FileStamp]) { taken.merge(stamps) { $1 } }

  /// A file was handed out.
  mutating func note(_ name: FolderName, _ stamp: FileStamp) {
    taken[name] = stamp
    unsettled[name] = nil
  }

  /// A file is gone: what comes under its name is new, whatever it looks like.
  mutating func forget(_ name: FolderName) {
    taken[name] = nil
    unsettled[name] = nil
  }
}
