import Geometry

// begin
// An object that moves, and is found in every frame.
let frames = (0..<5).map { frame in
  let box = IdentifiedBox(id: 1, box: Box(x: Float(frame), y: 0, width: 40, height: 40))
  return EvaluatedFrame(truths: [box], predictions: [box])
}
let answers = [RetrievedItems(ranking: ["pen", "cup", "fork"], relevant: ["cup", "fork"])]
