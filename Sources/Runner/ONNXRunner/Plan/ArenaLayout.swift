import RunnerTensors

/// The places of a plan's activations in one block of memory, reused by lifetime.
///
/// Values share a buffer if one may be computed in the place of another, or be a part of it.
/// Buffers whose lifetimes touch do not overlap. The largest is placed first, each in the smallest
/// sufficient gap (best fit). Correct results do not depend on the layout: see ``Arena``.
struct ArenaLayout: Sendable {
  /// A value's bytes.
  struct Place: Sendable, Equatable {
    let offset: Int
    let byteCount: Int
    /// The buffer; places in one buffer may overlap.
    let buffer: Int
    let form: ValueFact
    /// The value's slot.
    let slot: Int
  }

  /// The place for each step and output.
  ///
  /// Nil if the memory comes from elsewhere, as for results for the caller.
  let places: [[Place?]]

  /// For each step, whether every used output has a place.
  let hasAllPlaces: [Bool]

  /// The total number of bytes.
  let byteCount: Int

  /// The bytes of all activations without sharing.
  let unsharedByteCount: Int

  /// The starts of buffers are multiples of this.
  static let alignment = 64

  /// The layout of `plan`; `forms` are types and shapes by slot as far as they are known.
  init(_ plan: Plan, forms: [ValueFact?]) {
    var planner = Planner(plan, forms)
    planner.makeBuffers()
    byteCount = planner.placeBuffers()
    unsharedByteCount = planner.unshared
    let places = plan.steps.map { step in step.outputs.map { planner.place(of: $0) } }
    self.places = places
    hasAllPlaces = zip(places, plan.steps).map { places, step in
      zip(places, step.outputs).allSatisfy { $0 != nil || $1 < 0 }
    }
  }
}

/// The work of ``ArenaLayout``.
private struct Planner {
  struct Buffer {
    var members: [(slot: Int, offset: Int)]
    var byteCount: Int
    var first: Int
    var last: Int
    var offset = 0
    var isDropped = false
  }

  let plan: Plan
  let forms: [ValueFact?]
  var buffers: [Buffer] = []
  /// The slot whose memory each slot uses.
  var roots: [Int]
  /// The last step that reads a root's memory; none for memory that outlives the run.
  var ends: [Int]
  var bufferOf: [Int]
  var unshared = 0

  static let never = Int.max

  init(_ plan: Plan, _ forms: [ValueFact?]) {
    self.plan = plan
    self.forms = forms
    roots = Array(0..<plan.slotCount)
    ends = .init(repeating: -1, count: plan.slotCount)
    bufferOf = .init(repeating: -1, count: plan.slotCount)
    for step in plan.steps where step.memory == .view {
      if let input = step.inputs.first, let output = step.outputs.first, input >= 0, output >= 0 {
        roots[output] = roots[input]
      }
    }
    for (index, step) in plan.steps.enumerated() {
      for slot in step.outputs + step.inputs where slot >= 0 { ends[roots[slot]] = index }
    }
    // Memory from outside the run must not be written.
    for slot in plan.outputs + plan.inputs + plan.captures { ends[roots[slot]] = Self.never }
    for (slot, _) in plan.constants { ends[roots[slot]] = Self.never }
  }

  private func byteCount(_ slot: Int) -> Int? {
    guard let form = forms[slot], form.type != .string else { return nil }
    return form.byteCount(of: form.shape)
  }

  mutating func makeBuffers() {
    for (index, step) in plan.steps.enumerated() {
      for slot in step.outputs where slot >= 0 && roots[slot] == slot {
        guard ends[slot] != Self.never, let bytes = byteCount(slot), bytes > 0 else { continue }
        unshared += bytes
        if let place = replaceable(by: slot, at: index) {
          add(slot, to: place.buffer, at: place.offset)
        } else {
          bufferOf[slot] = buffers.count
          buffers.append(
            Buffer(
              members: [(slot, 0)], byteCount: bytes, first: index, last: ends[slot]))
          takeParts(of: step, into: slot)
        }
      }
    }
  }

  private mutating func add(_ slot: Int, to buffer: Int, at offset: Int) {
    buffers[buffer].members.append((slot, offset))
    buffers[buffer].last = max(buffers[buffer].last, ends[slot])
    bufferOf[slot] = buffer
  }

