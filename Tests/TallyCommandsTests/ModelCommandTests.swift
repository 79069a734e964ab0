import Foundation
import NumPyFiles
import ONNXRunner
import TestSupport
import Testing

@testable import CommandKit
@testable import TallyCommands

@Suite("tally model")
struct ModelCommandTests {
  // MARK: inspect

  @Test("A model's inputs, outputs and operators are printed")
  func inspect() async {
    let run = await tally("model", "inspect", Squares.detector)
    #expect(run.code == .success && run.errors.isEmpty)
    // How many are left to be executed is the runner's to improve.
    let text = run.output.replacingOccurrences(
      of: "file, [0-9]+ to be", with: "file, 0 to be", options: .regularExpression)
    #expect(
      text == """
        \(Squares.detector)
          inputs     images: float32[1, 3, 128, 128]
          outputs    output: float32[1, 336, 6]
          opsets     ai.onnx 13
          nodes      14 in the file, 0 to be executed
          operators  Concat 4, Conv 3, Reshape 3, Sigmoid 3, Transpose 1
          weights    5715 numbers
          producer   tally fixtures
          graph      detector
          format     IR version 8

        """)
  }

  @Test("The same as JSON, open sides as names")
  func inspectJSON() async throws {
    let run = await tally("model", "inspect", Squares.embedder, "--json")
    #expect(
      run.output.hasPrefix(
        "{\"file\":\"\(Squares.embedder)\",\"inputs\":[{\"name\":\"pixels\",\"type\":\"float32\","
          + "\"shape\":[\"batch\",3,224,224]}],\"outputs\":[{\"name\":\"embedding\","
          + "\"type\":\"float32\",\"shape\":[\"batch\",16]}],\"opsets\":{\"ai.onnx\":13},"))
    #expect(try run.json()["parameters"] as? Int == 3 * 16 * 16 * 16 + 16)
  }

  @Test("A model that cannot be run is printed, with what is missing")
  func inspectWhatCannotRun() async throws {
    let folder = try TemporaryFolder()
    // Two operators that nobody has, by a name of the same length.
    var model = try Data(contentsOf: URL(fileURLWithPath: Squares.detector))
    while let place = model.range(of: Data("Reshape".utf8)) {
      model.replaceSubrange(place, with: Data("Unknown".utf8))
    }
    let path = try folder.write("unknown.onnx", model)
    let run = await tally("model", "inspect", path)
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    #expect(run.output.contains("Unknown 3 (missing)") && run.output.contains("missing    Unknown"))
    #expect(run.output.contains("no kernel for operator ai.onnx Unknown 13 (3 nodes)"))
    let json = try await tally("model", "inspect", path, "--json").json()
    #expect(json["missing"] as? [String] == ["Unknown"])
    #expect((json["refusal"] as? String)?.isEmpty == false)
    let plan = await tally("model", "inspect", path, "--plan")
    #expect(plan.failed(.badData), "\(plan)")
  }

  // MARK: run

  /// An input for the embedder, of ones.
  private func pixels(in folder: TemporaryFolder, shape: [Int] = [2, 3, 224, 224]) throws -> String
  {
    let path = folder.path("pixels.npy")
    let ones = [Float](repeating: 1, count: shape.reduce(1, *))
    try NumPyArray(ones, shape: shape).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test("Outputs are written to files of their names, and listed")
  func run() async throws {
    let folder = try TemporaryFolder()
    let out = folder.path("b")
    let run = await tally(
      "model", "run", Squares.embedder, "--input", "pixels=\(try pixels(in: folder))",
      "--output-dir", out)
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    #expect(run.outputLines.count == 2)
    #expect(run.outputLines[1] == "embedding  float32  [2, 16]  \(out)/embedding.npy")
    let array = try NumPyArray(contentsOf: URL(fileURLWithPath: "\(out)/embedding.npy"))
    #expect(array.shape == [2, 16])
    #expect(Array(array.floats.prefix(16)) == Array(array.floats.suffix(16)))
  }

  @Test("A profile lists operators")
  func profile() async throws {
    let folder = try TemporaryFolder()
    let run = await tally(
      "model", "run", Squares.embedder, "--input", "pixels=\(try pixels(in: folder))",
      "--output-dir", folder.path("out"), "--profile", "--threads", "1", "--trace",
      folder.path("trace.json"))
    #expect(run.code == .success)
    #expect(run.output.contains("Conv") && run.output.contains("GlobalAveragePool"))
    #expect(run.output.contains("GFLOP/s") && run.output.contains("1 runs,"))
    let trace = try JSONSerialization.jsonObject(
      with: try Data(contentsOf: URL(fileURLWithPath: folder.path("trace.json"))))
    let events = try #require((trace as? [String: Any])?["traceEvents"] as? [[String: Any]])
    #expect(events.contains { $0["cat"] as? String == "Conv" && $0["ph"] as? String == "X" })
  }

  @Test("A plan lists steps and memory")
  func plan() async throws {
    let run = await tally("model", "inspect", Squares.embedder, "--plan")
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    #expect(run.output.contains("Conv") && run.output.contains("channels"))
    #expect(run.output.contains("activations: ") && run.output.contains("packed weights: "))
    let json = await tally("model", "inspect", Squares.embedder, "--plan", "--json")
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect((object?["steps"] as? [Any])?.isEmpty == false)
    #expect(object?["arenaBytes"] is Int)
    let name = await tally("model", "inspect", Squares.embedder, "--shape", "pixels=1x3x8x8")
    #expect(name.failed(.usage))
    let wrong = await tally("model", "inspect", Squares.embedder, "--plan", "--shape", "no=1x2")
    #expect(wrong.failed(.usage))
  }

  @Test("Wrong names, types, shapes and files have their codes")
  func runErrors() async throws {
    let folder = try TemporaryFolder()
    let good = try pixels(in: folder)
    let wide = folder.path("wide.npy")
    try NumPyArray(shape: [1, 2], elements: .float64([1, 2])).write(
      to: URL(fileURLWithPath: wide))
    let text = try folder.write("text.npy", text: "hello")
    func run(_ arguments: String...) async -> CommandRun {
      await tally(
        ["model", "run", Squares.embedder, "--output-dir", folder.path("out")] + arguments)
    }
    #expect(await run().failed(.usage))
    #expect(await run("--input", "image=\(good)").failed(.usage))
    #expect(await run("--input", "pixels=\(good)", "--input", "more=\(good)").failed(.usage))
    #expect(await run("--input", "pixels=\(good)", "--input", "pixels=\(good)").failed(.usage))
    #expect(await run("--input", "pixels").failed(.usage))
    #expect(await run("--input", "pixels=\(wide)").failed(.badData))
    #expect(await run("--input", "pixels=\(text)").failed(.badData))
    #expect(await run("--input", "pixels=\(folder.path("none.npy"))").failed(.noInput))
    let square = try pixels(in: folder, shape: [1, 3, 100, 100])
    #expect(await run("--input", "pixels=\(square)").failed(.badData))
    #expect(!folder.has("out"))
    #expect(
      await tally("model", "run", Squares.embedder, "--input", "pixels=\(good)").failed(.usage))
    let file = try folder.write("file", text: "")
    #expect(
      await tally(
        "model", "run", Squares.embedder, "--input", "pixels=\(try pixels(in: folder))",
        "--output-dir", file
      ).failed(.inputOutput))
  }

  @Test("Every element type goes through NumPy files unchanged")
  func tensors() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.npy")
    let tensors = [
      try Tensor(shape: [2], [true, false]), try Tensor(shape: [2], [Int8(-1), 2]),
      try Tensor(shape: [2], [Int16(-1), 2]), try Tensor(shape: [2], [Int32(-1), 2]),
      try Tensor(shape: [2], [Int64(-1), 2]), try Tensor(shape: [2], [UInt8(1), 2]),
      try Tensor(shape: [2], [UInt16(1), 2]), try Tensor(shape: [2], [UInt32(1), 2]),
      try Tensor(shape: [2], [UInt64(1), .max]), try Tensor(shape: [2], [Half(0.5), Half(-2)]),
      try Tensor(shape: [2], [Float(1), .infinity]), try Tensor(shape: [1, 2], [Double.pi, 2]),
      try Tensor(shape: [], [Float(1)]), try Tensor(shape: [0, 3], [Float]()),
    ]
    for tensor in tensors {
      try TensorFiles.write(tensor, to: path)
      let read = try TensorFiles.read(path)
      #expect(read.elementType == tensor.elementType)
      #expect(read.shape == tensor.shape)
      #expect(read.withUnsafeBytes { Data($0) } == tensor.withUnsafeBytes { Data($0) })
    }
    try TensorFiles.write(Tensor(shape: [1], [BFloat16(0.5)]), to: path)
    #expect(try TensorFiles.read(path).array(of: Float.self) == [0.5])
    #expect(throws: CommandError.self) {
      try TensorFiles.write(Tensor(shape: [1], strings: ["a"]), to: path)
    }
  }

  // MARK: test

  static let backend = Folders.package.appendingPathComponent("Fixtures/ONNXBackend").path

  @Test("ONNX's backend tests are run, one by one or a folder of them")
  func backendTests() async throws {
    let one = await tally("model", "test", "\(Self.backend)/test_add", "--json")
    #expect(one.code == .success && one.errors.isEmpty, "\(one)")
    #expect(
      one.output == #"{"passed":1,"failed":0,"unsupported":0,"cases":["#
        + #"{"name":"test_add","status":"passed","message":""}]}"# + "\n")
    let all = await tally("model", "test", Self.backend, "--json")
    let cases = try #require(try all.json()["cases"] as? [[String: Any]])
    #expect(cases.count > 1)
    #expect(cases.allSatisfy { Set($0.keys) == ["name", "status", "message"] })
    let text = await tally("model", "test", "\(Self.backend)/test_add", isWatched: true)
    #expect(text.output == "1 passed, 0 failed, 0 unsupported\n")
    #expect(text.errors.hasSuffix("\r"))
  }

  @Test("A test that fails is reported, and is the exit code")
  func failingTest() async throws {
    let folder = try TemporaryFolder()
    let copy = folder.path("test_add")
    try FileManager.default.copyItem(atPath: "\(Self.backend)/test_add", toPath: copy)
    let set = copy + "/test_data_set_0"
    try FileManager.default.removeItem(atPath: set + "/output_0.pb")
    try FileManager.default.copyItem(atPath: set + "/input_0.pb", toPath: set + "/output_0.pb")
    let run = await tally("model", "test", copy)
    #expect(run.code == .software, "\(run)")
    #expect(run.errors == "tally: error: 1 of 1 tests failed\n")
    #expect(run.outputLines.count == 3)
    #expect(run.outputLines[1].hasPrefix("failed  test_add  "))
  }

  @Test("Folders without a test are no input")
  func noTests() async throws {
    let folder = try TemporaryFolder()
    #expect(await tally("model", "test", folder.url.path).failed(.noInput))
    #expect(await tally("model", "test", folder.path("none")).failed(.noInput))
    #expect(await tally("model", "test", Squares.png).failed(.noInput))
  }

  // MARK: bench

  @Test("A benchmark prints four figures")
  func bench() async throws {
    let run = await tally(
      "model", "bench", Squares.embedder, "--runs", "3", "--threads", "1", "--batch", "2", "--json")
    #expect(run.code == .success && run.errors.isEmpty, "\(run)")
    let pattern =
      #"^\{"median_ms":[0-9.]+,"min_ms":[0-9.]+,"load_ms":[0-9.]+,"first_ms":[0-9.]+,"peak_rss_mb":[0-9.]+\}\n$"#
    #expect(run.output.range(of: pattern, options: .regularExpression) != nil, "\(run.output)")
    let figures = try run.json().compactMapValues { $0 as? Double }
    #expect((figures["min_ms"] ?? 0) <= (figures["median_ms"] ?? 0))
    #expect((figures["peak_rss_mb"] ?? 0) > 1)
    let text = await tally("model", "bench", Squares.detector, "--runs", "1")
    #expect(text.outputLines.count == 2)
  }

  @Test("Shapes that cannot be are usage errors or bad data")
  func benchErrors() async {
    func run(_ arguments: String...) async -> CommandRun {
      await tally(["model", "bench", Squares.embedder, "--runs", "1"] + arguments)
    }
    #expect(await run("--shape", "image=1x3x224x224").failed(.usage))
    #expect(await run("--shape", "pixels=65536x65536x65536").failed(.usage))
    #expect(await run("--shape", "pixels=0").failed(.usage))
    #expect(await run("--shape", "pixels=1x3x64x64").failed(.badData))
    #expect(await run("--batch", "0").failed(.usage))
    #expect(await run("--batch", "4096").failed(.usage), "more numbers than anyone means")
    #expect(await run("--runs", "0").failed(.usage))
  }

  @Test("Made-up inputs follow what is declared")
  func madeUp() throws {
    func shape(
      _ sides: [ValueDescription.Dimension]?, batch: Int? = nil, given: [Int]? = nil
    ) throws -> [Int] {
      try MadeUpInputs(batch: batch, shapes: given.map { [NamedShape(name: "x", shape: $0)] } ?? [])
        .shape(for: ValueDescription(name: "x", elementType: .float32, shape: sides))
    }
    #expect(try shape([.fixed(1), .fixed(3), .fixed(8), .fixed(9)]) == [1, 3, 8, 9])
    #expect(try shape([.symbolic("n"), .fixed(3), .unknown, .unknown]) == [1, 3, 224, 224])
    #expect(
      try shape([.symbolic("n"), .unknown, .unknown, .unknown], batch: 5) == [5, 3, 224, 224])
    #expect(try shape([.unknown, .symbolic("length")]) == [1, 16])
    #expect(try shape([]) == [])
    #expect(try shape(nil, given: [2, 3]) == [2, 3])
    #expect(throws: UsageError.self) { try shape(nil) }
    for type in ElementType.allCases {
      let value = ValueDescription(name: "x", elementType: type, shape: [.fixed(2), .fixed(3)])
      let tensor = try MadeUpInputs(batch: nil, shapes: []).tensors(for: [value])["x"]
      #expect(tensor?.elementType == type)
      #expect(tensor?.shape == [2, 3])
    }
  }

  @Test("Named files and shapes are read")
  func named() {
    let file = ValueKind.namedFile
    #expect(file.parse("a=b.npy") == NamedFile(name: "a", path: "b.npy"))
    #expect(file.parse("a=b=c") == NamedFile(name: "a=b", path: "c"))
    #expect(file.parse("=b") == nil)
    #expect(file.parse("a=") == nil)
    #expect(file.parse("a") == nil)
    let shape = ValueKind.namedShape
    #expect(shape.parse("x=1x3x48x320") == NamedShape(name: "x", shape: [1, 3, 48, 320]))
    for text in ["x", "x=", "=1", "x=0", "x=1x", "x=-1", "x=1x99999999", "x=1,2"] {
      #expect(shape.parse(text) == nil, "\(text)")
    }
  }
}
