import TestSupport

/// The map that `Fixtures/generate/text_decode.py` makes of the same numbers: turned bars over noise.
func textMap(seed: UInt64, width: Int, height: Int, bars: Int, specks: Int) -> [Float] {
  var noise = SeededGenerator(seed: seed)
  let u = (0..<width * height).map { _ in noise.unitFloat() }
  var values = u.map { $0 * 0.29 }
  var places = SeededGenerator(seed: seed + 1000)
  for _ in 0..<bars {
    let bar = (0..<6).map { _ in places.unitFloat() }
    let (cx, cy) = (Int(bar[0] * Float(width)), Int(bar[1] * Float(height)))
    let b = Int(bar[3] * 41) - 20
    var a = Int(bar[2] * 41) - 20
    if a == 0, b == 0 { a = 1 }
    let norm = Int(Double(a * a + b * b).squareRoot())
    let along = Int(bar[4] * Float(width / 6)) * norm
    let across = (1 + Int(bar[5] * 8)) * norm
    for y in 0..<height {
      for x in 0..<width {
        let (dx, dy) = (x - cx, y - cy)
        if abs(dx * a + dy * b) <= along, abs(dy * a - dx * b) <= across {
          values[y * width + x] = 0.45 + u[y * width + x] * 0.55
        }
      }
    }
  }
  var dots = SeededGenerator(seed: seed + 2000)
  for _ in 0..<specks {
    let (x, y) = (dots.unitFloat(), dots.unitFloat())
    values[Int(y * Float(height)) * width + Int(x * Float(width))] = 1
  }
  return values
}

/// The rows that `Fixtures/generate/text_beams.py` makes of the same numbers: powers of units.
func beamOutput(seed: UInt64, steps: Int, classes: Int, power: Int) -> [Float] {
  var generator = SeededGenerator(seed: seed)
  return (0..<steps * classes).map { _ in
    let unit = generator.unitFloat()
    return (1..<power).reduce(unit) { value, _ in value * unit }
  }
}
