import Foundation

/// Where the file made for each of several inputs goes.
///
/// - A path with `{name}` in it: `{name}` becomes the input's file name without its extension (the
///   whole file name if `.` or `..` would be left).
/// - A folder that exists, or a path that ends in `/`: the folder gets `NAME.EXTENSION`.
/// - Any other path: that file, and then there may be one input only.
///
/// Two inputs never share a file, and no input is overwritten: both are usage errors before any work.
struct OutputPattern: Sendable {
  /// The file for each input, in the inputs' order.
  let paths: [String]
  /// The folder that all files go to or below, and whether it may be made: if one file is named, its folder
  /// is there already, or the name is wrong.
  private let base: (folder: String, isMade: Bool)

  /// Works out the files.
  ///
  /// - Parameters:
  ///   - pattern: what was typed.
  ///   - option: the option's name, for errors.
  ///   - extensions: what a file may end in, the one for folders first.
  ///   - inputs: the paths of the inputs.
  init(
    _ pattern: String, option: String, extensions: [String], inputs: [String]
  ) throws(UsageError) {
    var pattern = pattern
    let isFolder = pattern.hasSuffix("/") || OutputFolder.exists(pattern)
    if isFolder { pattern += (pattern.hasSuffix("/") ? "" : "/") + "{name}." + extensions[0] }

    let ending = (pattern as NSString).pathExtension.lowercased()
    guard extensions.contains(ending) else {
      let dotted = extensions.map { ".\($0)" }
      throw UsageError("--\(option) is '\(pattern)'; it must end in \(Sentence.either(dotted))")
    }
    if inputs.count > 1, !pattern.contains("{name}") {
      throw UsageError(
        "--\(option) is one file, '\(pattern)', for \(inputs.count) inputs; "
          + "write {name} in it, as in 'out/{name}.\(ending)', or name a folder")
    }
    let folders = (pattern as NSString).deletingLastPathComponent.components(separatedBy: "/")
    let fixed = folders.prefix { !$0.contains("{name}") }.joined(separator: "/")
    base = (pattern.hasPrefix("/") && fixed.isEmpty ? "/" : fixed, pattern.contains("{name}"))
    paths = inputs.map { input in
      let file = (input as NSString).lastPathComponent
      let name = (file as NSString).deletingPathExtension
      // As a folder `..` would lead out of where files are to go.
      let isFolder = name == "." || name == ".."
      return pattern.replacingOccurrences(of: "{name}", with: isFolder ? file : name)
    }
    try check(against: inputs, option: option)
  }

  private func check(against inputs: [String], option: String) throws(UsageError) {
    var makers: [FoundPath: String] = [:]
    for (input, path) in zip(inputs, paths) {
      let place = URL(fileURLWithPath: path).standardizedFileURL.path
      if let other = makers.updateValue(input, forKey: FoundPath(place)) {
        throw UsageError(
          FoundPath(other) == FoundPath(input)
            ? "'\(input)' is given more than once, and --\(option) would write '\(path)' for each"
            : "--\(option) would write '\(path)' for both '\(other)' and '\(input)'")
      }
    }
    let present = Set(inputs.compactMap(Self.identity))
    for path in paths {
      if let identity = Self.identity(path), present.contains(identity) {
        throw UsageError("--\(option) would overwrite the input '\(path)'")
      }
    }
  }

  /// Makes the folders that the files go to.
  ///
  /// - Throws: ``CommandError`` if a folder cannot be made, or should be there and is not.
  func makeFolders() throws(CommandError) {
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

  /// What is the same for two paths to the same file, through whatever links; nil where there is none.
  private static func identity(_ path: String) -> [UInt64]? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return [UInt64(status.st_dev), UInt64(status.st_ino)]
  }
}

/// Folders for results.
enum OutputFolder {
  /// Whether there is a folder at `path`.
  static func exists(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// Makes the folder at `path` if it does not exist.
  ///
  /// The folder above it must exist: a path with a wrong letter in it would make folders that nobody finds.
  ///
  /// - Parameter isBelow: whether it lies below a folder that is right, so that all between may be made.
  /// - Throws: ``CommandError`` with ``ExitCode/inputOutput``.
  static func make(_ path: String, isBelow: Bool = false) throws(CommandError) {
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

/// Names from elsewhere as names of files.
enum SafeFileName {
  /// For each name, a file name (without extension) that stays in its folder, no two alike.
  ///
  /// ASCII letters, digits, `.`, `-` and `_` stay, all else becomes `_`; a leading dot becomes `_` too,
  /// so that no name is hidden or climbs out; what is longer than 120 letters is cut. Names that
  /// would then be alike, in any case of letters, get a number.
  static func unique(for names: [String]) -> [String] {
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
