/// The result of the command, with the numbers of BSD's `sysexits.h`.
package enum ExitCode: Int32, Sendable, CaseIterable {
  /// No errors.
  case success = 0
  /// A photo has fewer objects than `--at-least` requires.
  case tooFew = 1
  /// The arguments are wrong.
  case usage = 64
  /// An input is damaged or has the wrong content.
  case badData = 65
  /// An input does not exist or cannot be opened.
  case noInput = 66
  /// An error in this program.
  case software = 70
  /// Reading or writing failed.
  case inputOutput = 74
  /// A check of this machine found a problem: one of `tally doctor`, or that of addresses before
  /// the first thread.
  case problemFound = 78

  /// The meaning of the number, for help texts.
  var meaning: String {
    switch self {
    case .success: "all went well"
    case .tooFew: "a photo has fewer things than --at-least asks for"
    case .usage: "the arguments are wrong"
    case .badData: "an input is damaged, or not what it has to be"
    case .noInput: "an input does not exist or cannot be opened"
    case .software: "a fault of this program"
    case .inputOutput: "reading or writing failed"
    case .problemFound: "a check found a problem"
    }
  }

  /// The number, two columns wide.
  var paddedNumber: String {
    rawValue < 10 ? " \(rawValue)" : "\(rawValue)"
  }
}
