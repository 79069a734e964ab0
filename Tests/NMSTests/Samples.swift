import Geometry
import TestSupport

/// Boxes of like size crowding about centers, and scores; `Fixtures/generate/nms.py` makes the
/// same.
func clustered(
  seed: Int, count: Int, clusters: Int, ties: Bool
) -> (boxes: [Box], scores: [Float]) {
  var generator = SeededGenerator(seed: UInt64(seed))
  let centers = (0..<clusters).map { _ in (0..<4).map { _ in generator.unitFloat() } }
  generator = SeededGenerator(seed: UInt64(seed + 1))
  var boxes: [Box] = []
  var scores: [Float] = []
  for index in 0..<count {
    let u = (0..<5).map { _ in generator.unitFloat() }
    let center = centers[index % clusters]
    boxes.append(
      Box(
        centerX: center[0] * 600 + (u[0] - 0.5) * 24, centerY: center[1] * 400 + (u[1] - 0.5) * 24,
        width: (12 + center[2] * 48) * (0.75 + u[2] * 0.5),
        height: (12 + center[3] * 48) * (0.75 + u[3] * 0.5)))
    scores.append(ties ? (u[4] * 64).rounded(.down) / 64 : u[4])
  }
  return (boxes, scores)
}

/// Boxes of every size, from specks to half the plane, some empty, some inverted, some the same.
func motley(seed: UInt64, count: Int) -> (boxes: [Box], scores: [Float]) {
  var generator = SeededGenerator(seed: seed)
  var boxes: [Box] = []
  for index in 0..<count {
    let size = Float(sign: .plus, exponent: Int(generator.next() % 12) - 3, significand: 1)
    let box = Box(
      x: generator.unitFloat() * 500 - 100, y: generator.unitFloat() * 300,
      width: size * (0.5 + generator.unitFloat()), height: size * (0.5 + generator.unitFloat()))
    switch generator.next() % 20 {
    case 0: boxes.append(Box(minX: box.maxX, minY: box.minY, maxX: box.minX, maxY: box.maxY))
    case 1: boxes.append(Box(minX: box.minX, minY: box.minY, maxX: box.minX, maxY: box.maxY))
    case 2 where index > 0: boxes.append(boxes[index - 1])
    default: boxes.append(box)
    }
  }
  let scores = (0..<count).map { _ in Float(generator.next() % 50) / 50 - 0.25 }
  return (boxes, scores)
}

/// Greedy suppression by comparing all pairs: the oracle for everything cleverer.
func suppressByAllPairs(
  boxes: [Box], order: [Int], threshold: Double, overlap: (Box, Box) -> Float
) -> [Int] {
  var kept: [Int] = []
  for index in order {
    let isCovered = kept.contains { Double(overlap(boxes[$0], boxes[index])) > threshold }
    if !isCovered { kept.append(index) }
  }
  return kept
}

/// Indices by descending score, equal scores in order.
func byScore(_ scores: [Float]) -> [Int] {
  scores.indices.sorted { scores[$0] != scores[$1] ? scores[$0] > scores[$1] : $0 < $1 }
}
