import Raster

/// How samples become a network's input: planes of blue, green and red.
enum PlanarSamples {
  /// The values of the 256 samples as they are, 0...255.
  static let plain: [Float] = (0..<256).map { Float($0) }
  /// The values of the 256 samples as -1...1: `(sample / 255 - 0.5) / 0.5`, each step in float32.
  static let signed: [Float] = (0..<256).map { (Float($0) / 255 - 0.5) / 0.5 }

  /// Writes an image of three channels as the three planes of `target`, whose rows are `rowStride`
  /// values long.
  ///
  /// Values beyond the image's width and height stay as they are.
  static func write(
    _ image: Raster, into target: UnsafeMutableBufferPointer<Float>, rowStride: Int, table: [Float]
  ) {
    let (width, height) = (image.width, image.height)
    let plane = target.count / 3
    image.samples.withUnsafeBufferPointer { samples in
      table.withUnsafeBufferPointer { table in
        for y in 0..<height {
          var from = y &* width &* 3
          var to = y &* rowStride
          for _ in 0..<width {
            target[to] = table[Int(samples[from &+ 2])]
            target[to &+ plane] = table[Int(samples[from &+ 1])]
            target[to &+ 2 &* plane] = table[Int(samples[from])]
            from &+= 3
            to &+= 1
          }
        }
      }
    }
  }
}
