import Barcodes
import Clustering
import CountHistory
import CountReport
import CountTemplates
import Counting
import Drawing
import Evaluation
import Experiments
import Foundation
import ISBN
import ImageFiles
import LinearAlgebra
import ModelStore
import NumPyFiles
import ONNXRunner
import Perception
import Raster
import Rectification
import ReferenceModels
import SimilarityIndex
import Telemetry
import TextDecode

/// Which error line and which exit code an error becomes: the one place that decides it.
enum Failure {
  /// What to report of `error`.
  static func of(_ error: any Error) -> CommandError {
    switch error {
    case let error as CommandError: return error
    // These name their file, and say more of it than its path.
    case ImageFileError.noSuchFile(let path): return missing(path)
    case ImageFileError.isDirectory(let path):
      return CommandError(.noInput, at: path, "this is a folder; it must be a file")
    case TelemetryError.unreadable(let path, let reason),
      ImageFileError.unreadable(let path, let reason),
      NumPyFileError.unreadable(let path, let reason),
      ModelError.unreadableFile(let path, let reason):
      return CommandError(.inputOutput, at: path, "cannot be read: \(reason)")
    case ImageFileError.unwritable(let path, let reason),
      NumPyFileError.unwritable(let path, let reason):
      return CommandError(.inputOutput, at: path, "cannot be written: \(reason)")
    // Foundation's own: of what it says no more than the system's reason is fit to print.
    case is CocoaError:
      return CommandError(
        .inputOutput, "cannot be read or written: \(OutputFile.reason(of: error))")
    default:
      guard let code = code(of: error) else {
        return CommandError(.software, "a fault of this program: \(error)")
      }
      return CommandError(code, "\(error)")
    }
  }

  /// What to report of `error`, said of the file at `path` unless it names one itself.
  static func of(_ error: any Error, at path: String) -> CommandError {
    of(error).located(at: path)
  }

  /// What to report where there is nothing at `path`.
  static func missing(_ path: String) -> CommandError {
    CommandError(.noInput, at: path, "there is no such file or folder")
  }

  /// The exit code for an error of a module, whose text is fit to print; nil for any other error.
  private static func code(of error: any Error) -> ExitCode? {
    switch error {
    case is UsageError: .usage
    case is OutputFailure, is InputFailure: .inputOutput
    case is ISBNError: .badData
    // A photo of so many boxes that no page holds them, or a correction of another.
    case is CountPageError, is CountCorrectionError: .badData
    case is CancellationError: .software
    case let error as ImageFileError: error.exitCode
    case let error as NumPyFileError: error.exitCode
    case let error as ModelError: error.exitCode
    case is CountingConfigurationError: .usage
    // Points and boxes come from files, and thresholds were checked before.
    case is EvaluationError: .badData
    // Levels were checked before.
    case is ExperimentError: .software
    case let error as TelemetryError: error.exitCode
    case let error as SimilarityIndexError: error.exitCode
    case let error as ModelStoreError: error.exitCode
    case let error as HistoryError: error.exitCode
    case let error as CountingError: error.exitCode
    case let error as TemplateError: error.exitCode
    case let error as ClusteringError: error.exitCode
    case let error as LinearAlgebraError: error.exitCode
    case let error as ReferenceModelError: error.exitCode
    case let error as ClassifierError: error.exitCode
    case is ClassLabelsError: .badData
    case let error as LikenessLibraryError: error.exitCode
    case let error as EmbeddingMatrixError: error.exitCode
    case is RasterError: .badData
    // Maps and rows come from models, settings from this program.
    case is TextDecodeError: .badData
    // Memory ran out.
    case is BarcodeError: .software
    // Shapes come from this program's own detectors.
    case is RectificationError: .software
    // A photo too large to draw on.
    case DrawingError.size: .badData
    case is DrawingError: .software
    default: nil
    }
  }
}

extension ImageFileError {
  /// The exit code; the text is fit to print as it is.
  fileprivate var exitCode: ExitCode {
    switch kind {
    case .badData: .badData
    case .noSuchInput: .noInput
    case .inputOutput: .inputOutput
    case .usage: .usage
    }
  }
}

extension NumPyFileError {
  /// The exit code; the text is fit to print as it is.
  fileprivate var exitCode: ExitCode {
    switch self {
    case .unreadable, .unwritable: .inputOutput
    default: .badData
    }
  }
}

extension ModelError {
  /// The exit code; the text is fit to print as it is.
  fileprivate var exitCode: ExitCode {
    switch self {
    case .unreadableFile: .inputOutput
    // Names come from the command line.
    case .missingInput, .unknownInput: .usage
    default: .badData
    }
  }
}

extension TelemetryError {
  /// The exit code; the text is fit to print as it is.
  fileprivate var exitCode: ExitCode {
    switch self {
    case .valueOutOfRange, .invalidLabel: .badData
    case .noFolder, .notAFolder: .noInput
    case .unreadable, .unwritable, .noSpace, .locked: .inputOutput
    case .limitOutOfRange, .closed: .software
    }
  }
}

