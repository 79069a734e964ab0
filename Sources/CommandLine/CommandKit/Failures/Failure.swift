import Drawing
import Foundation
import ImageFiles
import ModelStore
import Raster

/// An error that a command can end with.
///
/// A module's errors conform beside the commands that use the module, in the lowest module that
/// does.
package protocol ReportedError: Error {
  /// What the command ends with.
  var exitCode: ExitCode { get }
  /// The error line with the exit code; the error's own text, unless it says otherwise.
  var report: CommandError { get }
}

extension ReportedError {
  package var report: CommandError { CommandError(exitCode, "\(self)") }
}

/// Which error line and which exit code an error becomes.
package enum Failure {
  /// What to report of `error`.
  package static func of(_ error: any Error) -> CommandError {
    switch error {
    case let error as CommandError: error
    case let error as any ReportedError: error.report
    // Foundation's own: of what it says no more than the system's reason is fit to print.
    case is CocoaError:
      CommandError(.inputOutput, "cannot be read or written: \(OutputFile.reason(of: error))")
    case is CancellationError: CommandError(.software, "\(error)")
    default: CommandError(.software, "a fault of this program: \(error)")
    }
  }

  /// What to report of `error`, said of the file at `path` unless it names one itself.
  package static func of(_ error: any Error, at path: String) -> CommandError {
    of(error).located(at: path)
  }

  /// What to report if there is nothing at `path`.
  static func missing(_ path: String) -> CommandError {
    CommandError(.noInput, at: path, "there is no such file or folder")
  }
}

extension UsageError: ReportedError {
  package var exitCode: ExitCode { .usage }
}

extension OutputFailure: ReportedError {
  package var exitCode: ExitCode { .inputOutput }
}

extension InputFailure: ReportedError {
  package var exitCode: ExitCode { .inputOutput }
}

extension ImageFileError: ReportedError {
  package var exitCode: ExitCode {
    switch kind {
    case .badData: .badData
    case .noSuchInput: .noInput
    case .inputOutput: .inputOutput
    case .usage: .usage
    }
  }

  package var report: CommandError {
    switch self {
    // These name their file, and say more of it than its path.
    case .noSuchFile(let path): Failure.missing(path)
    case .isDirectory(let path):
      CommandError(.noInput, at: path, "this is a folder; it must be a file")
    case .unreadable(let path, let reason): .unreadable(path, reason)
    case .unwritable(let path, let reason): .unwritable(path, reason)
    default: CommandError(exitCode, description)
    }
  }
}

extension RasterError: ReportedError {
  package var exitCode: ExitCode { .badData }
}

extension DrawingError: ReportedError {
  package var exitCode: ExitCode {
    // A photo too large to draw on.
    if case .size = self { .badData } else { .software }
  }
}

extension ModelStoreError: ReportedError {
  package var exitCode: ExitCode {
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
