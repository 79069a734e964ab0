import LinearAlgebra

// begin
// 20 vectors in two directions, and 6 more.
let embeddings = try Matrix(rows: (0..<20).map { [1, Float($0 % 2), Float($0) / 100] })
let others = embeddings.rows([0, 1, 2, 3, 4, 5])
