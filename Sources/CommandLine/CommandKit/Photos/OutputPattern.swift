import Foundation

/// The paths of files that are made from several inputs.
///
/// - A path with a ``Placeholder`` in it, such as `{name}`, which each input fills.
/// - A folder that exists, or a path that ends in `/`: the folder gets `NAME.EXTENSION`.
/// - Any other path: that file; there may be one input only.
///
/// Two inputs never share a file, and no input is overwritten: both are usage errors before any
/// work.
package struct OutputPattern: Sendable {
  /// A part of a pattern that depends on the input.
  enum Placeholder: String, CaseIterable, Sendable {
    /// The input's file name without its extension.
    case name
    /// The name of the input's folder.
    case folder
    /// The input's folders as given or found, and its name without the extension.
    case path

    /// Its form in a pattern.
    var text: String { "{\(rawValue)}" }

    /// Its text for an input; it never leads out of its folder.
    fileprivate func value(for input: String) -> String {
      let file = (input as NSString).lastPathComponent
      let bare = (file as NSString).deletingPathExtension
      // As a folder, `..` would lead out of the folder for the files.
      let name = bare == "." || bare == ".." ? file : bare
      switch self {
      case .name: return name
      case .folder:
        let above = URL(fileURLWithPath: input).deletingLastPathComponent().standardizedFileURL
        return above.path == "/" ? "_" : above.lastPathComponent
      case .path:
        let folders = (input as NSString).deletingLastPathComponent.split(separator: "/")
          .filter { $0 != "." }.map { $0 == ".." ? "_" : String($0) }
        return (folders + [name]).joined(separator: "/")
      }
    }

    /// Whether a text contains any placeholder.
    fileprivate static func isIn(_ text: String) -> Bool {
      allCases.contains { text.contains($0.text) }
    }
  }

  /// The file for each input, in the inputs' order.
  package let paths: [String]
  /// The folder of all files, and whether it may be made.
  ///
  /// If one file is named, its folder must exist, or the name is wrong.
  private let base: (folder: String, isMade: Bool)

  /// Computes the files.
  ///
  /// - Parameters:
  ///   - pattern: the typed pattern.
  ///   - option: the option's name, for errors.
  ///   - extensions: the possible endings of a file; the first is for folders.
  ///   - inputs: the paths of the inputs.
  package init(
    _ pattern: String, option: String, extensions: [String], inputs: [String]
  ) throws(UsageError) {
    var pattern = pattern
    let isFolder = pattern.hasSuffix("/") || OutputFolder.exists(pattern)
    if isFolder { pattern += (pattern.hasSuffix("/") ? "" : "/") + "{name}." + extensions[0] }

    let ending = (pattern as NSString).pathExtension.lowercased()
    guard extensions.contains(ending) else {
      let dotted = extensions.map { ".\($0)" }
      let folder = ending.isEmpty ? ", or name a folder, as in '\(pattern)/'" : ""
      throw UsageError(
        "--\(option) is '\(pattern)'; it must end in \(Sentence.either(dotted))\(folder)")
    }
    let isMany = Placeholder.isIn(pattern)
    if inputs.count > 1, !isMany {
      throw UsageError(
        "--\(option) is one file, '\(pattern)', for \(inputs.count) inputs; "
          + "write {name} in it, as in 'out/{name}.\(ending)', or name a folder")
    }
    let folders = (pattern as NSString).deletingLastPathComponent.components(separatedBy: "/")
    let fixed = folders.prefix { !Placeholder.isIn($0) }.joined(separator: "/")
    base = (pattern.hasPrefix("/") && fixed.isEmpty ? "/" : fixed, isMany)
    paths = inputs.map { input in Self.path(pattern, for: input) }
    try check(against: inputs, option: option)
  }

  /// Whether a pattern names a file for each of any number of inputs.
  package static func isForMany(_ pattern: String) -> Bool {
    pattern.hasSuffix("/") || OutputFolder.exists(pattern) || Placeholder.isIn(pattern)
  }

  /// The help text for an option that takes a pattern.
  ///
  /// - Parameter folderFile: the file that a folder gets, such as `NAME.png`.
  package static func help(folderFile: String) -> String {
    "For several photos FILE is a folder, which gets \(folderFile), or holds {name}, {folder} (the "
      + "name of the photo's folder) or {path} (its folders and its name)."
  }

  /// The help text for an option that takes a folder for all photos.
  package static let helpOfFolder =
    "DIR may hold {folder} (the name of the photo's folder) or {path}, so that photos of equal names "
    + "stay apart."

  /// The pattern with its placeholders filled in one pass, because names may look like
  /// placeholders.
  private static func path(_ pattern: String, for input: String) -> String {
    var path = ""
    var rest = pattern[...]
    while let brace = rest.firstIndex(of: "{") {
      path += rest[..<brace]
      rest = rest[brace...]
      if let placeholder = Placeholder.allCases.first(where: { rest.hasPrefix($0.text) }) {
        path += placeholder.value(for: input)
        rest.removeFirst(placeholder.text.count)
      } else {
        path.append(rest.removeFirst())
      }
    }
    return path + rest
  }

  private func check(against inputs: [String], option: String) throws(UsageError) {
    var makers: [FoundPath: String] = [:]
    for (input, path) in zip(inputs, paths) {
      let place = URL(fileURLWithPath: path).standardizedFileURL.path
      if let other = makers.updateValue(input, forKey: FoundPath(place)) {
        throw UsageError(
          FoundPath(other) == FoundPath(input)
            ? "'\(input)' is given more than once, and --\(option) would write '\(path)' for each"
            : "--\(option) would write '\(path)' for both '\(other)' and '\(input)'; "
              + "{path} in its place keeps them apart")
      }
    }
    let present = Set(inputs.compactMap(Self.identity))
    for path in paths {
      if let identity = Self.identity(path), present.contains(identity) {
        throw UsageError("--\(option) would overwrite the input '\(path)'")
      }
    }
  }

  /// Makes the folders of the files.
  ///
  /// - Throws: ``CommandError`` if a folder cannot be made, or should exist and does not.
  package func makeFolders() throws(CommandError) {
    if !base.folder.isEmpty, !OutputFolder.exists(base.folder) {
      guard base.isMade else {
        throw CommandError(.inputOutput, at: base.folder, "there is no such folder to write to")
      }
      try OutputFolder.make(base.folder)
    }
    for folder in Set(paths.map { ($0 as NSString).deletingLastPathComponent })
    where !folder.isEmpty && folder != base.folder {
      try OutputFolder.make(folder, isBelow: true)
    }
  }

  /// The identity of a path's file, equal for all links to it; nil if there is no file.
  private static func identity(_ path: String) -> [UInt64]? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return [UInt64(status.st_dev), UInt64(status.st_ino)]
  }
}