  /// The place of an input that nothing needs any more, if `slot` may be computed there.
  private func replaceable(by slot: Int, at index: Int) -> (buffer: Int, offset: Int)? {
    let step = plan.steps[index]
    guard step.memory == .inPlace, step.outputs.count == 1, let form = forms[slot],
      form.type == .float32
    else { return nil }
    for input in step.inputs where input >= 0 && forms[input] == form {
      let root = roots[input]
      let buffer = bufferOf[root]
      guard buffer >= 0, forms[root]?.type == form.type, byteCount(root) == byteCount(slot),
        buffers[buffer].members.allSatisfy({ ends[$0.slot] <= index }),
        !step.inputs.contains(where: {
          $0 >= 0 && roots[$0] != root && bufferOf[roots[$0]] == buffer
        }),
        let place = buffers[buffer].members.first(where: { $0.slot == root })
      else { continue }
      return (buffer, place.offset)
    }
    return nil
  }

  /// Moves the inputs of a step that joins them into the place of its result.
  private mutating func takeParts(of step: Plan.Step, into slot: Int) {
    guard let output = forms[slot], step.inputs.allSatisfy({ $0 >= 0 }) else { return }
    let inputs = step.inputs.compactMap { forms[$0]?.shape }
    guard inputs.count == step.inputs.count,
      let offsets = Self.parts(of: step, inputs: inputs, output: output.shape)
    else { return }
    let target = bufferOf[slot]
    for (input, elements) in zip(step.inputs, offsets) {
      let offset = elements * output.type.byteCount
      let source = bufferOf[roots[input]]
      guard roots[input] == input, source >= 0, source != target,
        buffers[source].byteCount == byteCount(input), forms[input]?.type == output.type,
        offset % ArenaLayout.alignment == 0, step.inputs.filter({ $0 == input }).count == 1
      else { continue }
      for member in buffers[source].members {
        bufferOf[member.slot] = target
        buffers[target].members.append((member.slot, member.offset + offset))
      }
      buffers[target].first = min(buffers[target].first, buffers[source].first)
      buffers[target].last = max(buffers[target].last, buffers[source].last)
      buffers[source].isDropped = true
    }
  }

  /// The offsets of a step's inputs in its result, in elements.
  ///
  /// Nil if the step does not join them one after the other without gaps.
  private static func parts(of step: Plan.Step, inputs: [[Int]], output: [Int]) -> [Int]? {
    guard step.memory == .join, inputs.allSatisfy({ $0.count == output.count }), inputs.count > 1
    else { return nil }
    let joined = output.indices.first { axis in inputs.contains { $0[axis] != output[axis] } }
    guard let axis = joined, output[..<axis].allSatisfy({ $0 == 1 }),
      inputs.allSatisfy({ $0[(axis + 1)...] == output[(axis + 1)...] })
    else { return nil }
    let each = output[(axis + 1)...].reduce(1, *)
    var offsets: [Int] = []
    var total = 0
    for input in inputs {
      offsets.append(total * each)
      total += input[axis]
    }
    return total == output[axis] ? offsets : nil
  }

  /// Gives every buffer its offset, and returns the total number of bytes.
  mutating func placeBuffers() -> Int {
    let order = buffers.indices.filter { !buffers[$0].isDropped }.sorted {
      (buffers[$1].byteCount, buffers[$0].first) < (buffers[$0].byteCount, buffers[$1].first)
    }
    var placed: [Int] = []  // ascending by offset
    var total = 0
    for index in order {
      let size = aligned(buffers[index].byteCount)
      var best: (gap: Int, offset: Int)?
      var end = 0
      for other in placed
      where buffers[other].first <= buffers[index].last
        && buffers[index].first <= buffers[other].last
      {
        let gap = buffers[other].offset - end
        if gap >= size, gap < best?.gap ?? .max { best = (gap, end) }
        end = max(end, buffers[other].offset + aligned(buffers[other].byteCount))
      }
      let offset = best?.offset ?? end
      buffers[index].offset = offset
      total = max(total, offset + size)
      let position = placed.firstIndex { buffers[$0].offset > offset } ?? placed.count
      placed.insert(index, at: position)
    }
    return total
  }

  private func aligned(_ size: Int) -> Int {
    (size + ArenaLayout.alignment - 1) / ArenaLayout.alignment * ArenaLayout.alignment
  }

  func place(of slot: Int) -> ArenaLayout.Place? {
    guard slot >= 0, bufferOf[slot] >= 0, let form = forms[slot], let bytes = byteCount(slot),
      let member = buffers[bufferOf[slot]].members.first(where: { $0.slot == slot })
    else { return nil }
    return ArenaLayout.Place(
      offset: buffers[bufferOf[slot]].offset + member.offset, byteCount: bytes,
      buffer: bufferOf[slot], form: form, slot: slot)
  }
}
