import Foundation
import TestSupport
import Testing

@testable import CommandKit
@testable import CountCommands

@Suite("The photos of a folder", .timeLimit(.minutes(15)))
struct FolderFilesTests {
  /// Both ways of getting news, without the patience that a person's copies need.
  static let methods: [FolderFiles.Method] =
    if case .polling = FolderFiles.Method.usual {
      [.polling(every: 0.02)]
    } else {
      [.notices(settling: 0.02), .polling(every: 0.02)]
    }

  /// Writes a file in one step, as whoever renames into place.
  private func put(_ name: String, _ text: String = "photo", in folder: TemporaryFolder) throws {
    let draft = try folder.write(".\(UUID().uuidString)", text: text)
    #expect(rename(draft, folder.path(name)) == 0)
  }

  /// The next so many names.
  private func next(
    _ count: Int, _ iterator: inout FolderFiles.Iterator
  ) async throws -> [String] {
    var names: [String] = []
    while names.count < count, let name = try await iterator.next() { names.append(name.text) }
    return names
  }

  @Test("Those that are there come first, by name, then those to come", arguments: methods)
  func order(method: FolderFiles.Method) async throws {
    let folder = try TemporaryFolder()
    for name in ["c.jpg", "a.PNG", "b.heic"] { try put(name, in: folder) }
    let files = try FolderFiles(in: folder.url.path, by: method)
    var iterator = files.makeAsyncIterator()
    #expect(try await next(3, &iterator) == ["a.PNG", "b.heic", "c.jpg"])
    try put("0.jpg", in: folder)
    #expect(try await next(1, &iterator) == ["0.jpg"])
    try folder.write("1.jpeg", text: "written in place")
    #expect(try await next(1, &iterator) == ["1.jpeg"])
    files.finish()
    #expect(try await iterator.next() == nil)
    #expect(try await iterator.next() == nil)
  }

  @Test("New ones only", arguments: methods)
  func newOnly(method: FolderFiles.Method) async throws {
    let folder = try TemporaryFolder()
    try put("old.jpg", in: folder)
    let files = try FolderFiles(in: folder.url.path, by: method, newOnly: true)
    var iterator = files.makeAsyncIterator()
    try put("new.jpg", in: folder)
    #expect(try await next(1, &iterator) == ["new.jpg"])
    // An old one that is written anew is new.
    try put("old.jpg", "another", in: folder)
    #expect(try await next(1, &iterator) == ["old.jpg"])
  }

