import Geometry
import Vision

/// Where `observation(_:)` lies in an image of 8 x 4 pixels.
let observedOutline = Quadrilateral(Box(minX: 2, minY: 1, maxX: 6, maxY: 3))

/// An observation in the middle of the image, of half its width and height.
func observation<Observation: VNRectangleObservation>(_ observation: Observation) -> Observation {
  observation.topLeft = CGPoint(x: 0.25, y: 0.75)
  observation.topRight = CGPoint(x: 0.75, y: 0.75)
  observation.bottomRight = CGPoint(x: 0.75, y: 0.25)
  observation.bottomLeft = CGPoint(x: 0.25, y: 0.25)
  return observation
}

/// An object in the same place.
func object(_ label: String, confidence: Float) -> VNRecognizedObjectObservation {
  let object = VNRecognizedObjectObservation()
  object.boundingBox = CGRect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
  object.confidence = confidence
  let classification = VNClassificationObservation()
  classification.identifier = label
  object.labels = [classification]
  return object
}

/// The bytes of numbers.
func bytes(_ values: [Float]) -> [UInt8] {
  values.withUnsafeBytes { Array($0) }
}
