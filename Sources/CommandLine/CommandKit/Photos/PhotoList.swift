import Foundation
import ImageFiles

/// The photos of a command line: files, and those in folders, of patterns and in lists.
package struct PhotoList: Sendable {
  /// The path of each photo once, in the order in which they were named; those of a folder by the
  /// bytes of their paths.
  package let paths: [String]
  /// The indices in ``paths`` of texts that are not the file's own name, which has bytes that are
  /// not UTF-8.
  let unreadable: Set<Int>
  /// The image from standard input, whose path is ``standardInputName``; nil if there is none.
  let standardInput: Data?

  /// The name of standard input among photos.
  static let standardInputName = "-"

  /// The endings of photos' names in folders, in any case of letters.
  package static let extensions = ["jpg", "jpeg", "png", "heic", "heif", "webp", "tif", "tiff"]

  /// The same for people.
  package static let dottedExtensions = Sentence.all(extensions.map { ".\($0)" })

  /// Finds the photos.
  ///
  /// - Throws: ``CommandError`` with ``ExitCode/noInput`` if a folder has no photo, a pattern
  ///   matches nothing or a list is empty.
  package init(_ arguments: ParsedArguments, console: Console) throws {
    var found = UniquePaths()
    var image: Data?
    for operand in arguments.operands {
      if operand == Self.standardInputName {
        // It is empty the second time.
        guard !found.hasStandardInput else { continue }
        found.hasStandardInput = true
        let input = try PeekedSource(console.input)
        let isNull = arguments[BatchOptions.null]
        if Self.isFile(input.beginning, isNull: isNull) {
          image = try input.image()
          found.add(FoundPath(operand))
        } else {
          try Self.addList(input, isNull: isNull, to: &found)
        }
        continue
      }
      let matches = try Self.matches(operand)
      for match in matches ?? [FoundPath(operand)] {
        if let photos = try FolderPhotos.photos(
          in: match, isRecursive: arguments[BatchOptions.recursive])
        {
          for photo in photos { found.add(photo) }
        } else {
          found.add(match)
        }
      }
    }
    standardInput = image
    paths = found.paths.map(\.text)
    unreadable = Set(found.paths.indices.filter { !found.paths[$0].isText })
  }

  /// Whether standard input is a file of its own, and not a list of paths.
  ///
  /// A file that is not an image has one error then, as if it had been named.
  private static func isFile(_ beginning: [UInt8], isNull: Bool) -> Bool {
    ImageFile.isImage(beginningWith: beginning) || beginning.starts(with: "%PDF".utf8)
      || !isNull && beginning.contains { $0 < 0x20 && !(9...13).contains($0) }
  }

  /// The files of a pattern that the shell did not expand; nil if the operand is not a pattern.
  private static func matches(_ operand: String) throws -> [FoundPath]? {
    var status = stat()
    guard operand.contains(where: { "*?[".contains($0) }), !operand.utf8.contains(0),
      lstat(operand, &status) != 0
    else { return nil }
    var result = glob_t()
    defer { globfree(&result) }
    // A folder that may not be read would be left out silently.
    switch glob(operand, GLOB_NOSORT, { _, code in code == EACCES ? 1 : 0 }, &result) {
    case 0: break
    case GLOB_NOMATCH:
      throw CommandError(.noInput, at: operand, "no file or folder matches this pattern")
    case GLOB_ABORTED:
      throw CommandError(.noInput, at: operand, "a folder of this pattern may not be read")
    default:
      throw CommandError(.inputOutput, at: operand, "the files of this pattern cannot be listed")
    }
    let matches = (0..<Int(result.gl_pathc)).compactMap { index in
      result.gl_pathv[index].map {
        FoundPath(
          bytes: Array(
            UnsafeBufferPointer(
              start: UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self), count: strlen($0))))
      }
    }
    return matches.sorted()
  }

  /// The greatest number of paths in a list; more are refused, because the input is endless or not
  /// a list.
  private static let longestList = 5_000_000

  /// Adds the paths of a list.
  private static func addList(
    _ input: any InputSource, isNull: Bool, to found: inout UniquePaths
  ) throws {
    var lines = LineReader(input, end: isNull ? 0 : UInt8(ascii: "\n"), limit: 1 << 16)
    var number = 0
    var isEmpty = true
    if !isNull { lines.skipsByteOrderMark = true }
    while let line = try lines.next() {
      number += 1
      switch line {
      case .tooLong:
        throw CommandError(.badData, at: "-", "path \(number) of the list is not a path")
      // An empty line is ignored.
      case .bytes([]): continue
      case .bytes(let bytes):
        isEmpty = false
        found.add(FoundPath(bytes: bytes))
      }
      guard found.paths.count <= longestList else {
        throw CommandError(
          .badData, at: "-", "the list has more than \(longestList) paths; count a part at a time")
      }
    }
    if isEmpty { throw CommandError(.noInput, at: "-", "the list has no path") }
  }
}

/// Paths in their order, each once: repeated ones take no memory.
private struct UniquePaths {
  private(set) var paths: [FoundPath] = []
  private var seen: Set<FoundPath> = []
  /// Whether standard input was read.
  var hasStandardInput = false

