import Foundation

/// Rewrites an index without dead data.
enum Compaction {
  /// Copies the entries of an index into the files of the next generation.
  ///
  /// The files are committed, but do not yet replace the old ones. Copied data are checked, so a
  /// compacted index is never worse than before.
  ///
  /// - Parameter rowOfID: gets the new row of each entry.
  static func copy(
    _ files: IndexFiles, rowOfID: inout [UUID: Int]
  ) throws(SimilarityIndexError) -> IndexGeneration {
    var system = SystemRandomNumberGenerator()
    var next = try IndexGeneration(
      creatingIn: files.path,
      header: IndexHeader(
        layout: files.header.layout, generation: files.header.generation + 1,
        salt: system.next()),
      after: files.state.commit.number)
    rowOfID.reserveCapacity(files.state.liveCount)
    for row in 0..<files.state.rowCount where files.state.isLive[row] {
      let id = files.id(inRow: row)
      if let fault = files.fault(inRow: row) { throw fault }
      let payload = try files.payload(inRow: row)
      rowOfID[id] = try payload.withBytes { payload throws(SimilarityIndexError) in
        try next.add(id: id, row: files.row(row), payload: payload)
      }
    }
    var isWritten = false
    try next.commit(isWritten: &isWritten)
    return next
  }
}
