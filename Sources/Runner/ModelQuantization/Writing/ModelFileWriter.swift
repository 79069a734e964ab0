import Foundation
import ONNXFormat
import ONNXRunner
import RunnerGraph
import RunnerTensors

/// Writes files like one that was read, with another graph in it.
struct ModelFileWriter {
  private let fields: [RawField]
  private let original: GraphWriter.Original
  private let message: ModelMessage
  private let storesHalves: Bool

  /// What protobuf can hold.
  static let mostBytes = (2 << 30) - 1

  /// - Throws: `ModelError` if the file is not a model.
  init(_ model: FoldedModel) throws {
    fields = try RawField.all(of: WireReader(model.file))
    message = model.message
    storesHalves = model.hasHalfWeights
    var original = GraphWriter.Original()
    for field in fields where field.number == 7 {
      for part in try RawField.all(of: field.message) {
        if part.number != 1, part.number != 5 { original.graph.append(part) }
        guard part.number == 1 else { continue }
        let notes = try RawField.all(of: part.message).filter { $0.number == 6 || $0.number == 9 }
        guard !notes.isEmpty else { continue }
        if let output = try NodeMessage(part.message).outputs.first {
          original.notes[ExactName(output)] = notes
        }
      }
    }
    self.original = original
  }

  /// A file of `graph` with further values as outputs, and a property besides those it has.
  ///
  /// - Throws: ``ModelQuantizationError/tooLarge(byteCount:)``, `ModelError`.
  func data(
    _ graph: Graph, outputs: [Graph.Value] = [], property: (key: String, value: String)? = nil,
    isTemporary: Bool = false
  ) throws -> Data {
    let expected = GraphWriter.byteCount(of: graph)
    guard expected <= Self.mostBytes else {
      throw ModelQuantizationError.tooLarge(byteCount: expected)
    }
    var writer = WireWriter()
    writer.reserve(expected)
    for field in fields {
      switch field.number {
      case 7, 8, 25: continue
      case 14:
        // What is said of the last quantisation goes.
        var entry = field.message
        if let property, try Self.key(&entry) == property.key { continue }
        writer.raw(field)
      default: writer.raw(field)
      }
    }
    var graphWriter = GraphWriter(like: original, storesHalves: storesHalves && !isTemporary)
    try graphWriter.write(graph, outputs: outputs, to: &writer)
    for opset in message.opsets {
      let isOwn = opset.domain.isEmpty || opset.domain == "ai.onnx"
      let version = isOwn ? graph.opsets[""] ?? opset.version : opset.version
      writer.message(8) { writer in
        writer.string(1, opset.domain)
        writer.integer(2, version)
      }
    }
    if let property { writer.entry(14, key: property.key, value: property.value) }
    guard writer.bytes.count <= Self.mostBytes else {
      throw ModelQuantizationError.tooLarge(byteCount: writer.bytes.count)
    }
    return Data(writer.bytes)
  }

  private static func key(_ reader: inout WireReader) throws -> String? {
    for field in try RawField.all(of: reader) where field.number == 1 {
      return String(
        decoding: UnsafeRawBufferPointer(
          start: reader.file.base + field.value.lowerBound, count: field.value.count),
        as: UTF8.self)
    }
    return nil
  }
}
