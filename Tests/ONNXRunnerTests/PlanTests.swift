import Foundation
import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// Plans for inputs of known shapes, and the memory they lay out.
@Suite struct PlanTests {
  typealias Sketch = GraphPassTests.Sketch

  private func integers(_ sketch: inout Sketch, _ name: String, _ values: [Int64]) throws {
    sketch.graph.constants[sketch.value(name)] = try Tensor(shape: [values.count], values)
  }

  // MARK: Shapes

  @Test func shapeArithmeticBecomesConstant() throws {
    var sketch = Sketch(inputs: ["x"])
    try integers(&sketch, "minus", [-1])
    try integers(&sketch, "one", [1])
    sketch.node("Shape", ["x"], "shape")
    sketch.node("Gather", ["shape", "one"], "columns", ["axis": .int(0)])
    sketch.node("Concat", ["minus", "columns"], "wanted", ["axis": .int(0)])
    sketch.node("Relu", ["x"], "r")
    sketch.node("Reshape", ["r", "wanted"], "flat")
    sketch.node("Relu", ["flat"], "y")
    sketch.graph.outputs = [sketch.value("y")]
    ShapeFolding.apply(to: &sketch.graph, inputs: [ValueFact(.float32, [6, 4])])
    // The reshape is to the shape there is already.
    #expect(sketch.graph.nodes.map(\.name) == ["r", "y"])
    #expect(sketch.graph.nodes[1].inputs == [sketch.value("r")])
    let wanted = try #require(sketch.graph.constants[sketch.value("wanted")])
    #expect(try wanted.array(of: Int64.self) == [-1, 4])
    #expect(sketch.graph.facts[sketch.value("y")] == ValueFact(.float32, [6, 4]))
  }

  @Test func whatDependsOnDataIsNotAssumed() throws {
    var sketch = Sketch(inputs: ["x"])
    sketch.node("NonZero", ["x"], "places")
    sketch.node("Shape", ["places"], "shape")
    sketch.graph.outputs = [sketch.value("shape")]
    ShapeFolding.apply(to: &sketch.graph, inputs: [ValueFact(.float32, [6, 4])])
    #expect(sketch.graph.nodes.map(\.operation) == ["NonZero", "Shape"])
    #expect(sketch.graph.facts[sketch.value("places")] == nil)
  }

  @Test func nodesThatDoNothingGo() throws {
    var sketch = Sketch(inputs: ["x"])
    try integers(&sketch, "starts", [0])
    try integers(&sketch, "ends", [.max])
    try integers(&sketch, "axes", [1])
    try integers(&sketch, "back", [-1])
    try integers(&sketch, "from", [-1])
    try integers(&sketch, "to", [Int64.min + 1])
    sketch.node("Identity", ["x"], "a")
    sketch.node("Cast", ["a"], "b", ["to": .int(1)])
    sketch.node("Slice", ["b", "starts", "ends", "axes"], "c")
    sketch.node("Transpose", ["c"], "d", ["perm": .ints([1, 0, 2])])
    // This one turns the order around.
    sketch.node("Slice", ["d", "from", "to", "axes", "back"], "e")
    sketch.graph.outputs = [sketch.value("e")]
    ShapeFolding.apply(to: &sketch.graph, inputs: [ValueFact(.float32, [1, 1, 5])])
    #expect(sketch.graph.nodes.map(\.name) == ["e"])
    #expect(sketch.graph.nodes[0].inputs[0] == sketch.value("x"))
  }

  // MARK: The cache

  private static func openModel() -> SmallModel {
    var model = SmallModel()
    model.inputs = [("x", 1, [-1, 3])]
    model.nodes = [
      .init(operation: "Relu", inputs: ["x"], outputs: ["a"]),
      .init(operation: "Sigmoid", inputs: ["a"], outputs: ["b"]),
      .init(operation: "Add", inputs: ["b", "x"], outputs: ["y"]),
    ]
    return model
  }

  @Test func plansAreMadeOncePerShape() throws {
    let session = try InferenceSession(data: Self.openModel().data)
    func run(_ rows: Int) throws {
      let x = try Seeded.tensor(seed: UInt64(rows), shape: [rows, 3])
      let y = try #require(try session.run(["x": x])["y"])
      let expected = try x.floats().map { max($0, 0) }.map { 1 / (1 + exp(-$0)) }
      for (index, value) in try y.floats().enumerated() {
        #expect(abs(value - expected[index] - (try x.floats()[index])) < 1e-6)
      }
    }
    for _ in 0..<3 { for rows in 1...PlanCache.capacity { try run(rows) } }
    #expect(session.plans.madeCount == PlanCache.capacity)
    try run(PlanCache.capacity + 1)
    try run(PlanCache.capacity + 1)
    #expect(session.plans.madeCount == PlanCache.capacity + 1)
    // The one used longest ago went.
    try run(1)
    #expect(session.plans.madeCount == PlanCache.capacity + 2)
  }

