import Geometry
import ImageFiles
import ReferenceModels

// begin
let photo = try ImageFile.load(contentsOf: checkoutFile("Fixtures/Images/coins.png"))
let image = photo
let detector = try BundledModels.detector()
let embedder = try BundledModels.embedder()
let counter = try ObjectCounter.bundled()
let models = CountTemplate.Models.bundled
// A coin, a part of the background, and the left part of the photo.
let box = Box(x: 79, y: 175, width: 45, height: 42)
let background = Box(x: 0, y: 0, width: 20, height: 20)
let part = Box(x: 0, y: 0, width: 200, height: 303)
let other = photo
