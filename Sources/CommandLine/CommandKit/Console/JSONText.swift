/// A JSON value whose objects keep the order of their members.
///
/// `JSONEncoder` sorts keys by hash or alphabet, and prints a `Float` with the digits of the
/// nearest `Double`. A line of results must have the documented order and no meaningless digits.
package enum JSONText: Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case double(Double)
  case float(Float)
  case string(String)
  case array([JSONText])
  case object([(String, JSONText)])
  /// Finished JSON, on one line.
  case encoded(String)

  /// The value on one line, without spaces.
  package var text: String {
    var result = ""
    append(to: &result)
    return result
  }

  private func append(to result: inout String) {
    switch self {
    case .null: result += "null"
    case .bool(let value): result += value ? "true" : "false"
    case .integer(let value): result += String(value)
    // JSON has no value for NaN or infinity.
    case .double(let value): result += value.isFinite ? NumberText.of(value) : "null"
    case .float(let value): result += value.isFinite ? NumberText.of(value) : "null"
    case .string(let value): Self.append(value, to: &result)
    case .encoded(let text): result += text
    case .array(let values):
      result += "["
      for (index, value) in values.enumerated() {
        if index > 0 { result += "," }
        value.append(to: &result)
      }
      result += "]"
    case .object(let members):
      result += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { result += "," }
        Self.append(member.0, to: &result)
        result += ":"
        member.1.append(to: &result)
      }
      result += "}"
    }
  }

  private static func append(_ string: String, to result: inout String) {
    result += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      // JSON requires escapes below 0x20. The other characters could act on a terminal, or end a
      // line in JavaScript.
      case _ where PrintableText.isHidden(scalar):
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
          let digits = String(unit, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: result.unicodeScalars.append(scalar)
      }
    }
    result += "\""
  }
}

extension JSONText {
  /// Seconds, to the microsecond.
  package static func seconds(_ value: Double) -> JSONText {
    value.isFinite ? .double((value * 1e6).rounded() / 1e6) : .null
  }

  /// Milliseconds, to the microsecond.
  package static func milliseconds(_ value: Double) -> JSONText {
    value.isFinite ? .double((value * 1e3).rounded() / 1e3) : .null
  }

  /// A value that may be missing.
  package static func optional<Value>(_ value: Value?, _ make: (Value) -> JSONText) -> JSONText {
    value.map(make) ?? .null
  }
}