  @Test("What is no photo, on its way, empty or a folder is left alone", arguments: methods)
  func others(method: FolderFiles.Method) async throws {
    let folder = try TemporaryFolder()
    let files = try FolderFiles(in: folder.url.path, by: method)
    var iterator = files.makeAsyncIterator()
    for name in [
      ".hidden.jpg", "a.jpg.part", "a.jpg.tmp", "a.jpg.crdownload", "a.txt", "jpg", "a.jpg~",
      ".jpg",
    ] {
      try folder.write(name, text: "photo")
    }
    try folder.write("empty.jpg", text: "")
    for name in ["folder.jpg", "sub"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: false)
    }
    try folder.write("sub/inner.jpg", text: "photo")
    mkfifo(folder.path("pipe.jpg"), 0o600)
    symlink("nowhere", folder.path("dangling.jpg"))
    try put("z.jpg", in: folder)
    #expect(try await next(1, &iterator) == ["z.jpg"])
    // The one with a name for its way gets its own.
    #expect(rename(folder.path("a.jpg.part"), folder.path("a.jpg")) == 0)
    #expect(try await next(1, &iterator) == ["a.jpg"])
  }

  @Test("A file that is written again, or comes back, is handed out again", arguments: methods)
  func again(method: FolderFiles.Method) async throws {
    let folder = try TemporaryFolder()
    let files = try FolderFiles(in: folder.url.path, by: method)
    var iterator = files.makeAsyncIterator()
    for round in 1...5 {
      try Data("round \(round)".utf8).write(to: folder.url.appendingPathComponent("a.jpg"))
      #expect(try await next(1, &iterator) == ["a.jpg"])
    }
    #expect(rename(folder.path("a.jpg"), folder.path("b.jpg")) == 0)
    #expect(try await next(1, &iterator) == ["b.jpg"])
  }

  @Test("What is gone before its turn is passed over", arguments: methods)
  func gone(method: FolderFiles.Method) async throws {
    let folder = try TemporaryFolder()
    for name in ["a.jpg", "b.jpg", "c.jpg"] { try put(name, in: folder) }
    let files = try FolderFiles(in: folder.url.path, by: method)
    var iterator = files.makeAsyncIterator()
    #expect(try await next(1, &iterator) == ["a.jpg"])
    unlink(folder.path("b.jpg"))
    #expect(try await next(1, &iterator) == ["c.jpg"])
  }

  @Test("A folder that is removed, renamed or replaced ends it with an error", arguments: methods)
  func folderGone(method: FolderFiles.Method) async throws {
    for change in 0..<3 {
      let parent = try TemporaryFolder()
      let path = parent.path("in")
      mkdir(path, 0o700)
      let files = try FolderFiles(in: path, by: method)
      var iterator = files.makeAsyncIterator()
      try parent.write("in/a.jpg", text: "photo")
      #expect(try await next(1, &iterator) == ["a.jpg"])
      if change == 0 { try FileManager.default.removeItem(atPath: path) }
      if change > 0 { #expect(rename(path, parent.path("out")) == 0) }
      if change == 2 { mkdir(path, 0o700) }
      let error = await #expect(throws: CommandError.self) { _ = try await iterator.next() }
      #expect(error?.code == .noInput && error?.message.contains("not there any more") == true)
    }
    #expect(throws: CommandError.self) { _ = try FolderFiles(in: "/none", by: method) }
  }

  @Test("Ten thousand files at the start, each once", arguments: methods)
  func many(method: FolderFiles.Method) async throws {
    let folder = try TemporaryFolder()
    let names = (0..<10_000).map { String(format: "%05d.jpg", $0) }
    // Links to one file are made much faster than files.
    let file = try folder.write("file", text: "photo")
    for name in names { #expect(link(file, folder.path(name)) == 0) }
    let files = try FolderFiles(in: folder.url.path, by: method)
    var iterator = files.makeAsyncIterator()
    #expect(try await next(10_000, &iterator) == names)
    try put("last.jpg", in: folder)
    #expect(try await next(1, &iterator) == ["last.jpg"])
  }

  @Test("Several writers at once: every file, once", arguments: methods)
  func writers(method: FolderFiles.Method) async throws {
    let folder = try TemporaryFolder()
    let files = try FolderFiles(in: folder.url.path, by: method)
    var iterator = files.makeAsyncIterator()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for index in 0..<100 { try put("\(writer)-\(index).jpg", in: folder) }
        }
      }
      let names = try await next(400, &iterator)
      #expect(Set(names).count == 400)
      try await group.waitForAll()
    }
  }

  @Test("Names that break lines, and such as are no UTF-8", arguments: methods)
  func names(method: FolderFiles.Method) async throws {
    let folder = try TemporaryFolder()
    let files = try FolderFiles(in: folder.url.path, by: method)
    var iterator = files.makeAsyncIterator()
    for name in ["line\nend.jpg", "\u{1B}[31m.jpg", "ä \"q\" \\.jpg", "😀.jpg"] {
      try put(name, in: folder)
      #expect(try await next(1, &iterator) == [name])
    }
    let bytes =
      Array(folder.url.path.utf8)
      + Array(
        "/\u{FF}.jpg".unicodeScalars.map {
          UInt8(truncatingIfNeeded: $0.value)
        }) + [0]
    let descriptor = bytes.withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { open($0.baseAddress!, O_WRONLY | O_CREAT, 0o600) }
    }
    // Some file systems take no such name.
    guard descriptor >= 0 else { return }
    #expect(write(descriptor, "x", 1) == 1)
    close(descriptor)
    let name = try #require(try await iterator.next())
    #expect(!name.isExact && name.text == "\u{FFFD}.jpg")
  }

  @Test("Finished it hands out nothing more, though there is more", arguments: methods)
  func finished(method: FolderFiles.Method) async throws {
    let folder = try TemporaryFolder()
    for name in ["a.jpg", "b.jpg"] { try put(name, in: folder) }
    let files = try FolderFiles(in: folder.url.path, by: method)
    var iterator = files.makeAsyncIterator()
    #expect(try await next(1, &iterator) == ["a.jpg"])
    files.finish()
    #expect(try await iterator.next() == nil)
  }

  @Test("A cancelled loop ends with an error, whether it waits or not", arguments: methods)
  func cancelled(method: FolderFiles.Method) async throws {
    let folder = try TemporaryFolder()
    let files = try FolderFiles(in: folder.url.path, by: method)
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      start.finish()
      for try await _ in files {}
    }
    for await _ in started {}
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("Files settle one by one, and only while they stand still")
  func settling() throws {
    let folder = try TemporaryFolder()
    var settling = SettlingFiles()
    func look() throws -> [FolderName: FileStamp] {
      try #require(FolderLook(at: folder.url.path)).stamps
    }
    func grow(_ name: String) throws {
      let handle = try FileHandle(forWritingTo: folder.url.appendingPathComponent(name))
      try handle.seekToEnd()
      try handle.write(contentsOf: Data("more".utf8))
      try handle.close()
    }
    try folder.write("slow.jpg", text: "beginning")
    try folder.write("whole.jpg", text: "photo")
    #expect(try settling.settled(in: look()).isEmpty && settling.isWaiting)
    try grow("slow.jpg")
    #expect(try settling.settled(in: look()).map(\.text) == ["whole.jpg"])
    for _ in 0..<5 {
      try grow("slow.jpg")
      #expect(try settling.settled(in: look()).isEmpty && settling.isWaiting)
    }
    #expect(try settling.settled(in: look()).map(\.text) == ["slow.jpg"])
    #expect(try settling.settled(in: look()).isEmpty && !settling.isWaiting)
    // An empty file is waited for without looking.
    try folder.write("empty.jpg", text: "")
    #expect(try settling.settled(in: look()).isEmpty && !settling.isWaiting)
    // What is gone is forgotten: under its name comes something new.
    let stamps = try look()
    #expect(settling.settled(in: [:]).isEmpty)
    #expect(settling.settled(in: stamps).isEmpty)
    #expect(settling.settled(in: stamps).map(\.text) == ["slow.jpg", "whole.jpg"])
  }

  #if canImport(Glibc)
    @Test("A file that is being written is not taken before it is closed")
    func slowWriter() async throws {
      let folder = try TemporaryFolder()
      let files = try FolderFiles(
        in: folder.url.path, by: .notices(settling: 0.02), newOnly: true)
      var iterator = files.makeAsyncIterator()
      let descriptor = open(folder.path("slow.jpg"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      try handle.write(contentsOf: Data("half of ".utf8))
      // What comes later is whole earlier.
      try put("quick.jpg", in: folder)
      #expect(try await next(1, &iterator) == ["quick.jpg"])
      try handle.write(contentsOf: Data("it".utf8))
      try handle.close()
      #expect(try await next(1, &iterator) == ["slow.jpg"])
    }

    @Test("Links come as files do, and their files' ways do not matter")
    func links() async throws {
      let folder = try TemporaryFolder()
      let other = try TemporaryFolder()
      let real = try other.write("real", text: "photo")
      let files = try FolderFiles(
        in: folder.url.path, by: .notices(settling: 0.02), newOnly: true)
      var iterator = files.makeAsyncIterator()
      #expect(symlink(real, folder.path("soft.jpg")) == 0)
      #expect(try await next(1, &iterator) == ["soft.jpg"])
      #expect(link(real, folder.path("hard.jpg")) == 0)
      #expect(try await next(1, &iterator) == ["hard.jpg"])
    }

    @Test("After more happened than the system keeps in mind the folder is looked at")
    func overflow() async throws {
      let folder = try TemporaryFolder()
      try put("a.jpg", in: folder)
      let files = try FolderFiles(
        in: folder.url.path, by: .notices(settling: 0.02), newOnly: true)
      var iterator = files.makeAsyncIterator()
      // A change of which nothing is told, as none is closed.
      #expect(truncate(folder.path("a.jpg"), 3) == 0)
      files.take([.overflow])
      #expect(try await next(1, &iterator) == ["a.jpg"])
    }

    @Test("The system's bytes, whole, cut at every byte, and of nothing")
    func parsing() {
      func event(_ mask: Int32, _ name: String) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 16)
        let padded = Array(name.utf8) + [UInt8](repeating: 0, count: name.isEmpty ? 0 : 3)
        for (place, value) in [(4, UInt32(bitPattern: mask)), (12, UInt32(padded.count))] {
          withUnsafeBytes(of: value) { bytes.replaceSubrange(place..<place + 4, with: $0) }
        }
        return bytes + padded
      }
      let name = "a.jpg".withCString { FolderName($0) }
      let bytes =
        event(IN_CLOSE_WRITE, "a.jpg") + event(IN_DELETE, "a.jpg") + event(IN_Q_OVERFLOW, "")
        + event(IN_CREATE, "none.jpg") + event(IN_MOVED_TO | IN_ISDIR, "d.jpg")
        + event(IN_MOVED_TO, "a.jpg") + event(IN_DELETE_SELF, "")
      let all: [FolderNotice] = [
        .whole(name), .gone(name), .overflow, .whole(name), .folderGone,
      ]
      for count in 0...bytes.count {
        let found = bytes[..<count].withUnsafeBytes { FolderNotices.parse($0, "/none") }
        #expect(all.starts(with: found))
        if count == bytes.count { #expect(found == all) }
      }
      #expect([UInt8]().withUnsafeBytes { FolderNotices.parse($0, "/") }.isEmpty)
    }
  #endif
}
