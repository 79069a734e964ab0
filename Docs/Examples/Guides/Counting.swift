import Foundation
import Geometry
import ImageFiles
import ReferenceModels

// begin
let photo = try ImageFile.load(contentsOf: checkoutFile("Fixtures/Images/coins.png"))
let counter = try ObjectCounter.bundled()
let templates = TemplateFolder(URL(fileURLWithPath: "templates"))
let now = Date(timeIntervalSince1970: 1_700_000_000)
// A coin, a part of the background, and the left part of the photo.
let box = Box(x: 79, y: 175, width: 45, height: 42)
let other = Box(x: 0, y: 0, width: 20, height: 20)
let part = Box(x: 0, y: 0, width: 200, height: 303)
