import Barcodes
import CommandKit
import ISBN
import ModelQuantization
import NumPyFiles
import Rectification
import ReferenceModels
import ShelfReading
import SimilarityIndex
import Telemetry
import TextDecode

// The exit codes of errors that do not occur in counts. Their texts are printed unchanged.

extension BarcodeError: ReportedError {
  // Memory ran out.
  package var exitCode: ExitCode { .software }
}

extension BookCatalogueError: ReportedError {
  package var exitCode: ExitCode { .badData }
}

extension ISBNError: ReportedError {
  package var exitCode: ExitCode { .badData }
}

extension RectificationError: ReportedError {
  // Shapes come from this program's own detectors.
  package var exitCode: ExitCode { .software }
}

extension TextDecodeError: ReportedError {
  // Maps and rows come from models, settings from this program.
  package var exitCode: ExitCode { .badData }
}

extension ClassifierError: ReportedError {
  package var exitCode: ExitCode {
    switch self {
    case .inputSize: .usage
    // A model's results are data.
    case .notClassifier, .labelCount, .metadata, .outputShape, .nonFinite, .notProbability: .badData
    // Options were checked before.
    case .cropShare, .outOfRange: .software
    }
  }
}

extension LikenessLibraryError: ReportedError {
  package var exitCode: ExitCode {
    switch self {
    case .noLibrary: .noInput
    case .notALibrary, .fromTheFuture, .otherEmbedder, .otherDimension, .notCosine, .dimension:
      .badData
    case .unreadable, .unwritable: .inputOutput
    }
  }
}

extension SimilarityIndexError: ReportedError {
  package var exitCode: ExitCode {
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

extension ModelQuantizationError: ReportedError {
  package var exitCode: ExitCode {
    switch self {
    case .noExamples, .nothingToQuantize, .tooInaccurate, .alreadyQuantized, .notFinite, .opset,
      .tooLarge:
      .badData
    case .unknownNode, .setting: .usage
    }
  }
}

extension NumPyFileError: ReportedError {
  package var exitCode: ExitCode {
    switch self {
    case .unreadable, .unwritable: .inputOutput
    default: .badData
    }
  }

  package var report: CommandError {
    switch self {
    case .unreadable(let path, let reason): .unreadable(path, reason)
    case .unwritable(let path, let reason): .unwritable(path, reason)
    default: CommandError(exitCode, description)
    }
  }
}

extension TelemetryError: ReportedError {
  package var exitCode: ExitCode {
    switch self {
    case .valueOutOfRange, .invalidLabel: .badData
    case .noFolder, .notAFolder: .noInput
    case .unreadable, .unwritable, .noSpace, .locked: .inputOutput
    case .limitOutOfRange, .invalidVariant, .closed: .software
    }
  }

  package var report: CommandError {
    switch self {
    case .unreadable(let path, let reason): .unreadable(path, reason)
    default: CommandError(exitCode, description)
    }
  }
}
