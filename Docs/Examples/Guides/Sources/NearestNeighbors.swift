import LinearAlgebra

// begin
// 300 vectors of 32 values.
let vectors: [[Float]] = (0..<300).map { row in
  (0..<32).map { column in
    let noise = Float((row * column) % 7) / 50
    return sin(Float((1 + row % 20) * column)) + noise
  }
}
let examples = try Matrix(rows: vectors)
let query = vectors[3]
let rows = try VectorRows(vectors, layout: VectorLayout(dimension: 32))
let quantizer = try ProductQuantizer(training: examples, subspaceCount: 16)
let codes = try quantizer.encoded(examples)
