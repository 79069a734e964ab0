import FuzzSupport
import Geometry

extension Choices {
  /// A box: mostly one of many alike in rows, now and then anything.
  mutating func box() -> Box {
    let kind = byte()
    if kind >= 240 {
      return Box(minX: anyFloat(), minY: anyFloat(), maxX: anyFloat(), maxY: anyFloat())
    }
    if kind >= 220 { return Box(minX: float(), minY: float(), maxX: float(), maxY: float()) }
    let left = Float(kind % 15) * 16 + Float(byte()) / 64
    let top = Float(kind / 15) * 16 + Float(byte()) / 64
    let size = byte()
    return Box(
      minX: left, minY: top, maxX: left + 8 + Float(size & 15), maxY: top + 8 + Float(size >> 4))
  }

  /// A score or another share: mostly of 0...1, now and then anything.
  mutating func share() -> Float {
    let byte = byte()
    return byte < 240 ? Float(byte) / 239 : byte < 250 ? float() : anyFloat()
  }
}
