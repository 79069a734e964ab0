import Foundation
import NearestNeighbors

/// What a writer has open, and what it knows of the entries.
final class WriterCore {
  private let folder: IndexFolder
  private var generation: IndexGeneration
  private var rowOfID: [UUID: Int] = [:]
  /// How the table of ids gets back to the last commit: what each id had before, newest last.
  private var undo: [(id: UUID, row: Int?)] = []
  /// Whether a commit failed after its record may have been written.
  private(set) var isBroken = false

  /// Makes an index in a folder that is made, or is empty.
  init(creating path: String, layout: VectorLayout) throws(SimilarityIndexError) {
    let isNew = mkdir(path, 0o700) == 0
    if !isNew {
      guard errno == EEXIST else { throw .writing(path, errno) }
      // A folder in which an index was begun, and no more, is as good as an empty one.
      guard let names = try? IndexFolder.names(in: path), names.allSatisfy(IndexFormat.isOurs)
      else { throw .exists(path: path) }
    }
    let folder = try IndexFolder(locking: path)
    guard access("\(path)/\(IndexFormat.entriesName)", F_OK) != 0 else {
      throw .exists(path: path)
    }
    do throws(SimilarityIndexError) {
      generation = try Self.firstGeneration(layout, in: folder)
    } catch {
      unlink("\(path)/\(IndexFormat.entriesName)")
      folder.removeFiles(but: 0)
      if isNew {
        unlink("\(path)/\(IndexFormat.lockName)")
        rmdir(path)
      }
      throw error
    }
    self.folder = folder
  }

  private static func firstGeneration(
    _ layout: VectorLayout, in folder: borrowing IndexFolder
  ) throws(SimilarityIndexError) -> IndexGeneration {
    var system = SystemRandomNumberGenerator()
    var generation = try IndexGeneration(
      creatingIn: folder.path,
      header: IndexHeader(layout: layout, generation: 1, salt: system.next()), after: 0)
    var isWritten = false
    try generation.commit(isWritten: &isWritten)
    try generation.activate(in: folder)
    return generation
  }

  /// Opens an index that is there.
  init(opening path: String) throws(SimilarityIndexError) {
    // First read without the lock: it would be made in any folder.
    _ = try IndexFiles(path: path)
    folder = try IndexFolder(locking: path)
    let files = try IndexFiles(path: path)
    generation = try IndexGeneration(opening: files)
    folder.removeFiles(but: files.header.generation)
    rowOfID = try files.rowOfID()
  }

  var header: IndexHeader { generation.header }
  var layout: VectorLayout { generation.header.layout }
  var tally: IndexGeneration.Tally { generation.tally }
  var lastCommit: UInt64 { generation.committed.commit }
  var hasChanges: Bool { generation.tally != generation.committed }

  func contains(_ id: UUID) -> Bool { rowOfID[id] != nil }

  func add(
    id: UUID, row index: Int, of rows: EncodedRows, payload: Data
  ) throws(SimilarityIndexError) {
    try rows.withRow(index) { row throws(SimilarityIndexError) in
      try payload.withBytes { payload throws(SimilarityIndexError) in
        try add(id: id, row: row, payload: payload)
      }
    }
  }

  func add(
    id: UUID, encoded row: [UInt8], payload: [UInt8]
  ) throws(SimilarityIndexError) {
    try row.withBytes { row throws(SimilarityIndexError) in
      try payload.withBytes { payload throws(SimilarityIndexError) in
        try add(id: id, row: row, payload: payload)
      }
    }
  }

  private func add(
    id: UUID, row: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer
  ) throws(SimilarityIndexError) {
    try remove(id: id)
    let place = try generation.add(id: id, row: row, payload: payload)
    undo.append((id, nil))
    rowOfID[id] = place
  }

  @discardableResult
  func remove(id: UUID) throws(SimilarityIndexError) -> Bool {
    guard let row = rowOfID[id] else { return false }
    try generation.remove(id: id, row: row)
    undo.append((id, row))
    rowOfID[id] = nil
    return true
  }

  func commit() throws(SimilarityIndexError) -> UInt64 {
    guard hasChanges else { return tally.commit }
    try generation.commit(isWritten: &isBroken)
    isBroken = false
    undo.removeAll(keepingCapacity: true)
    return tally.commit
  }

  func rollBack() throws(SimilarityIndexError) {
    for (id, row) in undo.reversed() { rowOfID[id] = row }
    undo.removeAll()
    if hasChanges { try generation.rollBack() }
  }

  /// Rewrites the committed index without dead data, replaces it, and continues with the new one.
  func compact() throws(SimilarityIndexError) {
    var rows: [UUID: Int] = [:]
    let next: IndexGeneration
    do throws(SimilarityIndexError) {
      next = try Compaction.copy(try IndexFiles(path: folder.path), rowOfID: &rows)
    } catch {
      folder.removeFiles(but: header.generation)
      throw error
    }
    // From here until the end it is unknown which log is in use.
    isBroken = true
    try next.activate(in: folder)
    generation = next
    rowOfID = rows
    undo.removeAll()
    isBroken = false
    folder.removeFiles(but: header.generation)
  }

  /// Puts a graph in the place of the one that is there, or leaves that.
  func replaceGraph(header: [UInt8], body: [UInt8]) throws(SimilarityIndexError) {
    let number = self.header.generation
    let name = IndexFormat.newGraphName(number)
    do throws(SimilarityIndexError) {
      var file = try IndexOutput(creating: "\(folder.path)/\(name)")
      try file.append(header)
      try file.append(body)
      try file.synchronize()
      try folder.rename(name, to: IndexFormat.graphName(number))
    } catch {
      unlink("\(folder.path)/\(name)")
      throw error
    }
  }
}
