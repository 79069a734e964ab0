import Clustering
import Counting
import Drawing
import Foundation
import Geometry
import ImageFiles
import LinearAlgebra
import NumPyFiles
import ONNXRunner
import Raster
import Rectification
import ReferenceModels
import Testing
import VisionProtocols

@testable import CommandKit

@Suite("Errors to exit codes")
struct FailureTests {
  static let table: [(any Error, ExitCode)] = [
    (UsageError("x"), .usage), (CommandError(.noInput, "x"), .noInput),
    (OutputFailure.failed(errorNumber: 5), .inputOutput), (CancellationError(), .software),
    (ImageFileError.empty, .badData), (ImageFileError.noSuchFile(path: "p"), .noInput),
    (ImageFileError.isDirectory(path: "p"), .noInput),
    (ImageFileError.unreadable(path: "p", reason: "r"), .inputOutput),
    (ImageFileError.unwritable(path: "p", reason: "r"), .inputOutput),
    (ImageFileError.unsupportedExtension("x"), .usage), (NumPyFileError.notNumPy, .badData),
    (NumPyFileError.unwritable(path: "p", reason: "r"), .inputOutput),
    (ModelError.malformed(reason: "r"), .badData),
    (ModelError.unreadableFile(path: "p", reason: "r"), .inputOutput),
    (ModelError.unknownInput(name: "x", expected: []), .usage),
    (CountingConfigurationError.notJSON(reason: "r"), .usage),
    (CountingError.nonFiniteEmbedding(crop: 1), .badData),
    (CountingError.labelCount(expected: 1, got: 2), .software),
    (ClusteringError.zeroRow(index: 1), .badData),
    (ClusteringError.invalidClusterCount(found: 2, things: 1), .usage),
    (ClusteringError.labelCount(labels: 1, rows: 2), .software),
    (LinearAlgebraError.nonFiniteRow(index: 1), .badData),
    (LinearAlgebraError.singular(operation: "x"), .software),
    (ReferenceModelError.openInputSize(found: "f"), .usage),
    (ReferenceModelError.notYOLOX(reason: "r", found: "f"), .badData),
    (ReferenceModelError.missingResource(name: "x", searched: []), .software),
    (EmbeddingMatrixError.nonFiniteRow(index: 1), .badData),
    (RasterError.invalidLayout(width: 0, height: 0, channels: 0), .badData),
    (DrawingError.size(width: 0, height: 0, limit: 1), .badData),
    (
      RectificationError.degenerate(Quadrilateral(Box(minX: 0, minY: 0, maxX: 1, maxY: 0))),
      .software
    ),
    (DrawingError.cairo("x"), .software), (URLError(.unknown), .software),
  ]

  @Test("Each module's errors have their code", arguments: table.indices)
  func codes(index: Int) {
    let (error, code) = Self.table[index]
    let failure = Failure.of(error)
    #expect(failure.code == code, "\(error)")
    #expect(!failure.message.isEmpty && !failure.message.contains("\n"))
  }

  @Test("The file is named once, whatever it is called")
  func places() {
    #expect(Failure.of(ImageFileError.empty, at: "a").message.hasPrefix("a: the file is empty"))
    #expect(
      Failure.of(ImageFileError.unwritable(path: "a", reason: "r"), at: "b").message
        == "a: cannot be written: r")
    #expect(Failure.of(CommandError(.badData, at: "a", "x"), at: "b").message == "a: x")
    #expect(Failure.of(CommandError(.badData, "x"), at: "b").message == "b: x")
    #expect(Failure.of(UsageError("x"), at: "b").message == "x")
  }
}
