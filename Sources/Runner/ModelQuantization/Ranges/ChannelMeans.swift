import RunnerTensors

/// The mean of each channel of a value, over all examples.
struct ChannelMeans {
  private var sums: [Double] = []
  private var count = 0

  /// The means; empty if nothing was seen.
  var values: [Double] { count > 0 ? sums.map { $0 / Double(count) } : [] }

  /// Takes a tensor in.
  ///
  /// - Parameter axis: of the channels; those of images are the second dimension.
  mutating func add(_ tensor: Tensor, axis: Int) throws {
    guard tensor.shape.indices.contains(axis), tensor.count > 0 else { return }
    let channels = tensor.shape[axis]
    if sums.isEmpty { sums = .init(repeating: 0, count: channels) }
    guard sums.count == channels else { return }
    let inner = tensor.shape[(axis + 1)...].reduce(1, *)
    try tensor.withElements(of: Float.self) { values in
      guard let base = values.baseAddress else { return }
      // Short stretches one after the other, so that little is lost.
      for start in stride(from: 0, to: values.count, by: inner) {
        var total = 0.0
        for first in stride(from: start, to: start + inner, by: 256) {
          var part: Float = 0
          for index in first..<min(first + 256, start + inner) { part += base[index] }
          total += Double(part)
        }
        sums[start / inner % channels] += total
      }
    }
    count += tensor.count / channels
  }
}
