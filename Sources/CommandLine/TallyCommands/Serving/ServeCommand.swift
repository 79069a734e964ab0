import CommandKit
import CountCommands
import Foundation
import _HTTPServer

/// `tally serve`: counts for a browser, and for other programs by HTTP.
enum ServeCommand: Command {
  static let specification = CommandSpecification(
    words: ["serve"],
    summary: "Show a page for counting, and count for other programs by HTTP",
    discussion: [
      "Serves a page on which you drop photos, see their counts, say what to count, correct them, "
        + "and keep them. Open the printed address in a browser. Ctrl-C ends the server.",
      "Other programs send photos by HTTP and get JSON: 'curl --data-binary @photo.jpg "
        + "http://127.0.0.1:8080/count'. GET /openapi.json describes all requests.",
      "Only programs on this machine are served. With --listen, so are other machines, for example a "
        + "phone on the same network, if they know the key in the printed address. The key changes "
        + "each time. Connections are not encrypted.",
      "Photos and counts are kept in memory only: the newest ones, until the server ends. Files are "
        + "written only if you save a count to the history or make a template.",
    ],
    operands: .none,
    groups: [
      OptionGroup("Network", [listen, port]),
      OptionGroup("Limits", [largest, waiting, time, keep]),
      OptionGroup("Output", [verbose]),
    ] + CountService.options + PhotoCommands.groups,
    firstOptions: [
      listen, port, largest, waiting, time, keep, verbose, StandardOptions.help,
    ],
    examples: [
      Example("Count in a browser on this machine.", "tally serve"),
      Example("Let a phone on the same network take the photos.", "tally serve --listen 0.0.0.0"),
      Example(
        "Count for another program.",
        "curl --data-binary @photo.jpg 'http://127.0.0.1:8080/count?like=310,220,64,60'"),
    ], changesStore: true)

  static let listen = Option(
    "listen", .numericAddress,
    help: "The address to listen at. 0.0.0.0 means all addresses of this machine; :: also those of "
      + "IPv6. Clients on other machines need the key.",
    fallback: "127.0.0.1, which only programs on this machine reach")
  static let port = Option(
    "port", .integer("N", in: 0...65535), help: "The port; 0 is any free one.", fallback: "8080")
  static let largest = Option(
    "max-photo", .integer("MB", in: 1...512), help: "The largest file of a photo.", fallback: "64")
  static let waiting = Option(
    "max-waiting", .integer("N", in: 0...10_000),
    help: "How many photos may wait for their turn; more are refused with status 503.",
    fallback: "128")
  static let time = Option(
    "max-seconds", .number("SECONDS", in: 0.1...3600),
    help: "The longest time for one photo, without waiting; then the work is stopped, with status "
      + "504.",
    fallback: "120")
  static let verbose = Flag(
    "verbose", short: "v", help: "Print a line on standard error for each request.")
  static let keep = Option(
    "keep", .integer("N", in: 1...1000),
    help: "How many counts are kept; their photos take 512 MB at most.", fallback: "100")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let counts = try CountService(
      arguments, mostCounts: arguments[keep] ?? 100, mostBytes: 512 << 20, console: console)
    let address = arguments[listen] ?? "127.0.0.1"
    let gate = ServeGate(key: NetworkAddresses.isLoopback(address) ? nil : RandomText.make())
    let queue = WorkQueue(jobs: counts.jobs, mostWaiting: arguments[waiting] ?? 128)
    let routes = ServeRoutes(
      counts: counts, commands: try PhotoCommands(arguments, environment: console.environment),
      queue: queue, seconds: arguments[time] ?? 120)
    let log = RequestLog(console: arguments[verbose] ? console : nil)

    var limits = HTTPLimits()
    let largestPhoto = (arguments[largest] ?? 64) << 20
    limits.bodyBytes = max(largestPhoto, ServeRoutes.largestCorrection)
    limits.allBodyBytes = max(limits.allBodyBytes, 2 * limits.bodyBytes)
    let server = try HTTPServer(
      address: address, port: arguments[port] ?? 8080, limits: limits,
      admit: { request in
        let refusal =
          gate.admit(request)
          ?? (request.method == "POST" && queue.isFull
            ? .busy("too many photos wait to be counted") : nil)
        if let refusal {
          log.note(request, refusal.status)
          return .refused(refusal)
        }
        return .body(atMost: ServeRoutes.mostBytes(of: request, photo: largestPhoto))
      },
      answer: { request in
        let start = ContinuousClock.now
        let response = await routes.answer(request)
        log.note(request, response.status, start.duration(to: .now))
        return response
      })
    do {
      for line in lines(address: address, port: server.port, key: gate.key) {
        try console.print(line)
      }
      try await untilEnd(console)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
    return .success
  }

  /// Waits for a signal, or until the task is cancelled.
  private static func untilEnd(_ console: Console) async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let wait: () async throws -> Void = {
      for await _ in stream {}
    }
    if let interruptions = console.interruptions {
      try await interruptions.telling({ continuation.finish() }, wait)
    } else {
      try await wait()
    }
  }

  /// What a person has to know: the addresses, one a line.
  private static func lines(address: String, port: Int, key: String?) -> [String] {
    func url(_ host: String, _ query: String = "") -> String {
      "http://\(host.contains(":") ? "[\(host)]" : host):\(port)/\(query)"
    }
    guard let key else { return ["serving on \(url(address)) (Ctrl-C ends it)"] }
    let isAny = address == "0.0.0.0" || address == "::"
    let others = isAny ? NetworkAddresses.others(withSix: address == "::") : [address]
    return (isAny ? ["serving on \(url("127.0.0.1")) (Ctrl-C ends it)"] : [])
      + others.map { "from other machines: \(url($0, "?key=\(key)"))" }
      + ["The key is for everyone who may use this server. Connections are not encrypted."]
  }
}

extension HTTPServerError: ReportedError {
  package var exitCode: ExitCode {
    switch self {
    case .listening: .usage
    case .starting: .inputOutput
    }
  }
}

extension ValueKind where Value == String {
  /// An address of IPv4 or IPv6 in numbers.
  fileprivate static var numericAddress: ValueKind {
    ValueKind(
      metavar: "ADDRESS", expectation: "a numeric address, as 0.0.0.0",
      parse: { text in NetworkAddresses.isNumeric(text) ? text : nil })
  }
}

/// Prints a line for each request, without its query, which may have the key.
private struct RequestLog: Sendable {
  /// The place of the lines; nil if there are none.
  let console: Console?

  func note(_ request: HTTPRequest, _ status: Int, _ time: Duration? = nil) {
    guard let console else { return }
    let seconds = time.map { " \(NumberText.fixed($0 / .seconds(1), digits: 3)) s" } ?? ""
    console.note(
      "\(request.peer) \(request.method) \(request.path.prefix(200)) \(status)\(seconds)")
  }
}