  @Test func manyShapesAtOnce() async throws {
    let session = try InferenceSession(data: Self.openModel().data)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for task in 0..<32 {
        group.addTask {
          var isRight = true
          for rows in 1...20 {
            let x = try Seeded.tensor(seed: UInt64(task), shape: [rows + task % 4, 3])
            let y = try session.run(["x": x])["y"]
            isRight = try isRight && y?.floats().count == x.count
            for (value, input) in zip(try y?.floats() ?? [], try x.floats()) {
              isRight = isRight && abs(value - input - 1 / (1 + exp(-max(input, 0)))) < 1e-6
            }
          }
          return isRight
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }

  @Test func packedWeightsAreShared() throws {
    let cache = PackedWeightsCache()
    let tensor = try Tensor(shape: [2], [1, 2] as [Float])
    func weights(_ form: String, _ bytes: Int) -> PackedWeights {
      cache.weights(tensor, form: form, mostBytes: 256) { $1.storage(byteCount: bytes) }
    }
    let first = weights("a", 64)
    let same = weights("a", 128)
    let other = weights("b", 256)
    #expect(first === same)
    #expect(first !== other)
    #expect(first.byteCount == 0)
    #expect(first.storage.byteCount == 64)
    #expect(cache.all.reduce(0) { $0 + $1.byteCount } == 64)
  }

  // MARK: The arena

  /// Random graphs of what may work in place, join, and see memory in another shape.
  private func randomGraph(_ generator: inout SeededGenerator) throws -> Graph {
    var sketch = Sketch(inputs: ["x", "z"])
    var live: [(name: String, rows: Int)] = [("x", 1), ("z", 1)]
    try integers(&sketch, "flat", [1, -1])
    try integers(&sketch, "wide", [-1, 16])
    for index in 0..<Int(8 + generator.next() % 24) {
      let a = live[Int(generator.next() % UInt64(live.count))]
      let name = "v\(index)"
      switch generator.next() % 5 {
      case 0:
        sketch.node("Relu", [a.name], name)
        live.append((name, a.rows))
      case 1:
        let fitting = live.filter { $0.rows == a.rows }
        let b = fitting[Int(generator.next() % UInt64(fitting.count))]
        sketch.node(generator.next() % 2 == 0 ? "Add" : "Mul", [a.name, b.name], name)
        live.append((name, a.rows))
      case 2:
        let b = live[Int(generator.next() % UInt64(live.count))]
        sketch.node("Concat", [a.name, b.name], name, ["axis": .int(0)])
        live.append((name, a.rows + b.rows))
      case 3:
        sketch.node("Reshape", [a.name, "flat"], name + "f")
        sketch.node("Sigmoid", [name + "f"], name + "s")
        sketch.node("Reshape", [name + "s", "wide"], name)
        live.append((name, a.rows))
      default:
        sketch.node("Softmax", [a.name], name, ["axis": .int(1)])
        live.append((name, a.rows))
      }
    }
    sketch.graph.outputs = [live[live.count - 1].name, live[live.count - 2].name].map {
      sketch.value($0)
    }
    return sketch.graph
  }

  @Test(arguments: 0..<60) func arenaKeepsLiveValuesApart(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var graph = try randomGraph(&generator)
    let facts = [ValueFact](repeating: ValueFact(.float32, [1, 16]), count: 2)
    DeadCode.apply(to: &graph)
    let known = ShapeInference.facts(of: graph, inputs: facts)
    let plan = try PlanBuilder().plan(graph)
    let layout = ArenaLayout(plan, forms: known)
    #expect(layout.byteCount <= layout.unsharedByteCount + 64 * plan.steps.count)
    // No two buffers that are alive at one time overlap.
    var spans: [Int: (first: Int, last: Int, low: Int, high: Int)] = [:]
    for (index, places) in layout.places.enumerated() {
      for case .some(let place) in places {
        let readers = plan.steps.indices.filter { plan.steps[$0].inputs.contains(place.slot) }
        let old = spans[place.buffer] ?? (index, index, place.offset, place.offset)
        spans[place.buffer] = (
          old.first, max(old.last, readers.last ?? index), min(old.low, place.offset),
          max(old.high, place.offset + place.byteCount)
        )
      }
    }
    for (key, a) in spans {
      for (other, b) in spans
      where other > key && a.first <= b.last && b.first <= a.last {
        #expect(a.high <= b.low || b.high <= a.low, "buffers \(key) and \(other)")
      }
    }
    // And the results are those without an arena.
    let inputs = try (1...2).map { try Seeded.tensor(seed: UInt64($0), shape: [1, 16]) }
    var execution = Execution(
      pool: BufferPool(limit: 1 << 30), threads: ThreadPool(threadCount: 2), isCancelled: nil,
      profile: nil)
    let expected = try execution.run(plan, inputs: inputs).map { try $0.floats() }
    execution.layout = layout
    execution.poisonsArena = true
    for _ in 0..<2 {
      let observer = RunObserver(known)
      execution.observer = observer
      let results = try execution.run(plan, inputs: inputs).map { try $0.floats() }
      #expect(results == expected)
      #expect(observer.surprises.isEmpty)
    }
  }

  @Test func chainTakesOnePlace() throws {
    var sketch = Sketch(inputs: ["x"])
    for index in 0..<6 {
      sketch.node("Relu", [index == 0 ? "x" : "r\(index - 1)"], "r\(index)")
    }
    sketch.node("Softmax", ["r5"], "y")
    sketch.graph.outputs = [sketch.value("y")]
    let known = ShapeInference.facts(of: sketch.graph, inputs: [ValueFact(.float32, [4, 16])])
    let layout = ArenaLayout(try PlanBuilder().plan(sketch.graph), forms: known)
    #expect(layout.byteCount == 256)
    #expect(layout.unsharedByteCount == 6 * 256)
  }

  @Test func joinedPartsLieInTheResult() throws {
    var sketch = Sketch(inputs: ["x"])
    sketch.node("Relu", ["x"], "a")
    sketch.node("Softmax", ["x"], "b")
    sketch.node("Concat", ["a", "b"], "c", ["axis": .int(1)])
    sketch.node("Softmax", ["c"], "y")
    sketch.graph.outputs = [sketch.value("y")]
    let known = ShapeInference.facts(of: sketch.graph, inputs: [ValueFact(.float32, [1, 16, 4])])
    let layout = ArenaLayout(try PlanBuilder().plan(sketch.graph), forms: known)
    let places = layout.places.flatMap { $0 }.map { $0?.offset }
    #expect(places == [0, 256, 0, nil])
    #expect(layout.byteCount == 512)
  }

  @Test func whatAKernelPassesOnIsNotOverwritten() throws {
    let place = ArenaLayout.Place(
      offset: 0, byteCount: 64, buffer: 0, form: ValueFact(.float32, [16]), slot: 0)
    let next = ArenaLayout.Place(
      offset: 0, byteCount: 64, buffer: 0, form: ValueFact(.float32, [16]), slot: 1)
    let other = ArenaLayout.Place(
      offset: 32, byteCount: 32, buffer: 1, form: ValueFact(.float32, [8]), slot: 2)
    let arena = Arena(TensorStorage(allocating: 128))
    var storage = arena.storage(at: place)
    #expect(storage != nil)
    #expect(arena.storage(at: place) == nil)
    #expect(arena.storage(at: other) == nil)
    #expect(arena.storage(at: next) != nil)
    storage?.protectLoan()
    #expect(arena.storage(at: next) == nil)
    storage = nil
    #expect(arena.storage(at: other) != nil)
  }

  @Test func scratchLiesInGaps() throws {
    func place(_ offset: Int, _ size: Int, _ slot: Int) -> ArenaLayout.Place {
      ArenaLayout.Place(
        offset: offset, byteCount: size, buffer: slot, form: ValueFact(.uint8, [size]), slot: slot)
    }
    let arena = Arena(TensorStorage(allocating: 1024))
    let first = try #require(arena.storage(at: place(128, 100, 0)))
    let second = try #require(arena.storage(at: place(512, 64, 1)))
    // Between the two, where the step's own place leaves 64 bytes.
    let small = try #require(arena.scratch(byteCount: 60, avoiding: [place(256, 192, 2)]))
    #expect(small.base - first.base == 320)
    let before = try #require(arena.scratch(byteCount: 128, avoiding: [place(256, 192, 2)]))
    #expect(before.base - first.base == -128)
    #expect(arena.scratch(byteCount: 449, avoiding: []) == nil)
    #expect(arena.scratch(byteCount: 0, avoiding: []) == nil)
    let rest = try #require(arena.scratch(byteCount: 448, avoiding: []))
    #expect(rest.base - second.base == 64)
  }

  /// Every real model gives bit by bit what it gives without planned memory.
  @Test(arguments: RealModelTests.goldens)
  func realModelsAgree(golden: RealModelTests.Golden) throws {
    guard let file = try golden.file() else { return }
    var options = SessionOptions(threads: 2)
    options.disabledPasses = [.memoryPlanning]
    let plain = try InferenceSession(contentsOf: file, options: options)
    let planned = try InferenceSession(contentsOf: file)
    let inputs = try golden.tensors()
    var run = RunOptions()
    run.poisonsArena = true
    let expected = try plain.run(inputs)
    for _ in 0..<2 {
      for (name, tensor) in try planned.run(inputs, options: run) {
        let other = try #require(expected[name])
        #expect(tensor.withUnsafeBytes { a in other.withUnsafeBytes { a.elementsEqual($0) } })
      }
    }
    let plan = try planned.planDescription(for: inputs)
    #expect(try #require(plan.arenaByteCount) < plan.unsharedByteCount)
    #expect(plan.steps.allSatisfy { $0.outputs.allSatisfy { $0.shape != nil } })
  }
}
