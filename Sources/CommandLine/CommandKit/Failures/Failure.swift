import Drawing
import Foundation
import ImageFiles
import ModelStore
import Raster

/// An error that a command can end with.
///
/// A module's errors conform to it beside the commands that use the module, in the lowest such
/// module.
package protocol ReportedError: Error {
  /// The exit code of the command.
  var exitCode: ExitCode { get }
  /// The error line with the exit code; by default it has the error's own text.
  var report: CommandError { get }
}

extension ReportedError {
  package var report: CommandError { CommandError(exitCode, "\(self)") }
}

/// Converts errors to error lines and exit codes.
package enum Failure {
  /// The report of `error`.
  package static func of(_ error: any Error) -> CommandError {
    switch error {
    case let error as CommandError: error
    case let error as any ReportedError: error.report
    // The error comes from Foundation: only the system's reason in it is fit to print.
    case is CocoaError:
      CommandError(.inputOutput, "cannot be read or written: \(OutputFile.reason(of: error))")
    case is CancellationError: CommandError(.software, "\(error)")
    default: CommandError(.software, "a fault of this program: \(error)")
    }
  }

  /// The report of `error` about the file at `path`, unless the error names one itself.
  package static func of(_ error: any Error, at path: String) -> CommandError {
    of(error).located(at: path)
  }

  /// The report of a missing file at `path`.
  static func missing(_ path: String) -> CommandError {
    let isAddress = path.hasPrefix("http://") || path.hasPrefix("https://")
    return CommandError(
      .noInput, at: path,
      isAddress
        ? "this is an address, and no photos are fetched; give the name of a file"
        : "there is no such file or folder")
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
    // These errors name their file, with more information than its path.
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
    // The photo is too large to draw on.
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
