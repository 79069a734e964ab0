// begin
let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
let folder = here.appendingPathComponent("kept")
let models = ModelFolder(folder)
// Version 1 is kept. Version 2 is a file, and a server offers version 3.
let file = here.appendingPathComponent("shelf.onnx")
try Data("one".utf8).write(to: file)
try models.add(file, name: "shelf-detector", version: "1", task: "object-detection")
try Data("three".utf8).write(to: here.appendingPathComponent("shelf-3.onnx"))
let other = ModelFolder(here.appendingPathComponent("other"))
let offered = try other.add(
  here.appendingPathComponent("shelf-3.onnx"), name: "shelf-detector", version: "3",
  task: "object-detection")
try Data("two".utf8).write(to: file)
let server = try serve(here)
try """
{"name": "shelf-detector", "version": "3", "task": "object-detection",
"sha256": "\(offered.manifest.digest)", "size": 5, "source": {"url": "\(server)shelf-3.onnx"}}
""".write(to: here.appendingPathComponent("models.json"), atomically: true, encoding: .utf8)
let address = "\(server)models.json"
