import CountTemplates
import Counting
import Foundation
import Geometry
import ImageFiles
import ReferenceModels

let photo = try ImageFile.load(contentsOf: URL(fileURLWithPath: "coins.png"))
let counter = try ObjectCounter.bundled()

let coin = Box(x: 80, y: 39, width: 38, height: 34)
let template = try await counter.template(in: photo, like: [coin], unlike: [], models: .bundled)

let templates = TemplateFolder(URL(fileURLWithPath: "templates"))
try templates.add(
  StoredTemplate(
    name: "coin", created: Date(), photo: "coins.png", objects: 24, template: template))
print(try templates.names())  // ["coin"]

let stored = try templates.template("coin").template
try stored.models.requireSame(as: .bundled)
let again = try await counter.count(in: photo, guide: CountingGuide(template: stored))
print(again.count)  // 24
