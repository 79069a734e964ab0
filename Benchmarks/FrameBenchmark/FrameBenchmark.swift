import BenchmarkSupport
import Dispatch
import Foundation
import FrameAnalysis
import Geometry
import ImageFiles
import Raster
import RectangleDetection
import ReferenceModels
import SpineDetection

/// What a frame costs: rectangles, spines, and the whole analysis without models.
///
/// The counterpart of `frames.py opencv`:
///
///     FrameBenchmark FRAME... [--runs N]
///
/// Prints one JSON line a frame: the median milliseconds of each, on one thread, and what was found.
///
///     FrameBenchmark --pan SCENE --models FOLDER [--seconds N] [--frame-rate N] [--whole-frames]
///
/// See `PanBenchmark`.
@main
struct FrameBenchmark {
  private struct Report: Encodable {
    let frame: String
    /// Milliseconds.
    var rectangles = 0.0
    var spines = 0.0
    var analysis = 0.0
    var foundRectangles: [[[Double]]] = []
    var foundSpines: [[[Double]]] = []
  }

  /// The median of the times of runs, in milliseconds.
  private static func median(
    ofRuns runs: Int, _ work: () async throws -> Void
  ) async rethrows -> Double {
    var times: [Double] = []
    for _ in 0..<runs {
      let start = DispatchTime.now().uptimeNanoseconds
      try await work()
      times.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6)
    }
    return BenchmarkSupport.median(of: times)
  }

  private static func corners(_ quad: Quadrilateral) -> [[Double]] {
    quad.corners.map { [$0.x, $0.y] }
  }

  private static func report(on path: String, runs: Int) async throws -> Report {
    let image = try ImageFile.load(contentsOf: URL(fileURLWithPath: path))
    var report = Report(frame: (path as NSString).lastPathComponent)
    // As many as there are: what is found is held against every spine of the frame.
    var configuration = RectangleConfiguration()
    configuration.maximumObservations = 30
    let rectangles = RectangleDetector(configuration: configuration)
    report.foundRectangles = try rectangles.rectangles(in: image).map { corners($0.quad) }
    report.rectangles = try await median(ofRuns: runs) { _ = try rectangles.rectangles(in: image) }

    let spines = SpineDetector()
    report.foundSpines = try spines.spines(in: image).map { corners($0.quad) }
    report.spines = try await median(ofRuns: runs) { _ = try spines.spines(in: image) }

    let scanner = FrameScanner(
      analyzer: FrameAnalyzer<Raster>().detectingObjects(with: SpineOutlineDetector()))
    var seconds: Int64 = 0
    report.analysis = try await median(ofRuns: runs) {
      // So far apart that no frame is passed over.
      seconds += 2
      guard try await scanner.analysis(of: image, at: .milliseconds(1000 * seconds)) != nil else {
        throw PassedOver(path: path)
      }
    }
    return report
  }

  /// The analysis gave no answer to be measured.
  private struct PassedOver: Error, CustomStringConvertible {
    let path: String
    var description: String { "\(path): the frame was passed over" }
  }

  static func main() async {
    do {
      var (paths, runs) = ([String](), 15)
      var pan = PanBenchmark()
      var arguments = ProgramArguments()
      while let argument = arguments.next() {
        switch argument {
        case "--runs": runs = try arguments.count(of: argument)
        case "--pan": pan.scene = try arguments.value(of: argument)
        case "--models": pan.models = try arguments.value(of: argument)
        case "--seconds": pan.seconds = try arguments.count(of: argument)
        case "--frame-rate": pan.frameRate = try arguments.count(of: argument)
        case "--whole-frames": pan.readsWholeFrames = true
        default: paths.append(argument)
        }
      }
      let encoder = JSONEncoder()
      if !pan.scene.isEmpty {
        print(String(decoding: try encoder.encode(try await pan.report()), as: UTF8.self))
        return
      }
      guard !paths.isEmpty else { throw UsageError("give frames: FrameBenchmark FRAME...") }
      for path in paths {
        let line = try encoder.encode(try await report(on: path, runs: runs))
        print(String(decoding: line, as: UTF8.self))
      }
    } catch {
      endProgram(with: error)
    }
  }
}
