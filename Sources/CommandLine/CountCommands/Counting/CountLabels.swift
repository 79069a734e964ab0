import Annotations
import CommandKit
import CountReport
import Counting
import Foundation
import ImageFiles
import LinearAlgebra
import VisionProtocols

/// The labels of `tally count --labels`: a file per photo, one for all, or a folder for training.
actor CountLabels {
  /// The place of the labels.
  private enum Place {
    case each(OutputPattern, AnnotationSet.Format)
    case merged(String, AnnotationSet.Format)
    /// `labels/NAME.txt`, `images/NAME.*` and `data.yaml` in a folder.
    case yoloFolder(String, labels: OutputPattern)
  }

  /// The labels of a photo before all classes are known.
  private struct Draft {
    let count: CorrectedCount
    let image: String
    let looks: [KindLook]
  }

  /// Whether kinds have their own classes, which needs their embeddings.
  nonisolated let hasKinds: Bool
  private nonisolated let place: Place
  private var drafts: [Int: Draft] = [:]

  /// Computes the requested files and their places; nil if there are none.
  ///
  /// - Parameter images: the paths of the photos.
  /// - Throws: ``UsageError`` if two photos would share a file, or options contradict each other.
  init?(_ arguments: ParsedArguments, images: [String]) throws(UsageError) {
    guard let pattern = arguments[CountOptions.labels] else {
      for option in CountOptions.ofLabels where arguments.has(option) {
        throw UsageError("--\(option.name) is about --labels, and that is not given")
      }
      return nil
    }
    let named = AnnotationSet.Format(ending: (pattern as NSString).pathExtension)
    let chosen = arguments[CountOptions.labelFormat]
    // YOLO's labels of a set are a folder, so a name without an ending is that folder.
    let isFolder =
      pattern.hasSuffix("/") || OutputFolder.exists(pattern)
      || chosen == .yolo && named == nil && !OutputPattern.isForMany(pattern)
    if let chosen, let named, !isFolder, chosen != named {
      throw UsageError("--labels is '\(pattern)', and --label-format says another form")
    }
    let format = chosen ?? (isFolder ? nil : named) ?? .coco
    if isFolder, chosen == .yolo {
      let folder = pattern.hasSuffix("/") ? String(pattern.dropLast()) : pattern
      place = .yoloFolder(
        folder,
        labels: try OutputPattern(
          folder + "/labels/{name}.txt", option: CountOptions.labels.name, extensions: ["txt"],
          inputs: images))
    } else if images.count > 1, named != nil, !OutputPattern.isForMany(pattern) {
      guard format != .yolo else {
        throw UsageError(
          "--labels is '\(pattern)' for \(images.count) photos, and YOLO has a file for each; name a "
            + "folder, with --label-format yolo")
      }
      place = .merged(pattern, format)
    } else {
      let others = AnnotationSet.Format.allCases.filter { $0 != format }
      let endings = [format.ending] + others.map(\.ending)
      place = .each(
        try OutputPattern(
          pattern, option: CountOptions.labels.name, extensions: endings, inputs: images), format)
    }
    hasKinds = arguments[CountOptions.labelKinds]
    if case .merged = place, arguments.has(BatchOptions.results) {
      throw UsageError(
        "--labels has the photos of one run, and --results leaves out those of runs before; give "
          + "one of them, or name a folder for --labels")
    }
  }

  /// The files that are known before the work, for checking that they differ.
  nonisolated var paths: [String] {
    switch place {
    case .each(let pattern, _), .yoloFolder(_, let pattern): pattern.paths
    case .merged(let path, _): [path]
    }
  }

  /// Makes the folders of the files.
  nonisolated func makeFolders() throws(CommandError) {
    switch place {
    case .each(let pattern, _): try pattern.makeFolders()
    case .merged: break
    case .yoloFolder(let folder, _):
      try OutputFolder.make(folder)
      for name in ["images", "labels"] { try OutputFolder.make("\(folder)/\(name)") }
    }
  }

  /// Takes the labels of a photo, and writes them if nothing else has to be known.
  ///
  /// - Returns: the written file; nil if ``finish()`` writes it.
  func add(
    _ count: CorrectedCount, trace: CountTrace?, of photo: LoadedPhoto
  ) throws -> String? {
    let name = (photo.path as NSString).lastPathComponent
    if case .each(let pattern, let format) = place, !hasKinds {
      let path = pattern.paths[photo.place]
      try OutputFile.write(AnnotationSet(count, image: name).write(as: format), to: path)
      return path
    }
    var image = name
    switch place {
    case .each: break
    // Names in several folders may be equal.
    case .merged: image = photo.path
    case .yoloFolder(let folder, let labels):
      image = try Self.put(photo, as: labels.paths[photo.place], in: folder)
    }
    drafts[photo.place] = Draft(
      count: count, image: image, looks: hasKinds ? KindLook.of(trace) : [])
    return nil
  }

  /// Copies a photo to its place for YOLO, and returns its name.
  private static func put(
    _ photo: LoadedPhoto, as label: String, in folder: String
  ) throws -> String {
    let name = ((label as NSString).lastPathComponent as NSString).deletingPathExtension
    let ending = (photo.path as NSString).pathExtension.lowercased()
    let isKept = ["jpg", "jpeg", "png"].contains(ending)
    let file = "\(name).\(isKept ? ending : "jpg")"
    let target = URL(fileURLWithPath: "\(folder)/images/\(file)")
    if isKept {
      try OutputFile.write(Data(contentsOf: URL(fileURLWithPath: photo.path)), to: target.path)
    } else {
      try ImageFile.write(photo.image, to: target, as: .jpeg(quality: 95, halvesColor: false))
    }
    return file
  }

  /// Writes the files that need all photos, and returns the file about all of them.
  ///
  /// - Parameter leastDistance: the least distance (1 - cosine) between kinds.
  func finish(leastDistance: Double) throws -> String? {
    let places = drafts.keys.sorted()
    guard !places.isEmpty else { return nil }
    let all = places.compactMap { drafts[$0] }
    let classes =
      hasKinds
      ? KindClasses(all.map(\.looks), leastDistance: leastDistance)
      : KindClasses(unnamed: all.count)
    let files = zip(all, classes.places).map { draft, places in
      AnnotationSet(draft.count, image: draft.image, categories: classes.names, ofKind: places)
    }
    let set = AnnotationSet(files.flatMap(\.photos), categories: classes.names)
    switch place {
    case .each(let pattern, let format):
      for (file, place) in zip(files, places) {
        try OutputFile.write(file.write(as: format), to: pattern.paths[place])
      }
      return nil
    case .merged(let path, let format):
      try OutputFile.write(set.write(as: format), to: path)
      return path
    case .yoloFolder(let folder, let labels):
      for (file, place) in zip(files, places) {
        try OutputFile.write(file.write(as: .yolo), to: labels.paths[place])
      }
      try OutputFile.write(Data(set.yoloDescription.utf8), to: "\(folder)/data.yaml")
      return "\(folder)/data.yaml"
    }
  }
}

