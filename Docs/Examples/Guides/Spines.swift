import Geometry
import ImageFiles

// begin
let image = try ImageFile.load(contentsOf: checkoutFile("Fixtures/Images/shelf.jpg"))
let lines = ["The Time", "Machine", "H. G. Wells"].enumerated().map { index, text in
  let box = Box(x: 400, y: Float(100 + 200 * index), width: 40, height: 180)
  return SpineTextLine(outline: Quadrilateral(box), text: text, confidence: 0.9)
}
