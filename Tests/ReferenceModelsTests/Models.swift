import Foundation
import Raster
import TestSupport

/// The tiny models that `Fixtures/generate/reference_models.py` writes.
func tinyModel(_ name: String) -> URL {
  Folders.goldens.appendingPathComponent("ReferenceModels/models/\(name).onnx")
}

/// An image of one colour.
func plain(_ colour: [UInt8], width: Int, height: Int) throws -> Raster {
  try Raster(
    width: width, height: height, channels: colour.count,
    samples: (0..<width * height).flatMap { _ in colour })
}

/// A disc of one colour on a ground of another.
func disc(_ colour: [UInt8], on ground: [UInt8], side: Int = 60, radius: Double = 0.8) -> Raster? {
  var samples: [UInt8] = []
  for y in 0..<side {
    for x in 0..<side {
      let (u, v) = (
        (Double(x) + 0.5) / Double(side) * 2 - 1, (Double(y) + 0.5) / Double(side) * 2 - 1
      )
      samples += u * u + v * v < radius * radius ? colour : ground
    }
  }
  return try? Raster(width: side, height: side, channels: 3, samples: samples)
}
