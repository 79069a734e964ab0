import Foundation
import TestSupport
import Testing

@testable import CommandKit
@testable import TallyCommands

@Suite("tally serve", .timeLimit(.minutes(10)))
struct ServeCommandTests {
  typealias Answer = RawConnection.Answer

  /// A server in this process.
  final class Server {
    let folder: TemporaryFolder
    let port: Int
    /// What it printed.
    let lines: [String]
    private let errors = MemorySink()
    private let interruption: AsyncStream<Void>.Continuation
    private let task: Task<ExitCode, Never>

    init(_ arguments: [String] = [], models: [String] = []) async throws {
      folder = try TemporaryFolder()
      let (interruptions, interruption) = AsyncStream.makeStream(of: Void.self)
      self.interruption = interruption
      let output = MemorySink()
      let console = Console(
        output: output, errors: errors, environment: ["XDG_DATA_HOME": folder.path("data")],
        now: { Date(timeIntervalSince1970: 1_795_387_654.25) },
        interruptions: Interruptions(requests: interruptions))
      let words = ["serve", "--port", "0"] + arguments + models
      task = Task { await TallyCommand.run(words, console: console) }
      while !output.text.contains("serving on"), errors.text.isEmpty {
        try await Task.sleep(for: .milliseconds(2))
      }
      lines = output.text.split(separator: "\n").map(String.init)
      port = Int(try #require(lines.first?.firstMatch(of: /:(\d+)\//)).1) ?? 0
    }

    var errorText: String { errors.text }

    func ask(
      _ method: String, _ path: String, address: String = "127.0.0.1",
      headers: [(String, String)] = [], body: Data = Data()
    ) async throws -> Answer {
      try #require(
        await RawConnection.ask(
          method, path, port: port, address: address, headers: headers, body: body))
    }

    /// Counts a photo, and answers with the address of its page.
    func count(_ path: String, query: String = "") async throws -> String {
      let body = try Data(contentsOf: URL(fileURLWithPath: path))
      let answer = try await ask("POST", "/count?name=squares.png\(query)", body: body)
      #expect(answer.status == 201, "\(answer.text)")
      return try #require(answer.json["page"] as? String)
    }

    func stop() async -> ExitCode {
      interruption.yield()
      return await task.value
    }
  }

  /// A server whose detector sees bright squares, 12 white and 5 yellow ones.
  private func squares(_ arguments: String...) async throws -> Server {
    try await Server(arguments, models: ["--set", "standard"] + Squares.models)
  }

  // MARK: Counts