/// Folders for results.
package enum OutputFolder {
  /// Whether a folder exists at `path`.
  package static func exists(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// Makes the folder at `path` if it does not exist.
  ///
  /// The folder above it must exist: a path with a typing error would otherwise make unwanted
  /// folders.
  ///
  /// - Parameter isBelow: whether it is below a correct folder, so that all folders in between may
  ///   be made.
  /// - Throws: ``CommandError`` with ``ExitCode/inputOutput``.
  package static func make(_ path: String, isBelow: Bool = false) throws(CommandError) {
    guard !exists(path) else { return }
    let above = URL(fileURLWithPath: path).deletingLastPathComponent().path
    if !isBelow, !FileManager.default.fileExists(atPath: above) {
      throw CommandError(
        .inputOutput, at: path, "the folder cannot be made: there is no folder '\(above)'")
    }
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: isBelow)
    } catch {
      throw CommandError(.inputOutput, at: path, "the folder cannot be made")
    }
  }
}

/// Untrusted names as names of files.
package enum SafeFileName {
  /// A distinct file name (without extension) for each name, which stays in its folder.
  ///
  /// ASCII letters, digits, `.`, `-` and `_` stay, and all other characters become `_`. A leading
  /// dot becomes `_` too, so that no name is hidden or leads out of the folder. Names longer than
  /// 120 letters are cut. Names that would then be equal, in any case of letters, get a number.
  package static func unique(for names: [String]) -> [String] {
    var taken: Set<String> = []
    return names.map { name in
      let base = safe(name)
      var candidate = base
      var number = 2
      while !taken.insert(candidate.lowercased()).inserted {
        candidate = "\(base)-\(number)"
        number += 1
      }
      return candidate
    }
  }

  private static func safe(_ name: String) -> String {
    var result = ""
    for scalar in name.unicodeScalars.prefix(120) {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_": result.unicodeScalars.append(scalar)
      case "." where !result.isEmpty: result += "."
      default: result += "_"
      }
    }
    return result.isEmpty ? "_" : result
  }
}
