import CommandKit
import Foundation
import ONNXRunner
import ReferenceModels

/// Spine detection in commands: with the bundled network, or by edges alone.
enum SpineFinding {
  static let edgesOnly = Flag(
    "edges-only",
    help:
      "Find spines by their edges, without the network. This is faster, but more spines are missed "
      + "or wrong.")

  /// The detector of spines, on the threads that the command line allows.
  static func detector(_ arguments: ParsedArguments) throws -> SpineOutlineDetector {
    if arguments[edgesOnly] { return SpineOutlineDetector() }
    let options = SessionOptions(threads: arguments[StandardOptions.threads])
    do {
      return SpineOutlineDetector(model: try BundledModels.spineSegmenter(options: options))
    } catch {
      throw Failure.of(error)
    }
  }

  /// How many pixels of a photo it takes to find spines as well as with all of them.
  static let leastPixels = 2 * SpineSegmentationModel.defaultWorkingPixels

  /// The files that answers depend on.
  static func modelFiles(_ arguments: ParsedArguments) throws -> [(name: String, file: URL)] {
    arguments[edgesOnly] ? [] : [("spines", try BundledModels.spineSegmenterFile())]
  }
}