extension SimilarityIndexError {
  /// The exit code; the text is fit to print as it is.
  fileprivate var exitCode: ExitCode {
    switch self {
    case .noIndex: .noInput
    case .notAnIndex, .fromTheFuture, .damaged, .invalidVector, .outOfRange, .payloadTooLarge,
      .unequalCounts:
      .badData
    case .exists, .unreadable, .unwritable, .noSpace, .locked: .inputOutput
    case .closed: .software
    }
  }
}

extension ModelStoreError {
  /// The exit code; the text is fit to print as it is.
  fileprivate var exitCode: ExitCode {
    switch self {
    case .noModel, .noVersion, .noEarlierVersion, .noSource, .refused(_, 404), .refused(_, 410):
      .noInput
    case .invalidManifest, .versionExists, .wrongDigest, .wrongSize, .damaged, .badArchive,
      .tooLong, .wrongContent:
      .badData
    case .inUse: .usage
    case .unreadable, .unwritable, .noSpace, .locked, .refusedAddress, .refused, .connection,
      .timedOut, .tooShort:
      .inputOutput
    case .cancelled: .software
    }
  }
}

extension HistoryError {
  /// The exit code; the text is fit to print as it is.
  fileprivate var exitCode: ExitCode {
    switch self {
    case .notAHistory, .fromTheFuture, .damaged, .outOfRange: .badData
    case .unreadable, .unwritable, .noSpace, .locked, .exists, .full: .inputOutput
    // Limits come from the command line.
    case .moreThan: .usage
    // Ids are drawn and thresholds checked by this program.
    case .taken, .thresholds, .cancelled: .software
    }
  }
}

extension TemplateError {
  /// The exit code; the text is fit to print as it is.
  fileprivate var exitCode: ExitCode {
    switch self {
    case .noTemplate: .noInput
    // Names come from the command line.
    case .invalidName: .usage
    case .notATemplate, .fromTheFuture, .invalidValue, .damaged: .badData
    case .exists, .unreadable, .unwritable: .inputOutput
    }
  }
}

extension CountingError {
  /// The exit code; the text is fit to print as it is.
  fileprivate var exitCode: ExitCode {
    switch self {
    // What a model answers is data.
    case .embeddingCount, .embeddingDimension, .zeroEmbedding, .nonFiniteEmbedding, .untileable,
      .templateOfOtherModels, .templateDimension, .nothingToLearn:
      .badData
    case .exemplarOutside, .exemplarNeedsAdaptive, .regionWithoutArea: .usage
    case .labelCount, .negativeLabel, .cropRefused: .software
    }
  }
}

extension ClusteringError {
  /// The exit code; the text is fit to print as it is.
  fileprivate var exitCode: ExitCode {
    switch self {
    case .zeroRow, .nonFiniteRow, .distanceOverflow, .tooMany: .badData
    case .invalidThreshold, .invalidClusterCount, .wardNeedsEuclidean: .usage
    default: .software
    }
  }
}

extension LinearAlgebraError {
  /// The exit code; the text is fit to print as it is.
  fileprivate var exitCode: ExitCode {
    switch self {
    case .invalidShape, .elementCount, .tooLarge, .nonFinite, .zeroRow, .nonFiniteRow: .badData
    default: .software
    }
  }
}

extension ReferenceModelError {
  /// The exit code; the text is fit to print as it is.
  fileprivate var exitCode: ExitCode {
    switch self {
    case .openInputSize, .inputSize, .textSetting: .usage
    case .notYOLOX, .notEmbedder, .notTextModel, .outputShape: .badData
    // What comes with the program has to be there.
    case .missingResource: .software
    }
  }
}

extension ClassifierError {
  /// The exit code; the text is fit to print as it is.
  fileprivate var exitCode: ExitCode {
    switch self {
    case .inputSize: .usage
    // What a model answers is data.
    case .notClassifier, .labelCount, .metadata, .outputShape, .nonFinite, .notProbability: .badData
    // Options were checked before.
    case .cropShare, .outOfRange: .software
    }
  }
}

extension LikenessLibraryError {
  /// The exit code; the text is fit to print as it is.
  fileprivate var exitCode: ExitCode {
    switch self {
    case .noLibrary: .noInput
    case .notALibrary, .fromTheFuture, .otherEmbedder, .otherDimension, .notCosine, .dimension:
      .badData
    case .unreadable, .unwritable: .inputOutput
    }
  }
}

extension EmbeddingMatrixError {
  /// The exit code; the text is fit to print as it is.
  fileprivate var exitCode: ExitCode {
    switch self {
    // What a model answers is data.
    case .zeroRow, .nonFiniteRow: .badData
    case .notRectangular: .software
    }
  }
}
