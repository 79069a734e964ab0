import CommandKit
import Evaluation
import Foundation
import Geometry
import Raster

/// A photo and its truth.
struct TruePhoto: Sendable {
  /// The photo's name in `truth.json`.
  let name: String
  /// Its name in reports: its file name, after that of its folder if there are several.
  let title: String
  /// Its path.
  let path: String
  /// The name of its folder in reports.
  let folder: String
  /// The domain of its objects, such as `blood cells`; nil if the truth does not have one.
  let domain: String?
  /// The number of objects of the main kind.
  let main: Int
  /// The number of all objects.
  let all: Int
  /// The tolerance of the truth.
  let tolerance: Int
  /// The objects of the main kind, if they are known individually.
  let mainObjects: TrueObjects?
  /// All objects, if they are known individually.
  let allObjects: TrueObjects?
  /// The boxes of all objects, if they are known.
  let boxes: TrueBoxes?
  /// The size of the photo when the points were marked.
  let size: (width: Int, height: Int)?

  /// Whether all objects are of one kind.
  var isOneKind: Bool { main == all }

  /// Throws for a photo other than the one with the points.
  func check(_ image: Raster) throws(CommandError) {
    guard let size, size != (image.width, image.height) else { return }
    throw CommandError(
      .badData, at: path,
      "the photo is \(image.width) x \(image.height) pixels, and its points are marked on "
        + "\(size.width) x \(size.height)")
  }
}

/// The true boxes of a photo.
struct TrueBoxes: Sendable {
  /// The boxes of all objects.
  let all: [Box]
  /// Whether each is of the main kind; nil if the truth does not distinguish kinds.
  let isMain: [Bool]?
  /// The least intersection over union of a box and its object.
  let minimumIoU: Double

  /// The boxes of the main kind; nil if they are not known.
  var main: [Box]? { isMain.map { zip(all, $0).filter(\.1).map(\.0) } }
}

/// Folders with photos and their truth.
struct TruthFolder: Sendable {
  /// The photos, folder by folder, by name.
  let photos: [TruePhoto]
  /// The names of the folders in reports, in order.
  let names: [String]

  /// Reads `truth.json` in each folder of `paths`, and the file with points if one is given.
  ///
  /// - Throws: ``CommandError`` if a file does not exist, is not JSON of this kind, or the two
  ///   contradict each other.
  init(_ paths: [String], points pointsPath: String?, minimumIoU: Double) throws(CommandError) {
    var names: [String] = []
    var photos: [TruePhoto] = []
    var truths: [(folder: URL, entries: [String: TruthEntry])] = []
    for path in paths {
      let folder = try InputFile.existingFolder(path)
      let truthPath = folder.appendingPathComponent("truth.json").path
      let entries: [String: TruthEntry] = try TruthFile.decoded(truthPath)
      guard !entries.isEmpty else {
        throw CommandError(.badData, at: truthPath, "names no photo; it must name at least one")
      }
      truths.append((folder, entries))
    }
    let marked: [String: PointsEntry] = try pointsPath.map(TruthFile.decoded) ?? [:]
    for (place, truth) in truths.enumerated() {
      let short = truth.folder.standardizedFileURL.lastPathComponent
      let isShared = truths.count { $0.folder.standardizedFileURL.lastPathComponent == short } > 1
      let folder = isShared ? paths[place] : short
      names.append(folder)
      for (name, entry) in truth.entries.sorted(by: { $0.key < $1.key }) {
        if let fault = entry.fault ?? (name.isEmpty ? "the photo has no name" : nil) {
          let truthPath = truth.folder.appendingPathComponent("truth.json").path
          throw CommandError(.badData, at: truthPath, "\"\(name)\": \(fault)")
        }
        let points = marked[name]
        if let pointsPath, let fault = points?.fault(against: entry) {
          throw CommandError(.badData, at: pointsPath, "\"\(name)\": \(fault)")
        }
        let boxes = entry.trueBoxes(minimumIoU: minimumIoU)
        photos.append(
          TruePhoto(
            name: name, title: paths.count > 1 ? "\(folder)/\(name)" : name,
            path: truth.folder.appendingPathComponent(name).path, folder: folder,
            domain: entry.domain, main: entry.main, all: entry.all,
            tolerance: entry.plusOrMinus ?? 0,
            mainObjects: points?.mainObjects
              ?? boxes?.main.map { .boxes($0, minimumIoU: minimumIoU) },
            allObjects: points?.allObjects
              ?? boxes.map { .boxes($0.all, minimumIoU: minimumIoU) },
            boxes: boxes, size: points.map { ($0.width, $0.height) }))
      }
    }
    self.photos = photos
    self.names = names
  }
}
