// begin
let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
let server = try serve(here)
let models = ModelFolder(here.appendingPathComponent("kept"))
// Version 1 is in the folder, and version 2 is offered.
let shelf = here.appendingPathComponent("shelf.onnx")
try Data("one".utf8).write(to: shelf)
try models.add(shelf, name: "shelf-detector", version: "1", task: "object-detection")
try Data("two".utf8).write(to: shelf)
let other = ModelFolder(here.appendingPathComponent("other"))
let offered = try other.add(shelf, name: "shelf-detector", version: "2", task: "object-detection")
try """
{"name": "shelf-detector", "version": "2", "task": "object-detection",
"sha256": "\(offered.manifest.digest)", "size": 3, "source": {"url": "\(server)shelf.onnx"}}
""".write(to: here.appendingPathComponent("models.json"), atomically: true, encoding: .utf8)
let address = "\(server)models.json"
let folder = try fetchedModel("")
