/// Vectors of three kinds.
func vectors(_ wobble: Float) throws -> Matrix<Float> {
  let rows: [[Float]] = (0..<40).map { row in
    (0..<5).map { column in
      let noise = wobble * Float((row * 7 + column * 3) % 11)
      return column == row / 14 ? 1 : noise
    }
  }
  return try Matrix(rows: rows)
}

// begin
let embeddings = try vectors(0.01)
let others = try vectors(0.005)
let centers = embeddings.rows([0, 4, 8, 12, 16, 24, 32, 36]).converted(to: Double.self)
let truth = (0..<40).map { $0 / 14 }
