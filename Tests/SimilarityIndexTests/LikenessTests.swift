import Foundation
import NearestNeighbors
import SimilarityIndex
import Testing
import VisionProtocols

@Suite("Likeness libraries")
struct LikenessTests {
  /// An embedder whose images are their own embeddings.
  struct Plain: ImageEmbedder {
    var dimension = 3

    func embeddings(of images: [[Float]]) async throws -> EmbeddingMatrix {
      try EmbeddingMatrix(values: images.flatMap { $0 }, dimension: dimension).normalized()
    }
  }

  static let identity = EmbedderIdentity(
    name: "plain.onnx", fingerprint: String(repeating: "ab", count: 32), preprocessing: "clip",
    dimension: 3)

  static func folder() -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("likeness-\(UUID().uuidString)")
  }

  /// Adds three things, along the axes.
  static func fill(_ folder: URL) throws -> [UUID] {
    let library = try LikenessLibrary(openingOrCreating: folder, embedder: identity)
    let writer = try library.writer()
    let ids = (0..<3).map { _ in UUID() }
    let records = [
      LikenessRecord(name: "east", file: "photos/e \"1\".jpg"), LikenessRecord(name: "north"),
      LikenessRecord(),
    ]
    try writer.add(
      ids: ids, values: [2, 0, 0, 0, 3, 0, 0, 0, 1], payloads: records.map(\.payload))
    try writer.commit()
    return ids
  }

  @Test("What was added is found, likest first, with its name and cosine")
  func found() async throws {
    let folder = Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let ids = try Self.fill(folder)
    let library = try LikenessLibrary(folder: folder)
    #expect(library.embedder == Self.identity)
    let reader = try #require(try library.reader())
    let searcher = try IndexLikenessSearcher(reader, embedder: Plain())
    let found = try await searcher.likenesses(of: [3, 4, 0], maximumCount: 2)
    #expect(found.map(\.id) == [ids[1], ids[0]] && found.map(\.name) == ["north", "east"])
    #expect(abs(found[0].cosine - 0.8) < 1e-6 && abs(found[1].cosine - 0.6) < 1e-6)
    let opposite = try await searcher.likenesses(of: [-1, 0, 0], maximumCount: 10)
    #expect(opposite.count == 3 && opposite.allSatisfy { (-1...1).contains($0.cosine) })
    #expect(opposite.last?.cosine == -1)
    #expect(try await searcher.likenesses(of: [0, 0, 5], maximumCount: 1).first?.name == nil)
    // A router asks for at least one.
    #expect(try await searcher.likenesses(of: [1, 0, 0], maximumCount: 0).count == 1)
    await #expect(throws: EmbeddingMatrixError.self) {
      _ = try await searcher.likenesses(of: [0, 0, 0], maximumCount: 1)
    }
    let entries = try library.entries()
    #expect(entries.map(\.id) == ids && entries[0].record.file == "photos/e \"1\".jpg")
  }

  @Test("Another embedder is refused, whatever it is called; the same under another name is not")
  func identity() throws {
    let folder = Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try Self.fill(folder)
    var renamed = Self.identity
    renamed.name = "copy.onnx"
    #expect(
      try LikenessLibrary(openingOrCreating: folder, embedder: renamed).embedder.name
        == "plain.onnx")
    for change in [
      { (identity: inout EmbedderIdentity) in identity.fingerprint = "other" },
      { $0.preprocessing = "imagenet" }, { $0.dimension = 4 },
    ] {
      var other = Self.identity
      change(&other)
      let error = #expect(throws: LikenessLibraryError.self) {
        _ = try LikenessLibrary(openingOrCreating: folder, embedder: other)
      }
      guard case .otherEmbedder(folder.path, _, _)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
    let reader = try #require(try LikenessLibrary(folder: folder).reader())
    #expect(throws: LikenessLibraryError.self) {
      _ = try IndexLikenessSearcher(reader, embedder: Plain(dimension: 4))
    }
    let other = folder.appendingPathComponent("other")
    for metric in [VectorMetric.innerProduct, .squaredEuclidean] {
      try? FileManager.default.removeItem(at: other)
      _ = try SimilarityWriter(creating: other, dimension: 3, metric: metric)
      #expect(throws: LikenessLibraryError.self) {
        _ = try IndexLikenessSearcher(SimilarityReader(folder: other), embedder: Plain())
      }
    }
  }

  @Test("What was stopped while it was made is completed")
  func stopped() throws {
    let folder = Self.folder()
    let files = FileManager.default
    defer { try? files.removeItem(at: folder) }
    // Nothing but the folder and a draft.
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("{".utf8).write(to: folder.appendingPathComponent(".library.json.draft"))
    var library = try LikenessLibrary(openingOrCreating: folder, embedder: Self.identity)
    // The identity and no index, then an empty folder for it.
    #expect(try library.reader() == nil && library.entries().isEmpty)
    try files.createDirectory(at: library.index, withIntermediateDirectories: true)
    library = try LikenessLibrary(folder: folder)
    #expect(try library.reader() == nil)
    #expect(try Self.fill(folder).count == library.entries().count)
    #expect(try files.contentsOfDirectory(atPath: folder.path).count == 3)
  }

  @Test("What is no library, or damaged, is an error that says so")
  func damaged() throws {
    let folder = Self.folder()
    let files = FileManager.default
    defer { try? files.removeItem(at: folder) }
    #expect(throws: LikenessLibraryError.noLibrary(path: folder.path)) {
      _ = try LikenessLibrary(folder: folder)
    }
    try Data("text".utf8).write(to: folder)
    #expect(throws: LikenessLibraryError.self) {
      _ = try LikenessLibrary(openingOrCreating: folder, embedder: Self.identity)
    }
    try files.removeItem(at: folder)
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data().write(to: folder.appendingPathComponent("photo.jpg"))
    #expect(throws: LikenessLibraryError.self) {
      _ = try LikenessLibrary(openingOrCreating: folder, embedder: Self.identity)
    }
    try files.removeItem(at: folder)
    _ = try Self.fill(folder)
    let file = folder.appendingPathComponent("library.json")
    let whole = try Data(contentsOf: file)
    for cut in 0..<(whole.count - 1) {
      try whole.prefix(cut).write(to: file)
      #expect(throws: LikenessLibraryError.self) { _ = try LikenessLibrary(folder: folder) }
    }
    let text = String(decoding: whole, as: UTF8.self)
    for (old, new) in [
      ("\"version\" : 1", "\"version\" : \"1\""), ("\"dimension\" : 3", "\"dimension\" : 0"),
      ("\"dimension\" : 3", "\"dimension\" : 1e99"), ("\"name\"", "\"neim\""),
    ] {
      let changed = text.replacingOccurrences(of: old, with: new)
      #expect(changed != text)
      try Data(changed.utf8).write(to: file)
      #expect(throws: LikenessLibraryError.notALibrary(path: file.path, reason: "it is damaged")) {
        _ = try LikenessLibrary(folder: folder)
      }
    }
    let future = text.replacingOccurrences(of: "\"version\" : 1", with: "\"version\" : 2")
    try Data(future.utf8).write(to: file)
    #expect(throws: LikenessLibraryError.fromTheFuture(path: file.path, version: 2)) {
      _ = try LikenessLibrary(folder: folder)
    }
    try Data(repeating: 0x20, count: 70_000).write(to: file)
    #expect(throws: LikenessLibraryError.self) { _ = try LikenessLibrary(folder: folder) }
    let wide = text.replacingOccurrences(of: "\"dimension\" : 3", with: "\"dimension\" : 5")
    try Data(wide.utf8).write(to: file)
    let library = try LikenessLibrary(folder: folder)
    #expect(throws: LikenessLibraryError.self) { _ = try library.reader() }
    #expect(throws: LikenessLibraryError.self) { _ = try library.writer() }
  }

  @Test("Payloads that are no records have no name")
  func payloads() {
    for bytes in ["", "{", "[]", "{\"name\": 7}", "a name"] {
      #expect(LikenessRecord(payload: Data(bytes.utf8)) == LikenessRecord())
    }
    let record = LikenessRecord(name: "té/\u{0}", file: "a\nb")
    #expect(LikenessRecord(payload: record.payload) == record)
  }

  @Test("Of many that make a library at once all succeed, and it is one embedder's")
  func concurrent() async throws {
    let folder = Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let made = await withTaskGroup(of: Bool.self) { group in
      for index in 0..<16 {
        group.addTask {
          var identity = Self.identity
          identity.name = "copy \(index)"
          return (try? LikenessLibrary(openingOrCreating: folder, embedder: identity)) != nil
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(made == 16)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names == ["library.json"])
  }
}
