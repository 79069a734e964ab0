import Foundation
import TestSupport
import Testing

@testable import ONNXConformance
@testable import ONNXRunner
@testable import RunnerTensors

@Suite("ONNX's backend tests")
struct ConformanceTests {
  /// A few of them come with the repository.
  private static let folder = Folders.package.appendingPathComponent("Fixtures/ONNXBackend")

  /// Tests whose expected values contradict the operator's specification, and ONNX Runtime; see
  /// `Docs/Operators.md`.
  private static let disputed: Set = [
    "test_resize_downsample_scales_cubic_align_corners",
    "test_resize_downsample_scales_linear_align_corners",
    "test_qlinearmatmul_2D_int8_float16", "test_qlinearmatmul_2D_int8_float32",
    "test_qlinearmatmul_3D_int8_float16", "test_qlinearmatmul_3D_int8_float32",
    "test_adam_multiple", "test_dft_inverse", "test_dft_inverse_opset19",
    "test_l2normalization_axis_0",
  ]

  /// Tests whose expected values are one throw of dice.
  private static let ofChance: Set = [
    "test_bernoulli", "test_bernoulli_double", "test_bernoulli_double_expanded",
    "test_bernoulli_expanded", "test_bernoulli_seed", "test_bernoulli_seed_expanded",
  ]

  @Test("The tests in the fixtures pass")
  func fixtures() throws {
    let report = try ConformanceReport.running([Self.folder])
    #expect(report.cases.count >= 73)
    for outcome in report.cases { #expect(outcome.status == .passed, "\(outcome)") }
    #expect(report.passed == report.cases.count)
  }

  /// Operators that ONNX Runtime has beside ONNX's, against what it answers.
  @Test(
    "ONNX Runtime's operators give what it gives, with passes and without",
    arguments: [true, false])
  func runtimeOperators(hasPasses: Bool) throws {
    let folder = Folders.goldens.appendingPathComponent("ONNXRunner/runtime")
    var options = SessionOptions(threads: 1)
    if !hasPasses { options.disabledPasses = Set(PassID.all) }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.count >= 88)
    for name in names {
      // Halves are rounded elsewhere, and there the input of a recurrent layer to eight bits.
      let absolute = name.hasSuffix("_half") ? 1e-3 : name.contains("lstm") ? 0.02 : 1e-5
      let report = try ConformanceReport.running(
        [folder.appendingPathComponent(name)], options: options,
        tolerance: ConformanceTolerance(absolute: absolute))
      for outcome in report.cases { #expect(outcome.status == .passed, "\(outcome)") }
    }
  }

  @Test("All of them, where ONNX_BACKEND_DATA names their folder")
  func everything() throws {
    guard let path = ProcessInfo.processInfo.environment["ONNX_BACKEND_DATA"] else {
      print("skipped: ONNX_BACKEND_DATA is not set")
      return
    }
    for name in ["node", "simple", "pytorch-operator", "pytorch-converted"] {
      let folder = URL(fileURLWithPath: path).appendingPathComponent(name)
      let report = try ConformanceReport.running([folder])
      print("\(name): \(report.passed) passed, \(report.unsupported) unsupported")
      if let log = ProcessInfo.processInfo.environment["ONNX_BACKEND_LOG"] {
        let lines = report.cases.map { "\($0.status.rawValue)\t\($0.name)\t\($0.message)\n" }
        try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: "\(log).\(name)"))
      }
      let failed = report.cases.filter { $0.status == .failed }
      if name == "node" {
        #expect(report.passed >= 1584)
        #expect(Set(failed.map(\.name)) == Self.disputed.union(Self.ofChance), "\(failed)")
      } else {
        #expect(
          report.passed == report.cases.count, "\(report.cases.filter { $0.status != .passed })")
      }
    }
  }

  @Test("A wrong output is found, and said where")
  func wrongOutput() throws {
    let temporary = FileManager.default.temporaryDirectory
      .appendingPathComponent("tally-conformance-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: temporary) }
    try FileManager.default.copyItem(
      at: Self.folder.appendingPathComponent("test_add"), to: temporary)
    let output = temporary.appendingPathComponent("test_data_set_0/output_0.pb")
    var bytes = try Data(contentsOf: output)
    // The exponent of the last value.
    bytes[bytes.count - 2] ^= 0x40
    try bytes.write(to: output)
    let report = try ConformanceReport.running([temporary])
    #expect(report.failed == 1)
    #expect(report.cases[0].message.contains("1 of 60 values are wrong; element 59 is"))
  }

  @Test("A folder without tests is an error")
  func noTests() {
    #expect(throws: ModelError.self) {
      try ConformanceReport.running([URL(fileURLWithPath: "/nowhere")])
    }
    #expect(throws: ModelError.self) {
      try ConformanceReport.running([Folders.package.appendingPathComponent("Sources")])
    }
  }

  @Test("The tolerance is NumPy's")
  func tolerance() {
    let tolerance = ConformanceTolerance(relative: 0.1, absolute: 0.01)
    #expect(tolerance.accepts(.nan, for: .nan))
    #expect(!tolerance.accepts(.nan, for: 0) && !tolerance.accepts(0, for: .nan))
    #expect(tolerance.accepts(.infinity, for: .infinity))
    #expect(!tolerance.accepts(-.infinity, for: .infinity))
    #expect(!tolerance.accepts(1, for: .infinity))
    #expect(tolerance.accepts(1.1, for: 1) && !tolerance.accepts(1.12, for: 1))
  }
}
