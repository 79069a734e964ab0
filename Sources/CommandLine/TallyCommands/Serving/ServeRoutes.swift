import CommandKit
import CountCommands
import Counting
import Foundation
import _HTTPServer

/// Which request is answered by what.
struct ServeRoutes: Sendable {
  let counts: CountService
  let commands: PhotoCommands
  let queue: WorkQueue
  /// The seconds of one piece of work, without those of waiting for it.
  let seconds: Double

  /// The most bytes of a correction; ten thousand boxes take less than one.
  static let largestCorrection = 4 << 20

  /// The most bytes of a request's body: none unless it brings something.
  static func mostBytes(of request: HTTPRequest, photo: Int) -> Int {
    let parts = request.path.split(separator: "/")
    switch (request.method, parts.count) {
    case ("POST", 1): return photo
    case ("PUT", 3) where parts[2] == "correction": return largestCorrection
    default: return 0
    }
  }

  /// The answer to a request, whatever happens.
  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    var response: HTTPResponse
    do {
      response = try await route(request)
    } catch {
      response = Self.response(to: error)
    }
    response.headers += [
      ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
      ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
    return response
  }

  private func route(_ request: HTTPRequest) async throws -> HTTPResponse {
    let parts = request.path.split(separator: "/").map(String.init)
    let method = request.method == "HEAD" ? "GET" : request.method
    switch parts.count {
    case 0:
      return Self.only("GET", method) ?? ServePages.start
    case 1 where parts[0] == "counts":
      if let refusal = Self.only("GET", method) { return refusal }
      return .json(200, .object([("counts", .array(await counts.all.map(Self.line)))]))
    case 1 where parts[0] == "count":
      if let refusal = Self.only("POST", method) { return refusal }
      let name = Self.name(request.value(of: "name"))
      let options = try RequestOptions(ofCount: Self.options(of: request))
      guard !request.body.isEmpty else {
        throw CommandError(.badData, "the body is empty; it must be a photo's file")
      }
      return try await counted {
        try await counts.count(in: request.body, name: name, options: options)
      }
    case 1 where parts[0] == "templates":
      if let refusal = Self.only("GET", method) { return refusal }
      return .json(
        200, .object([("templates", .array(try counts.templateNames().map { .string($0) }))]))
    case 1:
      if let page = ServePages.named(parts[0]) { return Self.only("GET", method) ?? page }
      guard let served = PhotoCommands.all.first(where: { $0.word == parts[0] }) else { break }
      if let refusal = Self.only("POST", method) { return refusal }
      let json = try await work {
        try await commands.run(served, on: request.body, options: Self.options(of: request))
      }
      return HTTPResponse(200, headers: [("Content-Type", "application/json")], body: json)
    case 2 where parts[0] == "counts":
      return try await count(parts[1], method)
    case 3 where parts[0] == "counts":
      return try await part(parts[2], of: parts[1], method, request)
    default: break
    }
    return Self.nothing(at: request.path)
  }

  /// The items of a query that are options of a command.
  private static func options(of request: HTTPRequest) -> [(name: String, value: String)] {
    request.query.filter { !["name", "key"].contains($0.name) }
  }

  // MARK: One count

  private func count(_ id: String, _ method: String) async throws -> HTTPResponse {
    switch method {
    case "GET":
      let count = try await counts.count(of: id)
      let page = try await work { try await counts.page(of: count) }
      return HTTPResponse(
        200,
        headers: [
          ("Content-Type", "text/html; charset=utf-8"),
          ("Content-Security-Policy", "frame-ancestors 'none'"),
        ], body: page)
    case "DELETE":
      try await counts.forget(id)
      return HTTPResponse(204)
    default: return Self.notAllowed("GET, HEAD, DELETE")
    }
  }

  private func part(
    _ part: String, of id: String, _ method: String, _ request: HTTPRequest
  ) async throws -> HTTPResponse {
    let methods = [
      "count": "POST", "photo": "GET", "thumbnail": "GET", "correction": "PUT", "history": "POST",
      "labels": "GET", "template": "POST",
    ]
    guard let expected = methods[part] else { return Self.nothing(at: request.path) }
    if let refusal = Self.only(expected, method) { return refusal }
    if part == "count" {
      let options = try RequestOptions(ofCount: Self.options(of: request))
      return try await counted { try await counts.recount(id, options: options) }
    }
    let count = try await counts.count(of: id)
    switch part {
    case "photo":
      return Self.download(count.photo, "application/octet-stream", name: count.name)
    case "thumbnail":
      return HTTPResponse(
        200, headers: [("Content-Type", "image/jpeg")],
        body: try await work { try await counts.thumbnail(of: count) })
    case "correction":
      let corrected = try await work { try await counts.correct(id, by: request.body) }
      return .json(
        200,
        .object([
          ("count", .integer(corrected.count)), ("machineCount", .integer(count.result.count)),
          ("added", .integer(corrected.number(from: .person))),
          ("removed", .integer(corrected.removedCount)),
          ("moved", .integer(corrected.number(from: .moved))),
        ]))
    case "history":
      let saved = try await work { try await counts.save(count) }
      return .json(
        201, .object([("id", .string(saved.id)), ("history", .string(saved.path))]))
    case "labels":
      let format = request.value(of: "format") ?? "coco"
      guard let labels = try await work({ try counts.labels(of: count, format: format) }) else {
        throw UsageError("format is '\(format)'; it must be coco, yolo or csv")
      }
      let stem = (count.name as NSString).deletingPathExtension
      return Self.download(labels.file, labels.type, name: "\(stem).\(labels.ending)")
    default:
      return try await template(of: count, request)
    }
  }

