import Geometry

func mergeOverlaps(boxes: [Box], order: [Int], maximumIoU: Float) -> [Int] {
  var kept: [Int] = []
  for index in order where !kept.contains(where: { boxes[$0].iou(boxes[index]) > maximumIoU }) {
    kept.append(index)
  }
  return kept
}

func nonMaximumSuppression(boxes: [Box], scores: [Float], maximumIoU: Float) -> [Int] {
  let order = boxes.indices.sorted { scores[$0] != scores[$1] ? scores[$0] > scores[$1] : $0 < $1 }
  return mergeOverlaps(boxes: boxes, order: order, maximumIoU: maximumIoU)
}

func averageLinkage(_ rows: [[Double]], _ limit: Double) -> [Int] {
  func dot(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).map(*).reduce(0, +) }
  let sums = rows.map { row in row.map { $0 / dot(row, row).squareRoot() } }
  var clusters = rows.indices.map { (members: [$0], sum: sums[$0]) }
  while clusters.count > 1 {
    var best = (limit, -1, -1)
    for b in clusters.indices {
      for a in 0..<b {
        let pairs = Double(clusters[a].members.count * clusters[b].members.count)
        let distance = 1 - dot(clusters[a].sum, clusters[b].sum) / pairs
        if distance < best.0 { best = (distance, a, b) }
      }
    }
    if best.1 < 0 { break }
    clusters[best.1].members += clusters[best.2].members
    clusters[best.1].sum = zip(clusters[best.1].sum, clusters[best.2].sum).map(+)
    clusters.remove(at: best.2)
  }
  var labels = [Int](repeating: 0, count: rows.count)
  for (label, cluster) in clusters.enumerated() {
    for member in cluster.members { labels[member] = label }
  }
  return labels
}
