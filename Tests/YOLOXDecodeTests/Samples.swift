import TestSupport

/// A network's output; `Fixtures/generate/yolox_decode.py` makes the same.
func sampleOutput(seed: UInt64, rows: Int, classes: Int) -> [Float] {
  var generator = SeededGenerator(seed: seed)
  var values: [Float] = []
  for _ in 0..<rows {
    for column in 0..<5 + classes {
      let unit = generator.unitFloat()
      switch column {
      case 0, 1: values.append(unit * 4 - 2)
      case 2, 3: values.append(unit * 6 - 3)
      case 4: values.append(unit * unit)
      default: values.append((unit * 32).rounded(.down) / 32)
      }
    }
  }
  return values
}