  private func template(
    of count: ServedCount, _ request: HTTPRequest
  ) async throws -> HTTPResponse {
    guard let name = request.value(of: "name"), !name.isEmpty else {
      throw UsageError("no name is given: ?name=NAME")
    }
    let replaces = request.value(of: "replace") == "true"
    let objects: Int
    do {
      objects = try await work {
        try await counts.makeTemplate(name, of: count, replacing: replaces)
      }
    } catch is CountService.TemplateExists {
      return .error(409, "there is a template with the name '\(name)'; replace=true replaces it")
    }
    return .json(201, .object([("name", .string(name)), ("objects", .integer(objects))]))
  }

  // MARK: Work

  /// Counts, and answers with the count.
  private func counted(
    _ work: @escaping @Sendable () async throws -> ServedCount
  ) async throws -> HTTPResponse {
    let count = try await self.work(work)
    let page = "/counts/\(count.id)"
    var response = HTTPResponse.json(
      201,
      .object([("id", .string(count.id)), ("page", .string(page))] + counts.members(of: count)))
    response.headers.append(("Location", page))
    return response
  }

  /// Works when it is its turn, within the time.
  private func work<Result: Sendable>(
    _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await queue.run {
      try await withThrowingTaskGroup(of: Result?.self) { group in
        group.addTask { try await work() }
        group.addTask {
          try await Task.sleep(for: .seconds(seconds))
          return nil
        }
        defer { group.cancelAll() }
        guard let first = try await group.next(), let result = first else { throw TooLong() }
        return result
      }
    }
  }

  private struct TooLong: Error {}

  // MARK: Responses

  private static func response(to error: any Error) -> HTTPResponse {
    if error is WorkQueue.Full { return .busy("too many photos wait to be counted") }
    if error is TooLong { return .error(504, "the work took too long and was stopped") }
    // What was cancelled may end by any error.
    if error is CancellationError || Task.isCancelled {
      return .error(503, "the work was stopped")
    }
    let failure = Failure.of(error)
    let status =
      switch failure.code {
      case .usage: 400
      case .badData: 422
      case .noInput: 404
      default: 500
      }
    // A command names the photo of a request as it names its standard input.
    let message =
      failure.message.hasPrefix("-: ") ? String(failure.message.dropFirst(3)) : failure.message
    return .error(status, PrintableText.of(message))
  }

  private static func nothing(at path: String) -> HTTPResponse {
    .error(404, "there is nothing at \(PrintableText.of(String(path.prefix(200))))")
  }

  /// The refusal of another method; nil for the right one.
  private static func only(_ expected: String, _ method: String) -> HTTPResponse? {
    method == expected ? nil : notAllowed(expected == "GET" ? "GET, HEAD" : expected)
  }

  private static func notAllowed(_ methods: String) -> HTTPResponse {
    var response = HTTPResponse.error(405, "the method must be \(methods)")
    response.headers.append(("Allow", methods))
    return response
  }

  private static func download(_ file: Data, _ type: String, name: String) -> HTTPResponse {
    let plain = String(
      name.unicodeScalars.map { scalar in
        scalar.isASCII && scalar.value >= 0x20 && !"\"\\".unicodeScalars.contains(scalar)
          ? Character(scalar) : "_"
      })
    return HTTPResponse(
      200,
      headers: [
        ("Content-Type", type), ("Content-Disposition", "attachment; filename=\"\(plain)\""),
        // A photo that a browser takes for a page must not run anything.
        ("Content-Security-Policy", "sandbox"),
      ], body: file)
  }

  /// The last part of a file's name, of at most 200 characters.
  private static func name(_ given: String?) -> String {
    let last = (given ?? "").split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? "photo"
    return String(last.prefix(200))
  }

  /// One count in the list.
  private static func line(of count: ServedCount) -> JSONText {
    let corrected = count.corrected
    let confidence = count.isCorrected ? nil : count.result.confidence
    return .object([
      ("id", .string(count.id)), ("name", .string(count.name)),
      ("time", .string(count.time.formatted(Date.ISO8601FormatStyle()))),
      ("width", .integer(count.result.width)), ("height", .integer(count.result.height)),
      ("count", .integer(corrected.count)),
      (
        "interval",
        .optional(confidence) { .array([.integer($0.least), .integer($0.greatest)]) }
      ), ("confidence", .optional(confidence) { .seconds($0.value) }),
      ("isCorrected", .bool(count.isCorrected)), ("page", .string("/counts/\(count.id)")),
      ("thumbnail", .string("/counts/\(count.id)/thumbnail")),
    ])
  }
}

extension HTTPResponse {
  /// A response of JSON, with a line end.
  static func json(_ status: Int, _ value: JSONText) -> HTTPResponse {
    HTTPResponse(
      status, headers: [("Content-Type", "application/json")], body: Data((value.text + "\n").utf8))
  }
}