  mutating func add(_ path: FoundPath) {
    if seen.insert(path).inserted { paths.append(path) }
  }
}

/// A path in the system's form, which need not be text.
///
/// Two paths are equal if their bytes are. Two strings are equal even if only their appearance is,
/// such as `é` of one letter and `é` of a letter and an accent, and one folder can contain files of
/// both names. So paths and other names that are keys are compared as this type.
package struct FoundPath: Hashable, Comparable, Sendable {
  let bytes: [UInt8]

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  package init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// The path as text.
  ///
  /// If it is not UTF-8, each byte beyond ASCII is written as `\xFF`.
  var text: String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return bytes.reduce(into: "") { text, byte in
      text +=
        byte < 0x80
        ? String(UnicodeScalar(byte)) : "\\x" + String(byte, radix: 16, uppercase: true)
    }
  }

  /// Whether ``text`` is the path itself.
  var isText: Bool { text.utf8.elementsEqual(bytes) }

  package static func < (left: FoundPath, right: FoundPath) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }

  /// Calls `body` with the path in the form of system calls.
  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
      // It contains at least the zero, so it has a base address.
      buffer.baseAddress.map(body) ?? body("")
    }
  }
}

/// The photos in folders.
package enum FolderPhotos {
  /// The paths of the photos in a folder, not in those below it.
  ///
  /// - Throws: ``CommandError`` if the folder cannot be read, has no photo, or has one with a name
  ///   that is not UTF-8.
  package static func paths(in folder: String) throws(CommandError) -> [String] {
    _ = try InputFile.existingFolder(folder)
    let photos = try photos(in: FoundPath(folder), isRecursive: false) ?? []
    if let other = photos.first(where: { !$0.isText }) {
      throw CommandError.foreignName(other.text)
    }
    return photos.map(\.text)
  }

  /// The photos of the folder at a path, sorted; nil if it is not a folder.
  ///
  /// Names that begin with a dot are left out, as in a shell's `*`. Links to photos are followed.
  /// Links to folders are not, because they may form a cycle.
  ///
  /// - Throws: ``CommandError`` if a folder cannot be read, or there is no photo.
  static func photos(in path: FoundPath, isRecursive: Bool) throws(CommandError) -> [FoundPath]? {
    guard !path.bytes.contains(0), kind(of: path, followsLinks: true) == S_IFDIR else { return nil }
    var photos: [FoundPath] = []
    var folders = [path]
    while let folder = folders.popLast() {
      for name in try names(in: folder) where name.first != UInt8(ascii: ".") {
        let slash: [UInt8] = folder.bytes.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
        let child = FoundPath(bytes: folder.bytes + slash + name)
        let kind = try entryKind(of: child, isRecursive: isRecursive)
        if kind == S_IFDIR {
          if isRecursive { folders.append(child) }
        } else if isPhoto(name), Self.kind(of: child, followsLinks: true) != S_IFDIR {
          photos.append(child)
        }
      }
    }
    guard !photos.isEmpty else {
      let dotted = PhotoList.extensions.map { ".\($0)" }
      throw CommandError(
        .noInput, at: path.text,
        "this is a folder without photos: nothing in it ends in \(Sentence.either(dotted))")
    }
    return photos.sorted()
  }

  /// The kind of an entry in a folder; nil if it is unknown and does not matter.
  ///
  /// It matters if subfolders are searched: the entry may be one with photos. Otherwise, an entry
  /// with a photo's name fails as a photo, with its own line.
  private static func entryKind(
    of child: FoundPath, isRecursive: Bool
  ) throws(CommandError) -> mode_t? {
    if let kind = kind(of: child, followsLinks: false) { return kind }
    // It existed a moment ago, and may be gone.
    guard isRecursive, errno != ENOENT else { return nil }
    throw CommandError(
      .noInput, at: child.text, "cannot be looked at: \(String(cString: strerror(errno)))")
  }

  private static func isPhoto(_ name: [UInt8]) -> Bool {
    let text = String(decoding: name, as: UTF8.self).lowercased()
    return PhotoList.extensions.contains { text.hasSuffix(".\($0)") }
  }

  private static func kind(of path: FoundPath, followsLinks: Bool) -> mode_t? {
    var status = stat()
    let result = path.withCString { followsLinks ? stat($0, &status) : lstat($0, &status) }
    return result == 0 ? status.st_mode & S_IFMT : nil
  }

  /// The names in a folder, as bytes, because Foundation leaves out those that are not UTF-8.
  private static func names(in folder: FoundPath) throws(CommandError) -> [[UInt8]] {
    guard let directory = folder.withCString({ opendir($0) }) else {
      throw CommandError(
        .noInput, at: folder.text, "cannot be opened: \(String(cString: strerror(errno)))")
    }
    defer { closedir(directory) }
    var names: [[UInt8]] = []
    while let entry = readdir(directory) {
      // The name is in the entry and ends with a zero; it is copied before the next is read.
      withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        let start = UnsafeRawPointer(pointer).assumingMemoryBound(to: UInt8.self)
        names.append(
          Array(
            UnsafeBufferPointer(
              start: start,
              count: strlen(
                UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self)))))
      }
    }
    return names
  }
}
