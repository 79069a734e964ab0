import Foundation
import ImageFiles
import Raster

/// The files of cut-out objects: `NAME-01.png`, `NAME-02.png` and so on in one folder.
package struct PhotoCrops {
  private let folder: String
  /// The photos' names without their extensions.
  private let names: [String]

  /// Computes the files.
  ///
  /// - Parameters:
  ///   - folder: the typed folder.
  ///   - images: the paths of the photos.
  ///   - overlays: the paths of the overlays.
  /// - Throws: ``UsageError`` if two photos would share files, or a crop would be one of the photos
  ///   or overlays.
  package init(folder: String, images: [String], overlays: [String]) throws(UsageError) {
    self.folder = folder
    names = images.map { (($0 as NSString).lastPathComponent as NSString).deletingPathExtension }
    var makers: [String: String] = [:]
    for (image, name) in zip(images, names) {
      guard let other = makers.updateValue(image, forKey: name) else { continue }
      let path = Self.path(in: folder, name: name, number: 1, of: 1)
      throw UsageError(
        other == image
          ? "'\(image)' is given more than once, and --crops would write '\(path)' for each"
          : "--crops would write '\(path)' for both '\(other)' and '\(image)'")
    }
    let target = Self.place(folder).path
    func isInTheWay(_ path: String) -> Bool {
      let place = Self.place(path)
      guard place.deletingLastPathComponent().path == target, let name = Self.photo(ofCrop: place)
      else { return false }
      return makers[name] != nil
    }
    if let image = images.first(where: isInTheWay) {
      throw UsageError("--crops might overwrite the input '\(image)'; name another folder")
    }
    if let overlay = overlays.first(where: isInTheWay) {
      throw UsageError(
        "--overlay and --crops might both write '\(overlay)'; name another folder")
    }
  }

  /// Makes the folder.
  package func makeFolder() throws(CommandError) {
    try OutputFolder.make(folder)
  }

  /// Writes the crops of the photo at `index`, in order.
  ///
  /// - Parameters:
  ///   - count: the number of objects.
  ///   - crop: the picture of the object at a place; nil for one without a pixel in the photo.
  /// - Throws: `ImageFileError`, and the errors of `crop`.
  package func write(_ count: Int, at index: Int, crop: (Int) throws -> Raster?) throws {
    for place in 0..<count {
      guard let picture = try crop(place) else { continue }
      let path = Self.path(in: folder, name: names[index], number: place + 1, of: count)
      try ImageFile.write(picture, to: URL(fileURLWithPath: path), as: .png())
    }
  }

  private static func path(in folder: String, name: String, number: Int, of count: Int) -> String {
    let digits = String(number)
    let zeros = String(repeating: "0", count: max(2, String(count).count) - digits.count)
    return (folder as NSString).appendingPathComponent("\(name)-\(zeros)\(digits).png")
  }

  /// The target of a path after all links.
  private static func place(_ path: String) -> URL {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL
  }

  /// The name of the photo that a file may be a crop of, by the file's name.
  ///
  /// The number of crops is not known before the work.
  private static func photo(ofCrop file: URL) -> String? {
    let name = file.deletingPathExtension().lastPathComponent
    guard file.pathExtension.lowercased() == "png", let dash = name.lastIndex(of: "-") else {
      return nil
    }
    let digits = name[name.index(after: dash)...]
    let isNumber = digits.count >= 2 && digits.allSatisfy { $0.isASCII && $0.isNumber }
    return isNumber ? String(name[..<dash]) : nil
  }
}
