import Geometry
import Support

let iou = Box(x: 0, y: 0, width: 2, height: 2).iou(Box(x: 1, y: 0, width: 2, height: 2))
guard abs(iou - 1.0 / 3) < 1e-6 else { exit(because: "the IoU should be 1/3 and is \(iou)") }
print("Geometry: two squares that share half of each overlap by \(iou)")