  @Test("A photo is counted as the command counts it, and the count is kept")
  func counting() async throws {
    let server = try await squares()
    let photo = try Data(contentsOf: URL(fileURLWithPath: Squares.png))
    let answer = try await server.ask("POST", "/count?name=C%3A%5Ca%5Csquares.png", body: photo)
    #expect(answer.status == 201)
    let alone = await Squares.count(Squares.png, "--json")
    var (json, expected) = (answer.json, try alone.json())
    let id = try #require(json.removeValue(forKey: "id") as? String)
    #expect(json.removeValue(forKey: "page") as? String == "/counts/\(id)")
    #expect(json["image"] as? String == "squares.png")
    json["image"] = nil
    expected["image"] = nil
    #expect(NSDictionary(dictionary: json) == NSDictionary(dictionary: expected))
    #expect(answer.headers["location"] == "/counts/\(id)")

    let list = try await server.ask("GET", "/counts").json["counts"] as? [[String: Any]] ?? []
    #expect(list.count == 1)
    #expect(list[0]["id"] as? String == id && list[0]["count"] as? Int == 12)
    #expect(list[0]["time"] as? String == "2026-11-22T22:47:34Z", "\(list[0])")
    #expect(list[0]["isCorrected"] as? Bool == false)
    #expect(try await server.ask("GET", "/counts/\(id)/photo").body == photo)
    #expect(
      try await server.ask("GET", "/counts/\(id)/thumbnail").body.starts(with: [0xFF, 0xD8, 0xFF]))
    #expect(try await server.ask("DELETE", "/counts/\(id)").status == 204)
    for path in ["", "/photo", "/labels"] {
      let gone = try await server.ask("GET", "/counts/\(id)\(path)")
      #expect(gone.status == 404 && (gone.json["error"] as? String)?.isEmpty == false)
    }
    #expect(await server.stop() == .success)
    #expect(!FileManager.default.fileExists(atPath: server.folder.path("data")))
  }

  @Test("Options of a request are those of the command, and come before the server's")
  func options() async throws {
    let server = try await squares("--confidence", "0.9")
    let photo = try Data(contentsOf: URL(fileURLWithPath: Squares.png))
    for options in [["--confidence=0.2"], ["--similarity=0.7"], ["--set=precise"], []] {
      let query = options.map { "&" + $0.dropFirst(2) }.joined()
      let answer = try await server.ask("POST", "/count?name=a\(query)", body: photo)
      let own = options.contains { $0.hasPrefix("--confidence") } ? [] : ["--confidence=0.9"]
      let set = options.contains { $0.hasPrefix("--set") } ? [] : ["--set", "standard"]
      let alone = await tally(
        ["count", Squares.png, "--json"] + own + options + set + Squares.models)
      #expect(answer.json["count"] as? Int == (try alone.json())["count"] as? Int, "\(query)")
    }
    for (query, words) in [
      ("confidence=2", "--confidence is '2'"), ("confidence=nan", "it must be a number"),
      ("confidence=0.1&confidence=0.2", "more than once"), ("detector=/etc/passwd", "unknown"),
      ("overlay=/tmp/a.png", "unknown option 'overlay'"), ("config=a.json", "unknown"),
      ("template=../a.json", "it must be a name"), ("like=1,2,3,4", "adaptive"),
      ("set=best", "it must be"), ("no-such=1", "unknown option"), ("results=a.csv", "unknown"),
    ] {
      let answer = try await server.ask("POST", "/count?\(query)", body: photo)
      let error = answer.json["error"] as? String ?? ""
      #expect(answer.status == 400 && error.contains(words), "\(query): \(error)")
    }
    #expect(await server.stop() == .success)
  }

  @Test("A count is corrected, labelled, kept in the history, and taught to a template")
  func correction() async throws {
    let server = try await Server(["--templates", "none-yet", "-v"])
    let coins = Folders.package.appendingPathComponent("Fixtures/Images/coins.png").path
    let page = try await server.count(coins)
    let found = try await server.ask("GET", page)
    #expect(found.text.contains("connect-src &#39;self&#39;") && found.text.contains(">24</span>"))
    let detections = try await server.ask("POST", "\(page)/count").json["detections"]
    let box = try #require((detections as? [[String: Any]])?.first?["box"] as? [Double])
    let correction: [String: Any] = [
      "tallyCorrection": 1, "width": 384, "height": 303, "count": 24, "removed": [box],
      "moved": [], "added": [[10, 10, 40, 40], [50, 10, 80, 40], [5, 250, 20, 270]],
    ]
    let changed = try await server.ask(
      "PUT", "\(page)/correction", body: JSONSerialization.data(withJSONObject: correction))
    #expect(changed.status == 200, "\(changed.text)")
    #expect(changed.json["count"] as? Int == 26 && changed.json["machineCount"] as? Int == 24)
    #expect(changed.json["added"] as? Int == 3 && changed.json["removed"] as? Int == 1)
    #expect(try await server.ask("GET", page).text.contains(">26</span>"))
    let labels = try await server.ask("GET", "\(page)/labels?format=csv")
    #expect(labels.text.split(separator: "\n").count == 27)
    #expect(labels.headers["content-disposition"] == "attachment; filename=\"squares.csv\"")
    #expect(try await server.ask("GET", "\(page)/labels?format=xml").status == 400)

    let saved = try await server.ask("POST", "\(page)/history")
    #expect(saved.status == 201, "\(saved.text)")
    let history = try #require(saved.json["history"] as? String)
    #expect(history.hasPrefix(server.folder.url.path))
    let listed = await tally("history", "list", "--history", history, "--json")
    #expect(listed.output.contains("\"count\":26,\"machineCount\":24"), "\(listed.output)")

    let other = Data("{\"tallyCorrection\": 1".utf8)
    #expect(try await server.ask("PUT", "\(page)/correction", body: other).status == 422)
    let large = Data(count: ServeRoutes.largestCorrection + 1)
    #expect(try await server.ask("PUT", "\(page)/correction", body: large).status == 413)
    #expect(await server.stop() == .success)
    try? FileManager.default.removeItem(atPath: "none-yet")
    #expect(server.errorText.contains("tally: 127.0.0.1 POST /count 201 "))
  }

  @Test("A template is made of a count, and used by the next")
  func templates() async throws {
    let server = try await Server()
    let coins = Folders.package.appendingPathComponent("Fixtures/Images/coins.png").path
    let page = try await server.count(coins)
    let made = try await server.ask("POST", "\(page)/template?name=coins")
    #expect(made.status == 201 && made.json["objects"] as? Int == 24, "\(made.text)")
    #expect(try await server.ask("POST", "\(page)/template?name=coins").status == 409)
    #expect(
      try await server.ask("POST", "\(page)/template?name=coins&replace=true").status == 201)
    #expect(try await server.ask("POST", "\(page)/template?name=../a").status == 400)
    #expect(try await server.ask("POST", "\(page)/template").status == 400)
    #expect(
      try await server.ask("GET", "/templates").json["templates"] as? [String] == ["coins"])
    let next = try await server.ask("POST", "\(page)/count?template=coins")
    #expect(next.status == 201 && next.json["count"] as? Int == 24, "\(next.text)")
    #expect(await server.stop() == .success)
  }

  @Test("Only the newest counts are kept")
  func keeping() async throws {
    let server = try await squares("--keep", "2")
    var pages: [String] = []
    for _ in 0..<3 { pages.append(try await server.count(Squares.png)) }
    var statuses: [Int] = []
    for page in pages { statuses.append(try await server.ask("GET", page).status) }
    #expect(statuses == [404, 200, 200])
    #expect(await server.stop() == .success)
  }

  // MARK: Photos that are none, other commands

  @Test("What is not a photo is an error in words, and no file of this machine is read")
  func rubbish() async throws {
    let server = try await squares("--max-photo", "1")
    let photo = try Data(contentsOf: URL(fileURLWithPath: Squares.png))
    let list = Data("\(Squares.png)\n".utf8)
    for word in ["count"] + PhotoCommands.all.map(\.word) {
      for body in [Data(), list, Data([0, 1, 2]), photo.prefix(300)] {
        let answer = try await server.ask("POST", "/\(word)", body: body)
        #expect([404, 422].contains(answer.status), "\(word): \(answer.text)")
        #expect((answer.json["error"] as? String)?.isEmpty == false, "\(word): \(answer.text)")
        #expect(answer.json["width"] == nil)
      }
    }
    let large = try await server.ask("POST", "/count", body: Data(count: 1 << 20 + 1))
    #expect(large.status == 413)
    #expect(await server.stop() == .success)
  }

  @Test("Other commands answer what they print", arguments: ["spines", "barcode", "embed"])
  func commands(word: String) async throws {
    let server = try await Server()
    let photo = try Data(contentsOf: URL(fileURLWithPath: Squares.png))
    let answer = try await server.ask("POST", "/\(word)", body: photo)
    let alone = await tally([word, "-", "--json"], input: Array(photo))
    #expect(answer.status == 200 && answer.text == alone.output)
    let option = try await server.ask("POST", "/\(word)?overlay=a.png", body: photo)
    #expect(option.status == 400)
    #expect(await server.stop() == .success)
  }

  @Test("Classes come from the classifier that the server was started with")
  func classes() async throws {
    let photo = try Data(contentsOf: URL(fileURLWithPath: ClassifyCommandTests.photo))
    let model = ClassifyCommandTests.model("classifier_softmax")
    let without = try await Server()
    let missing = try await without.ask("POST", "/classify", body: photo)
    #expect(missing.status == 404)
    #expect((missing.json["error"] as? String)?.contains("without --classifier") == true)
    #expect(await without.stop() == .success)

    let server = try await Server(["--classifier", model])
    let answer = try await server.ask("POST", "/classify?top=2&threshold=0", body: photo)
    let alone = await tally(
      ["classify", "-", "--json", "--model", model, "--top", "2", "--threshold", "0"],
      input: Array(photo))
    #expect(answer.status == 200 && answer.text == alone.output)
    let recognized = try await server.ask("POST", "/recognize?minimum-class=0", body: photo)
    #expect(recognized.status == 200 && recognized.text.contains("classification"))
    #expect(try await server.ask("POST", "/classify?model=x.onnx", body: photo).status == 400)
    #expect(await server.stop() == .success)
    #expect(await tally(["serve", "--labels", "names.txt"]).code == .usage)
  }

  @Test("Every path knows its methods, and the description names every path")
  func methods() async throws {
    let server = try await squares()
    let page = try await server.count(Squares.png)
    let description = try await server.ask("GET", "/openapi.json").json
    let paths = try #require(description["paths"] as? [String: [String: Any]])
    #expect(paths.count == 11 + PhotoCommands.all.count)
    for (path, operations) in paths {
      let path = path.replacing("/counts/{id}", with: page)
      for method in ["GET", "POST", "PUT", "PATCH", "OPTIONS", "DELETE"]
      where operations[method.lowercased()] == nil {
        let answer = try await server.ask(method, path)
        #expect(answer.status == 405 && answer.headers["allow"] != nil, "\(method) \(path)")
      }
    }
    for path in ["/nothing", "/counts/x/y/z", "/counts/\(page)/nothing", "/serve.htm"] {
      #expect(try await server.ask("GET", path).status == 404)
    }
    for path in ["/", "/serve.js", "/serve.css", "/counts"] {
      let answer = try await server.ask("GET", path)
      #expect(answer.status == 200 && !answer.body.isEmpty, "\(path)")
      #expect(answer.headers["x-content-type-options"] == "nosniff")
    }
    #expect(await server.stop() == .success)
  }

  // MARK: Load

  @Test("Many at once are counted in turn, and too many are refused and not lost")
  func load() async throws {
    let server = try await squares("--max-waiting", "1", "--jobs", "1")
    let photo = try Data(contentsOf: URL(fileURLWithPath: Squares.png))
    let port = server.port
    var statuses: [Int: Int] = [:]
    try await withThrowingTaskGroup(of: Answer?.self) { group in
      for _ in 0..<40 {
        group.addTask { try await RawConnection.ask("POST", "/count", port: port, body: photo) }
      }
      for try await answer in group {
        statuses[answer?.status ?? 0, default: 0] += 1
        if answer?.status == 201 { #expect(answer?.json["count"] as? Int == 12) }
      }
    }
    #expect(Set(statuses.keys).isSubset(of: [201, 503]) && statuses[201, default: 0] >= 2)
    #expect(await server.stop() == .success)
  }

  @Test("Work that takes too long is stopped")
  func time() async throws {
    let server = try await Server(["--max-seconds", "0.1"])
    let photo = try Data(
      contentsOf: Folders.package.appendingPathComponent("Fixtures/Images/coins.png"))
    // Cancelled work ends at the next batch, so it may also just be done.
    let answer = try await server.ask("POST", "/count", body: photo)
    #expect([201, 504].contains(answer.status), "\(answer.text)")
    #expect(await server.stop() == .success)
  }

  @Test("A port in use and a name for an address are errors before anything is served")
  func starting() async throws {
    let server = try await squares()
    let second = await tally(["serve", "--port", "\(server.port)"] + Squares.models)
    #expect(second.failed(.usage) && second.errors.contains("in use"), "\(second.errors)")
    #expect(await tally("serve", "--listen", "localhost").failed(.usage))
    #expect(await tally("serve", "--detector", "none.onnx").failed(.noInput))
    #expect(await server.stop() == .success)
  }
}
