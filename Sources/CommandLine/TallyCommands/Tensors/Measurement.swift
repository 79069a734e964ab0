import CommandKit
import Dispatch
import Foundation

/// What a run took.
enum Measurement {
  /// The result of `work` and the seconds it took.
  static func seconds<Result>(_ work: () throws -> Result) rethrows -> (Result, Double) {
    let start = DispatchTime.now().uptimeNanoseconds
    let result = try work()
    return (result, Double(DispatchTime.now().uptimeNanoseconds &- start) / 1e9)
  }

  /// The most memory this process has held at any time, in megabytes (of 2^20 bytes).
  ///
  /// Linux's `getrusage` also counts what the process was before it became this program, so there
  /// the kernel's account of this program alone goes first.
  static var peakMegabytes: Double {
    if let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kilobytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Double($0) })
    {
      return kilobytes / 1024
    }
    var usage = rusage()
    #if canImport(Glibc)
      guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
      return Double(usage.ru_maxrss) / 1024
    #else
      guard getrusage(RUSAGE_SELF, &usage) == 0 else { return 0 }
      return Double(usage.ru_maxrss) / 1_048_576
    #endif
  }

  /// The middle of `values`, the mean of the two middle ones where their number is even; 0 of none.
  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}
