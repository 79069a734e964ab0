import BenchmarkSupport
import Experiments
import Geometry
import Matching
import Perception
import ScanLines
import Stats
import TallyGeometry
import TestSupport
import Tracking
import VisionProtocols

let mine = [
  benchmarkSupport, testSupport, experiments, geometry, matching, perception, scanLines, stats,
]
let detection = Detection(
  box: Box(x: 1, y: 2, width: 3, height: 4), score: 0.5, objectness: 1, classScore: 0.5, classID: 0)
print("\(mine.count) modules of the app, and \(detection.box.area) square pixels by Tally's")
