import CountReport
import Counting
import Foundation
import ImageFiles
import ReferenceModels

let photo = try ImageFile.load(contentsOf: URL(fileURLWithPath: "coins.png"))
let counter = try ObjectCounter.bundled()
let count = try await counter.tracedCount(in: photo)

let page = CountPage(name: "coins.png", count: count, configuration: counter.configuration)
try page.html(photo: photo).write(to: URL(fileURLWithPath: "coins.html"))
