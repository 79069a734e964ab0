/// Serves the files of a folder until the program ends, a minute at most.
func serve(_ folder: URL) throws -> String {
  let server = Process()
  server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  server.arguments = [
    "python3", "-u", "-c",
    """
    import http.server, os, threading
    threading.Timer(60, os._exit, [0]).start()
    http.server.test(http.server.SimpleHTTPRequestHandler, port=0, bind="127.0.0.1")
    """,
  ]
  server.currentDirectoryURL = folder
  let output = Pipe()
  server.standardOutput = output
  server.standardError = FileHandle.nullDevice
  try server.run()
  serverID = server.processIdentifier
  atexit { kill(serverID, SIGKILL) }
  // Serving HTTP on 127.0.0.1 port 40000 (http://127.0.0.1:40000/) ...
  let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
  return line.split(whereSeparator: { "()".contains($0) }).dropFirst().first.map(String.init) ?? ""
}
nonisolated(unsafe) var serverID: Int32 = 0

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
