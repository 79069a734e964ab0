import BenchmarkSupport
import Dispatch
import Foundation
import Geometry
import ImageFiles
import ONNXRunner
import Raster
import ReferenceModels
import VisionProtocols

/// What reading the text of a photo costs, stage by stage.
///
/// The counterpart of `text.py`:
///
///     TextBenchmark PHOTO... --models FOLDER [--threads N] [--runs N] [--spines]
///
/// Prints one JSON line a photo: the median milliseconds of each stage and of the whole, and the lines
/// read.
@main
struct TextBenchmark {
  private struct Line: Encodable {
    let quad: [[Double]]
    let text: String
    let confidence: Float
  }

  private struct Report: Encodable {
    let photo: String
    /// Milliseconds by stage, and `total`.
    var median: [String: Double] = [:]
    var lines: [Line] = []
  }

  private static func report(
    on path: String, reader: TextReader, runs: Int
  ) async throws -> Report {
    let image = try ImageFile.load(contentsOf: URL(fileURLWithPath: path))
    var report = Report(photo: (path as NSString).lastPathComponent)
    var times: [String: [Double]] = [:]
    // The first run of a size makes plans; it is not measured.
    for run in 0...runs {
      let start = DispatchTime.now().uptimeNanoseconds
      var last = start
      let lines = try await reader.texts(in: image) { stage in
        let now = DispatchTime.now().uptimeNanoseconds
        if run > 0 { times[stage.rawValue, default: []].append(Double(now - last) / 1e6) }
        last = now
      }
      if run > 0 {
        times["total", default: []].append(
          Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6)
      } else {
        report.median["first"] = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6
      }
      report.lines = lines.map {
        Line(
          quad: $0.outline.corners.map { [$0.x, $0.y] }, text: $0.text, confidence: $0.confidence)
      }
    }
    for (stage, values) in times { report.median[stage] = median(of: values) }
    return report
  }

  static func main() async {
    do {
      var (paths, models, runs, threads) = ([String](), "", 5, 1)
      var configuration = TextReaderConfiguration.rapidOCR
      var arguments = ProgramArguments()
      while let argument = arguments.next() {
        switch argument {
        case "--models": models = try arguments.value(of: argument)
        case "--runs": runs = try arguments.count(of: argument)
        case "--threads": threads = try arguments.count(of: argument)
        case "--spines": configuration = .spines
        default: paths.append(argument)
        }
      }
      guard !paths.isEmpty, !models.isEmpty else {
        throw UsageError("give photos and models: TextBenchmark PHOTO... --models FOLDER")
      }
      let reader = try TextReader(
        files: TextModelFiles(folder: URL(fileURLWithPath: models)), configuration: configuration,
        options: SessionOptions(threads: threads))
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      for path in paths {
        let line = try encoder.encode(try await report(on: path, reader: reader, runs: runs))
        print(String(decoding: line, as: UTF8.self))
      }
    } catch {
      endProgram(with: error)
    }
  }
}