extension AnnotationSet.Format {
  /// The ending of its files' names.
  var ending: String {
    switch self {
    case .coco: "json"
    case .yolo: "txt"
    case .csv: "csv"
    }
  }

  /// The form of files with this ending; nil if there is none.
  init?(ending: String) {
    guard let form = Self.allCases.first(where: { $0.ending == ending.lowercased() }) else {
      return nil
    }
    self = form
  }
}

/// The appearance of a kind in a photo: the direction of the mean of its embeddings.
struct KindLook: Sendable {
  /// The kind's label in the photo's clusters.
  let label: Int
  let size: Int
  /// A vector of length 1, or all zeros.
  let direction: [Float]

  /// The kinds of a count; none if the count needed no embedding.
  static func of(_ trace: CountTrace?) -> [KindLook] {
    guard let trace, let rows = trace.embeddings, rows.count == trace.embedded.count else {
      return []
    }
    var sums: [Int: (size: Int, values: [Float])] = [:]
    for (row, object) in trace.embedded.enumerated() {
      var sum = sums[object.cluster] ?? (0, Array(repeating: 0, count: rows.dimension))
      sum.size += 1
      for (place, value) in rows[row: row].enumerated() { sum.values[place] += value }
      sums[object.cluster] = sum
    }
    return sums.sorted { $0.key < $1.key }.map { label, sum in
      let length = sum.values.reduce(0) { $0 + $1 * $1 }.squareRoot()
      let isDirected = length > 0 && length.isFinite
      return KindLook(
        label: label, size: sum.size, direction: sum.values.map { isDirected ? $0 / length : 0 })
    }
  }
}

/// Classes for the kinds of several photos: similar kinds are one class in all of them.
///
/// The kinds are processed from the largest down. Each joins the class whose first kind is nearest
/// by the cosine. It joins only if the distance is below the least distance of kinds in one photo,
/// and if the photo has no other kind in that class; else it begins a class. So two kinds of one
/// photo are never one class.
///
/// - Complexity: O(*n* *c*) for *n* kinds and *c* classes.
struct KindClasses: Sendable {
  /// The classes' names: `kind 1` has the most objects in all photos.
  let names: [String]
  /// For each photo, the class of each kind, by its label.
  let places: [[Int: Int]]

  /// One class for only the main kinds.
  init(unnamed count: Int) {
    names = ["object"]
    places = Array(repeating: [:], count: count)
  }

  /// The classes of photos' kinds.
  init(_ photos: [[KindLook]], leastDistance: Double) {
    let kinds = photos.enumerated().flatMap { photo, looks in
      looks.map { (photo: photo, look: $0) }
    }.sorted { ($1.look.size, $0.photo, $0.look.label) < ($0.look.size, $1.photo, $1.look.label) }
    var classes: [(direction: [Float], size: Int, photos: Set<Int>)] = []
    var members: [(photo: Int, label: Int, place: Int)] = []
    for (photo, look) in kinds {
      let distances = classes.map { item in
        1 - Double(zip(item.direction, look.direction).reduce(0) { $0 + $1.0 * $1.1 })
      }
      let near = classes.indices.filter {
        distances[$0] < leastDistance && !classes[$0].photos.contains(photo)
      }.min { (distances[$0], $0) < (distances[$1], $1) }
      let place = near ?? classes.count
      if near == nil { classes.append((look.direction, 0, [])) }
      classes[place].size += look.size
      classes[place].photos.insert(photo)
      members.append((photo, look.label, place))
    }
    let order = classes.indices.sorted { (classes[$1].size, $0) < (classes[$0].size, $1) }
    let ranks = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    names = classes.isEmpty ? ["object"] : classes.indices.map { "kind \($0 + 1)" }
    var places = [[Int: Int]](repeating: [:], count: photos.count)
    for member in members {
      places[member.photo][member.label] = ranks[member.place] ?? 0
    }
    self.places = places
  }
}
