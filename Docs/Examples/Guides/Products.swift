import Geometry
import ReferenceModels

func addSlider(_ title: String, _ range: ClosedRange<Double>, _ step: Double, help: String) {
  print(title, range, step)
}

// begin
let path = "settings.json"
var counter = try ObjectCounter.bundled()
let photo = TestImage("tray", width: 640, height: 480)!
let detection = Detection(
  box: Box(x: 10, y: 10, width: 50, height: 50), score: 0.9, objectness: 0.9, classScore: 1,
  classID: 0)
