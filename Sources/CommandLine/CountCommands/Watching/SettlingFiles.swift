import CommandKit

/// The files that did not change between two scans of a folder, each once.
struct SettlingFiles {
  /// The files that were returned, with their stamps at that time.
  private var taken: [FolderName: FileStamp] = [:]
  /// The files that changed since the last scan.
  private var unsettled: [FolderName: FileStamp] = [:]

  /// Whether there are files that the next scan may settle.
  var isWaiting: Bool { !unsettled.isEmpty }

  /// Takes a scan of the folder.
  ///
  /// - Returns: the sorted names of files that did not change since the scan before and were not
  ///   returned in this state; an empty file is not finished.
  mutating func settled(in look: [FolderName: FileStamp]) -> [FolderName] {
    taken = taken.filter { look[$0.key] != nil }
    let changed = look.filter { taken[$0.key] != $0.value && $0.value.size > 0 }
    let settled = changed.filter { unsettled[$0.key] == $0.value }
    taken.merge(settled) { $1 }
    unsettled = changed.filter { settled[$0.key] == nil }
    return settled.keys.sorted { $0.text < $1.text }
  }

  /// Leaves out files in their present state.
  mutating func leaveOut(_ stamps: [FolderName: FileStamp]) { taken.merge(stamps) { $1 } }

  /// Records that a file was returned.
  mutating func note(_ name: FolderName, _ stamp: FileStamp) {
    taken[name] = stamp
    unsettled[name] = nil
  }

  /// Records that a file was removed: the next one of its name is new, whatever its stamp.
  mutating func forget(_ name: FolderName) {
    taken[name] = nil
    unsettled[name] = nil
  }
}
