import Foundation
import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// Fourier transforms against the sum that defines them.
@Suite struct SpectrumTests {
  /// Real and imaginary parts, by the definition.
  private func transform(_ signal: [Double], length: Int, isInverse: Bool) -> [Double] {
    let given = signal.count / 2
    return (0..<length).flatMap { bin -> [Double] in
      var (real, imaginary) = (0.0, 0.0)
      for index in 0..<min(given, length) {
        let turn = Double(index * bin % length) / Double(length) * 2 * Double.pi
        let (c, s) = (cos(turn), isInverse ? sin(turn) : -sin(turn))
        let (a, b) = (signal[2 * index], signal[2 * index + 1])
        real += a * c - b * s
        imaginary += a * s + b * c
      }
      let factor = isInverse ? 1 / Double(length) : 1
      return [real * factor, imaginary * factor]
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 12, 16, 30, 31, 64, 100, 127])
  func anyLength(count: Int) throws {
    let signal = noise(2 * count, seed: UInt64(count)).map { Double($0) }
    let x = try Tensor(shape: [1, count, 2], signal)
    for isInverse in [false, true] {
      for length in [count, count + 3, max(count - 2, 1)] {
        let result = try run(
          "DFT", attributes: ["inverse": .int(isInverse ? 1 : 0)],
          [x, ints([], [Int64(length)])])[0]
        #expect(result.shape == [1, length, 2])
        let expected = transform(signal, length: length, isInverse: isInverse)
        for (got, expected) in zip(try result.array(of: Double.self), expected) {
          #expect(abs(got - expected) < 1e-12 * Double(4 * length))
        }
      }
    }
  }

  /// Half of the spectrum of real numbers, and along an axis that is not the last.
  @Test func oneSideOfAnyAxis() throws {
    let x = noise([3, 10, 2, 1], seed: 4)
    let whole = try run("DFT", [x, nil, ints([], [1])])[0]
    let half = try run("DFT", attributes: ["onesided": .int(1)], [x, nil, ints([], [-3])])[0]
    #expect(whole.shape == [3, 10, 2, 2] && half.shape == [3, 6, 2, 2])
    let (a, b) = (try whole.floats(), try half.floats())
    for place in 0..<half.count {
      let (image, rest) = (place / 24, place % 24)
      #expect(b[place] == a[image * 40 + rest])
    }
    let old = try run("DFT", opset: 17, attributes: ["axis": .int(1)], [x])[0]
    #expect(try old.floats() == a)
  }

  /// Each piece of a signal by itself.
  @Test func pieces() throws {
    let signal = noise([2, 50, 1], seed: 7)
    let window = noise([12], seed: 8)
    let result = try run(
      "STFT", attributes: ["onesided": .int(0)], [signal, ints([], [5]), window])[0]
    #expect(result.shape == [2, 8, 12, 2])
    let values = try signal.floats().map { Double($0) }
    let weights = try window.floats().map { Double($0) }
    let got = try result.floats()
    for piece in 0..<16 {
      let start = piece / 8 * 50 + piece % 8 * 5
      let part = (0..<12).flatMap { index -> [Double] in
        [values[start + index] * weights[index], 0]
      }
      let expected = transform(part, length: 12, isInverse: false)
      for index in 0..<24 { #expect(abs(Double(got[piece * 24 + index]) - expected[index]) < 1e-5) }
    }
  }

  /// Exporters leave out the last dimension of a real signal.
  @Test func piecesOfAFlatSignal() throws {
    let (signal, window) = (noise([2, 50, 1], seed: 7), noise([12], seed: 8))
    let flat = noise([2, 50], seed: 7)
    let expected = try run("STFT", [signal, ints([], [5]), window])[0]
    let result = try run("STFT", [flat, ints([], [5]), window])[0]
    #expect(result.shape == [2, 8, 7, 2])
    #expect(try result.floats() == expected.floats())
    for shape in [[50], [2, 50, 1, 1], [2, 50, 3]] {
      #expect(throws: ModelError.self) {
        try run("STFT", [noise(shape, seed: 7), ints([], [5]), window])
      }
    }
  }

  @Test func hostileSizes() {
    let x = noise([1, 8, 1], seed: 1)
    for length in [0, -1, 1 << 40, .max] as [Int64] {
      #expect(throws: ModelError.self) { try run("DFT", [x, ints([], [length])]) }
      #expect(throws: ModelError.self) {
        try run("STFT", [x, ints([], [1]), nil, ints([], [length])])
      }
      #expect(throws: ModelError.self) {
        try run(
          "MelWeightMatrix",
          [ints([], [4]), ints([], [length]), ints([], [0]), floats([], [0]), floats([], [1])])
      }
    }
    #expect(throws: ModelError.self) {
      try run("STFT", [x, ints([], [0]), nil, ints([], [4])])
    }
  }
}
