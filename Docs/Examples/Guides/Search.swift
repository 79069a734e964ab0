import LinearAlgebra

// begin
// 400 vectors of 512 values; every twentieth is similar to the query.
let vectors: [[Float]] = (0..<400).map { row in
  (0..<512).map { column in
    let kind = row % 20
    let noise = Float((row * column) % 7) / 50
    return sin(Float(column * (1 + kind)) / 40) + noise
  }
}
let query = vectors[3]
let queries = try Matrix(rows: Array(vectors.prefix(10)))
let isOnSale = (0..<400).map { $0 % 2 == 1 }
let examples = try Matrix(rows: vectors)
