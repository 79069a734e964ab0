import Foundation
import ImageFiles

/// The photos that a command line means: files, those of folders, those a pattern matches, those of
/// a list.
package struct PhotoList: Sendable {
  /// A photo's path, each once, in the order they were named; those of a folder by the bytes of
  /// their paths.
  package let paths: [String]
  /// The places in ``paths`` of what is not the file's own name, which has bytes that are not
  /// UTF-8.
  let unreadable: Set<Int>
  /// The image that came on standard input, whose path is ``standardInputName``; nil if none did.
  let standardInput: Data?

  /// How standard input is named among photos.
  static let standardInputName = "-"

  /// What names of photos in folders end in, in any case of letters.
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
        // Nothing more comes from it the second time.
        guard !found.hasStandardInput else { continue }
        found.hasStandardInput = true
        let input = try PeekedSource(console.input)
        if ImageFile.isImage(beginningWith: input.beginning) {
          image = try input.image()
          found.add(FoundPath(operand))
        } else {
          try Self.addList(input, isNull: arguments[BatchOptions.null], to: &found)
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

  /// The files a pattern matches that the shell did not expand; nil if the operand is none.
  private static func matches(_ operand: String) throws -> [FoundPath]? {
    var status = stat()
    guard operand.contains(where: { "*?[".contains($0) }), !operand.utf8.contains(0),
      lstat(operand, &status) != 0
    else { return nil }
    var result = glob_t()
    defer { globfree(&result) }
    switch glob(operand, GLOB_NOSORT, nil, &result) {
    case 0: break
    case GLOB_NOMATCH:
      throw CommandError(.noInput, at: operand, "no file or folder matches this pattern")
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

  /// A list of more paths is refused: it is endless, or not a list.
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
      // An empty line names nothing.
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

/// Paths in the order in which they came, each once: repeated ones take no memory.
private struct UniquePaths {
  private(set) var paths: [FoundPath] = []
  private var seen: Set<FoundPath> = []
  /// Whether standard input was read.
  var hasStandardInput = false

  mutating func add(_ path: FoundPath) {
    if seen.insert(path).inserted { paths.append(path) }
  }
}

/// A path as the system has it, which need not be text.
///
/// Two paths are one if their bytes are. Two strings are equal as soon as they look the same, as
/// `é` of one letter and `é` of a letter and an accent do, and files of both names can lie in one
/// folder. So paths and other names that are keys are compared as this type.
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

  /// Calls `body` with the path as the system's calls take it.
  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
      // It has at least the zero, and so a base.
      buffer.baseAddress.map(body) ?? body("")
    }
  }
}

/// The photos in folders.
enum FolderPhotos {
  /// The photos of the folder at a path, sorted; nil if it is not a folder.
  ///
  /// Names that begin with a dot are left out, as a shell's `*` leaves them out. Links to photos
  /// are followed, links to folders are not: they may lead in a circle.
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

  /// What an entry of a folder is; nil if that cannot be found out and does not matter.
  ///
  /// It matters if folders are looked into: the entry may be one with photos. Without them, an
  /// entry that is called like a photo fails as a photo, with a line of its own.
  private static func entryKind(
    of child: FoundPath, isRecursive: Bool
  ) throws(CommandError) -> mode_t? {
    if let kind = kind(of: child, followsLinks: false) { return kind }
    // It was there a moment ago, and may have gone.
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

  /// The names in a folder, as bytes: Foundation leaves out those that are not UTF-8.
  private static func names(in folder: FoundPath) throws(CommandError) -> [[UInt8]] {
    guard let directory = folder.withCString({ opendir($0) }) else {
      throw CommandError(
        .noInput, at: folder.text, "cannot be opened: \(String(cString: strerror(errno)))")
    }
    defer { closedir(directory) }
    var names: [[UInt8]] = []
    while let entry = readdir(directory) {
      // The name lies in the entry and ends with a zero; it is copied before the next is read.
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
