import ABTesting
import Clustering
import CommandKit
import CountHistory
import CountReport
import CountTemplates
import Counting
import Evaluation
import LinearAlgebra
import ONNXRunner
import ReferenceModels
import VisionProtocols

// The exit codes of errors in counts. Their texts are printed unchanged.

extension CountingError: ReportedError {
  package var exitCode: ExitCode {
    switch self {
    // A model's results are data.
    case .embeddingCount, .embeddingDimension, .zeroEmbedding, .nonFiniteEmbedding, .untileable,
      .templateOfOtherModels, .templateDimension, .nothingToLearn:
      .badData
    case .exemplarOutside, .exemplarNeedsAdaptive, .regionWithoutArea: .usage
    case .labelCount, .negativeLabel, .cropRefused: .software
    }
  }
}

extension CountingConfigurationError: ReportedError {
  package var exitCode: ExitCode { .usage }
}

extension CountPageError: ReportedError {
  // A photo has too many boxes for a page.
  package var exitCode: ExitCode { .badData }
}

extension CountCorrectionError: ReportedError {
  // A correction of another photo.
  package var exitCode: ExitCode { .badData }
}

extension TemplateError: ReportedError {
  package var exitCode: ExitCode {
    switch self {
    case .noTemplate: .noInput
    // Names come from the command line.
    case .invalidName: .usage
    case .notATemplate, .fromTheFuture, .invalidValue, .damaged: .badData
    case .exists, .unreadable, .unwritable: .inputOutput
    }
  }
}

extension HistoryError: ReportedError {
  package var exitCode: ExitCode {
    switch self {
    case .notAHistory, .fromTheFuture, .damaged, .outOfRange: .badData
    case .unreadable, .unwritable, .noSpace, .locked, .exists, .full: .inputOutput
    // Limits come from the command line.
    case .moreThan: .usage
    // This program draws the ids and checks the thresholds.
    case .taken, .thresholds, .cancelled: .software
    }
  }
}

extension ReferenceModelError: ReportedError {
  package var exitCode: ExitCode {
    switch self {
    case .openInputSize, .inputSize, .textSetting, .openHead: .usage
    case .notYOLOX, .notDetector, .notEmbedder, .notTextModel, .notSpineSegmenter, .outputShape:
      .badData
    // The program's own files must exist.
    case .missingResource: .software
    }
  }
}

extension ClassLabelsError: ReportedError {
  package var exitCode: ExitCode { .badData }
}

extension ModelError: ReportedError {
  package var exitCode: ExitCode {
    switch self {
    case .unreadableFile: .inputOutput
    // Names come from the command line.
    case .missingInput, .unknownInput: .usage
    default: .badData
    }
  }

  package var report: CommandError {
    switch self {
    case .unreadableFile(let path, let reason): .unreadable(path, reason)
    default: CommandError(exitCode, description)
    }
  }
}

extension EmbeddingMatrixError: ReportedError {
  package var exitCode: ExitCode {
    switch self {
    // A model's results are data.
    case .zeroRow, .nonFiniteRow: .badData
    case .notRectangular: .software
    }
  }
}

extension ClusteringError: ReportedError {
  package var exitCode: ExitCode {
    switch self {
    case .zeroRow, .nonFiniteRow, .distanceOverflow, .tooMany, .rowOverflow,
      .pairOutOfRange:
      .badData
    case .invalidThreshold, .invalidClusterCount, .wardNeedsEuclidean, .tooFew: .usage
    default: .software
    }
  }
}

extension LinearAlgebraError: ReportedError {
  package var exitCode: ExitCode {
    switch self {
    case .invalidShape, .elementCount, .tooLarge, .nonFinite, .zeroRow, .nonFiniteRow: .badData
    default: .software
    }
  }
}

extension EvaluationError: ReportedError {
  // Points and boxes come from files, and thresholds were checked before.
  package var exitCode: ExitCode { .badData }
}

extension ExperimentError: ReportedError {
  // Levels were checked before.
  package var exitCode: ExitCode { .software }
}
