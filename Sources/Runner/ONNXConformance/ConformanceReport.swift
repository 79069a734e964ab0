import Foundation
import ONNXRunner
import RunnerTensors

/// How one of ONNX's backend tests went.
package struct ConformanceCase: Sendable, Equatable, Codable {
  /// What came of it.
  package enum Status: String, Sendable, Equatable, Codable {
    /// Every output is right: type, shape and values.
    case passed
    /// An output is wrong, or the model could not be run though nothing in it is unsupported.
    case failed
    /// The model needs an operator, a type or an attribute that the runner does not have, named in
    /// the message.
    case unsupported
  }

  /// The name of the test's folder.
  package let name: String

  /// What came of it.
  package let status: Status

  /// What was wrong or missing; empty for a test that passed.
  package let message: String

  /// A case with the given outcome.
  package init(name: String, status: Status, message: String) {
    self.name = name
    self.status = status
    self.message = message
  }
}

/// What came of a number of ONNX's backend tests.
///
/// A test is a folder with `model.onnx` and folders `test_data_set_0`, `test_data_set_1`, ... of
/// `input_0.pb`, ... and `output_0.pb`, ..., each a `TensorProto`, as in the `onnx` package's
/// `backend/test/data`.
package struct ConformanceReport: Sendable, Equatable, Codable {
  /// How many tests passed.
  package let passed: Int

  /// How many failed.
  package let failed: Int

  /// How many need what the runner does not have.
  package let unsupported: Int

  /// The tests, in the order in which they were run.
  package let cases: [ConformanceCase]

  /// The report on `cases`.
  package init(cases: [ConformanceCase]) {
    func count(_ status: ConformanceCase.Status) -> Int {
      cases.reduce(0) { $0 + ($1.status == status ? 1 : 0) }
    }
    passed = count(.passed)
    failed = count(.failed)
    unsupported = count(.unsupported)
    self.cases = cases
  }

  /// Runs the tests in `folders`: each a test itself, or a folder of tests, which are run by name.
  ///
  /// Outputs are compared by `tolerance`; integers, truth values and text must be equal. `progress`
  /// is called after each test.
  ///
  /// - Throws: ``ModelError/unreadableFile(path:reason:)`` for a folder in which there is no test.
  package static func running(
    _ folders: [URL], options: SessionOptions = .init(), tolerance: ConformanceTolerance = .init(),
    progress: (ConformanceCase) -> Void = { _ in }
  ) throws -> ConformanceReport {
    var cases: [ConformanceCase] = []
    for folder in try folders.flatMap(tests) {
      let test = ConformanceTest(folder: folder, options: options, tolerance: tolerance)
      cases.append(test.outcome())
      progress(cases[cases.count - 1])
    }
    return ConformanceReport(cases: cases)
  }

  private static func tests(in folder: URL) throws -> [URL] {
    func isTest(_ folder: URL) -> Bool {
      FileManager.default.fileExists(atPath: folder.appendingPathComponent("model.onnx").path)
    }
    if isTest(folder) { return [folder] }
    let entries: [String]
    do {
      entries = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    } catch {
      throw ModelError.unreadableFile(path: folder.path, reason: "it is not a folder")
    }
    let tests = entries.sorted().map { folder.appendingPathComponent($0) }.filter(isTest)
    guard !tests.isEmpty else {
      throw ModelError.unreadableFile(
        path: folder.path, reason: "there is no model.onnx in it, nor in a folder of it")
    }
    return tests
  }
}

/// How near a real number must be to the one expected.
///
/// The rule is NumPy's `allclose`, the defaults are those of ONNX's own test runner. NaN equals
/// NaN.
package struct ConformanceTolerance: Sendable, Equatable {
  /// The part of the tolerance that grows with the expected value.
  package var relative: Double

  /// The part that does not.
  package var absolute: Double

  /// A tolerance of `absolute + relative * |expected|`.
  package init(relative: Double = 1e-3, absolute: Double = 1e-7) {
    self.relative = relative
    self.absolute = absolute
  }

  func accepts(_ value: Double, for expected: Double) -> Bool {
    if value.isNaN || expected.isNaN { return value.isNaN && expected.isNaN }
    if value.isInfinite || expected.isInfinite { return value == expected }
    return (value - expected).magnitude <= absolute + relative * expected.magnitude
  }
}
