import CommandKit
import CountCommands

/// What the server answers, in the form of OpenAPI 3.1.
enum ServeDescription {
  /// The text, made from the options of the commands.
  static let openAPI: JSONText = .object([
    ("openapi", .string("3.1.0")),
    (
      "info",
      .object([
        ("title", .string("tally serve")), ("version", .string(ToolVersion.current)),
        (
          "description",
          .string(
            "Counts similar objects in photos, and reads books. Photos stay in this machine's memory. Other machines "
              + "send the key as a bearer token.")
        ),
      ])
    ), ("paths", .object(paths)),
    (
      "components",
      .object([
        (
          "securitySchemes",
          .object([
            ("key", .object([("type", .string("http")), ("scheme", .string("bearer"))]))
          ])
        )
      ])
    ), ("security", .array([.object([]), .object([("key", .array([]))])])),
  ])

  private static var paths: [(String, JSONText)] {
    let id = parameter("id", "A count.", place: "path")
    let marks = RequestOptions.ofCounts.map { parameter($0) }
    return [
      (
        "/count",
        path(
          post: operation(
            "Count the similar objects in a photo.",
            [parameter("name", "The name of the photo's file.")] + marks, takesPhoto: true,
            status: 201,
            "The count, as 'tally count --json' prints it, with its id and the address of its page."
          ))
      ),
      (
        "/counts",
        path(get: operation("List the counts that are kept.", [], "The newest first."))
      ),
      (
        "/counts/{id}",
        path(
          get: operation("Show the page of a count.", [id], type: "text/html", "The page."),
          delete: operation("Forget a count and its photo.", [id], status: 204, "It is forgotten."))
      ),
      (
        "/counts/{id}/count",
        path(
          post: operation(
            "Count the same photo again.", [id] + marks, status: 201, "The new count."))
      ),
      (
        "/counts/{id}/photo",
        path(
          get: operation(
            "Get the photo.", [id], type: "application/octet-stream", "The file that was sent."))
      ),
      (
        "/counts/{id}/thumbnail",
        path(
          get: operation(
            "Get a small picture of the photo.", [id], type: "image/jpeg",
            "At most 320 x 320 pixels."))
      ),
      (
        "/counts/{id}/correction",
        path(
          put: operation(
            "Correct a count.", [id], takesCorrection: true,
            "The corrected number, and what was changed."))
      ),
      (
        "/counts/{id}/history",
        path(
          post: operation(
            "Add a count to the history.", [id], status: 201, "The entry's id and the file."))
      ),
      (
        "/counts/{id}/labels",
        path(
          get: operation(
            "Get the objects as labels.",
            [
              id,
              parameter(
                "format", "The format of the labels.", choices: ["coco", "yolo", "csv"]),
            ], type: "application/octet-stream", "A file."))
      ),
      (
        "/counts/{id}/template",
        path(
          post: operation(
            "Make a template of a count's objects.",
            [
              id, parameter("name", "The name of the template.", isRequired: true),
              parameter("replace", "Whether to replace one with that name.", choices: ["true"]),
            ], status: 201, "The name, and the number of objects it was learnt from."))
      ),
      (
        "/templates", path(get: operation("List the names of templates.", [], "The names."))
      ),
    ]
      + PhotoCommands.all.map { served in
        (
          "/\(served.word)",
          path(
            post: operation(
              served.command.specification.summary + ".", served.ofRequest.map { parameter($0) },
              takesPhoto: true, "What 'tally \(served.word) - --json' prints."))
        )
      }
  }

  private static func path(
    get: JSONText? = nil, put: JSONText? = nil, post: JSONText? = nil, delete: JSONText? = nil
  ) -> JSONText {
    .object(
      [("get", get), ("put", put), ("post", post), ("delete", delete)].compactMap { name, value in
        value.map { (name, $0) }
      })
  }

  private static func operation(
    _ summary: String, _ parameters: [JSONText], takesPhoto: Bool = false,
    takesCorrection: Bool = false, status: Int = 200, type: String = "application/json",
    _ answer: String
  ) -> JSONText {
    var members: [(String, JSONText)] = [("summary", .string(summary))]
    if !parameters.isEmpty { members.append(("parameters", .array(parameters))) }
    if takesPhoto || takesCorrection {
      let types =
        takesCorrection
        ? ["application/json"]
        : ["image/jpeg", "image/png", "image/heic", "image/webp", "image/tiff"]
      members.append(
        (
          "requestBody",
          .object([
            ("required", .bool(true)), ("content", .object(types.map { ($0, .object([])) })),
          ])
        ))
    }
    let content: [(String, JSONText)] =
      status == 204 ? [] : [("content", .object([(type, .object([]))]))]
    let error: JSONText = .object([
      ("description", .string("The reason, as {\"error\": \"...\"}.")),
      ("content", .object([("application/json", .object([]))])),
    ])
    members.append(
      (
        "responses",
        .object([
          ("\(status)", .object([("description", .string(answer))] + content)), ("default", error),
        ])
      ))
    return .object(members)
  }

  private static func parameter(_ option: any OptionDeclaration) -> JSONText {
    parameter(
      option.name,
      option.help + (option.fallback.map { " Default: \($0)." } ?? ""),
      choices: option.metavar == nil ? ["true"] : option.choices, isList: option.isRepeatable)
  }

  private static func parameter(
    _ name: String, _ help: String, place: String = "query", choices: [String] = [],
    isList: Bool = false, isRequired: Bool = false
  ) -> JSONText {
    var schema: [(String, JSONText)] = [("type", .string("string"))]
    if !choices.isEmpty { schema.append(("enum", .array(choices.map { .string($0) }))) }
    let isMany = isList && choices.isEmpty
    return .object([
      ("name", .string(name)), ("in", .string(place)),
      ("required", .bool(place == "path" || isRequired)), ("description", .string(help)),
      (
        "schema",
        isMany
          ? .object([("type", .string("array")), ("items", .object(schema))]) : .object(schema)
      ),
    ])
  }
}
