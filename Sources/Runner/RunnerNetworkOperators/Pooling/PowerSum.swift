import Foundation

/// Adds up a p-norm.
struct PowerSum {
  let power: Int
  private var sum = 0.0

  init(power: Int) {
    self.power = power
  }

  mutating func add(_ value: Float) {
    let magnitude = Double(abs(value))
    switch power {
    case 1: sum += magnitude
    case 2: sum += magnitude * magnitude
    default: sum += pow(magnitude, Double(power))
    }
  }

  /// The norm of what was added.
  var root: Float {
    switch power {
    case 1: return Float(sum)
    case 2: return Float(sum.squareRoot())
    default: return Float(pow(sum, 1 / Double(power)))
    }
  }
}
