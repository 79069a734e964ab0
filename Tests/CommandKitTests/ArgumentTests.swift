import Foundation
import TestSupport
import Testing

@testable import CommandKit

@Suite("Arguments")
struct ArgumentTests {
  static let size = Option("size", .number("X", in: 0...1), help: "A size.")
  static let count = Option("count", .integer("N", in: 1...9), help: "A count.")
  static let name = Option("name", .path("FILE"), help: "A name.", isRepeatable: true)
  static let kind = Option(
    "kind", .choice("KIND", [("red", 1), ("green", 2)]), help: "A kind.", fallback: "red")
  static let loud = Flag("loud", help: "Loud.")
  static let parser = ArgumentParser(
    specification: CommandSpecification(
      words: ["paint"], summary: "Paint", discussion: [],
      operands: Operands(metavar: "WALL", help: "A wall.", isList: true),
      groups: [OptionGroup("All", [size, count, name, kind, loud])], examples: []))

  private func parse(_ arguments: String...) throws -> ParsedArguments {
    try Self.parser.parse(arguments)
  }

  private func message(_ arguments: String...) -> String {
    do {
      _ = try Self.parser.parse(arguments)
      return ""
    } catch {
      return error.message.replacingOccurrences(of: " (see 'tally paint --help')", with: "")
    }
  }

  @Test("Options and operands may stand in any order, in both spellings")
  func spellings() throws {
    let parsed = try parse(
      "a", "--size", "0.5", "b", "--count=3", "--loud", "--kind=green", "--name", "x", "--name=y=z")
    #expect(parsed.operands == ["a", "b"])
    #expect(parsed[Self.size] == 0.5)
    #expect(parsed[Self.count] == 3)
    #expect(parsed[Self.kind] == 2)
    #expect(parsed[Self.loud])
    #expect(parsed.all(Self.name) == ["x", "y=z"])
  }

  @Test("What is not given is nil or false")
  func missing() throws {
    let parsed = try parse("a")
    #expect(parsed[Self.size] == nil)
    #expect(!parsed[Self.loud])
    #expect(parsed.all(Self.name).isEmpty)
  }

  @Test("Two dashes end the options; one dash is an operand")
  func terminator() throws {
    #expect(
      try parse("-", "--loud", "--", "--size", "-x", "--").operands == ["-", "--size", "-x", "--"])
    #expect(!(try parse("--", "--loud")[Self.loud]))
  }

  @Test("A flag may be repeated, an option may not")
  func repetition() throws {
    #expect(try parse("a", "--loud", "--loud")[Self.loud])
    #expect(message("a", "--size", "0", "--size=0") == "--size is given more than once")
  }

  @Test("Values that start with one dash are values; two dashes need the equals sign")
  func dashes() throws {
    #expect(message("a", "--size", "-1").hasPrefix("--size is '-1'; it must be a number"))
    #expect(message("a", "--size", "--loud") == "--size needs a value: --size X")
    #expect(message("a", "--size") == "--size needs a value: --size X")
    #expect(try parse("a", "--name=--loud").all(Self.name) == ["--loud"])
  }

  @Test(
    "A number is a finite decimal number in its range",
    arguments: [
      "nan", "NaN", "inf", "-inf", "infinity", "1e400", "0x1p-3", "1.5", "-0.1", "", " 0.5", "0,5",
      "1_0", "half", "0.5 ", "٠",
    ])
  func badNumbers(text: String) {
    #expect(
      message("a", "--size=\(text)") == "--size is '\(text)'; it must be a number from 0 to 1")
  }

  @Test(
    "Numbers at the ends of the range are in it",
    arguments: ["0", "1", "1e-3", "+0.5", ".5", "5e-1"])
  func goodNumbers(text: String) throws {
    #expect(try parse("a", "--size", text)[Self.size] == Double(text))
  }

  @Test(
    "A whole number is one",
    arguments: ["0", "10", "1.0", "1e0", "99999999999999999999", "-1", "", "one", "nan"])
  func badIntegers(text: String) {
    #expect(
      message("a", "--count=\(text)")
        == "--count is '\(text)'; it must be a whole number from 1 to 9")
  }

  @Test("A choice is one of its words, and the nearest is proposed")
  func choices() {
    #expect(
      message("a", "--kind", "gren")
        == "--kind is 'gren'; it must be red or green; did you mean 'green'?")
    #expect(message("a", "--kind", "violet") == "--kind is 'violet'; it must be red or green")
  }

  @Test("Unknown options are named, and the nearest is proposed")
  func unknown() {
    #expect(message("a", "--sise") == "unknown option '--sise'; did you mean '--size'?")
    #expect(message("a", "--sise=3") == "unknown option '--sise'; did you mean '--size'?")
    #expect(message("a", "-loud") == "unknown option '-loud'; did you mean '--loud'?")
    #expect(message("a", "-x") == "unknown option '-x'")
    #expect(message("a", "--=") == "unknown option '--'")
    #expect(message("a", "--\(String(repeating: "x", count: 100_000))").hasPrefix("unknown option"))
  }

  @Test("A flag takes no value")
  func flagValue() {
    #expect(message("a", "--loud=yes") == "--loud takes no value, and got 'yes'")
  }

  @Test("Operands are needed, and none is empty")
  func operands() {
    #expect(message() == "no WALL is given")
    #expect(message("--loud") == "no WALL is given")
    #expect(message("a", "") == "WALL is an empty text")
  }

  @Test("An option may take the operands' place, and then there are none")
  func replacedOperands() throws {
    let parser = ArgumentParser(
      specification: CommandSpecification(
        words: ["paint"], summary: "Paint", discussion: [],
        operands: Operands(metavar: "WALL", help: "A wall.", isList: true, replacement: Self.name),
        groups: [OptionGroup("All", [Self.name, Self.loud])], examples: []))
    #expect(try parser.parse(["a", "--loud"]).operands == ["a"])
    let replaced = try parser.parse(["--name", "-", "--loud", "--name=b"])
    #expect(replaced.operands.isEmpty && replaced.all(Self.name) == ["-", "b"])
    for (arguments, message) in [
      ([], "neither WALL nor --name is given"),
      (["--loud"], "neither WALL nor --name is given"),
      (["--name", "b", "a"], "--name takes the place of WALL, and 'a' is given too"),
      (["--name=b", "--", "--loud"], "--name takes the place of WALL, and '--loud' is given too"),
      (["--name=b", ""], "--name takes the place of WALL, and '' is given too"),
      ([""], "WALL is an empty text"),
    ] {
      #expect(throws: UsageError("\(message) (see 'tally paint --help')")) {
        try parser.parse(arguments)
      }
    }
    let page = HelpText.of(parser.specification)
    #expect(page.contains("tally paint WALL... [OPTION]...\n  tally paint --name FILE [OPTION]..."))
  }

  @Test(
    "A range has two numbers in order",
    arguments: ["1", "1:", ":1", "2:1", "nan:1", "0:1:2", "a:b", "0.5-2", ""])
  func badRanges(text: String) {
    #expect(ValueKind.range("A:B", in: 0...10).parse(text) == nil)
  }

  @Test("Ranges and switches are read")
  func composites() {
    #expect(ValueKind.range("A:B", in: 0...10).parse("0.45:2.2") == 0.45...2.2)
    #expect(ValueKind.range("A:B", in: 0...10).parse("1:1") == 1...1)
    #expect(ValueKind.numberOrOff("K", in: 0...10).parse("off") == .off)
    #expect(ValueKind.numberOrOff("K", in: 0...10).parse("2") == .on(2))
    #expect(ValueKind.numberOrOff("K", in: 0...10).parse("OFF") == nil)
    #expect(ValueKind.numberOrOff("K", in: 0...10).parse("nan") == nil)
  }

  @Test("Random arguments give values or an error, and never end the process")
  func noise() {
    var generator = SeededGenerator(seed: 7)
    let pieces = [
      "--size", "--count", "--kind", "--loud", "--name", "--", "-", "=", "0.5", "nan", "--size=",
      "\u{0}", "\n", "🥧", "a", "", "--help", "1e999", "red", "e\u{301}",
    ]
    var failures = 0
    for _ in 0..<2000 {
      let count = Int.random(in: 0...6, using: &generator)
      let arguments = (0..<count).map { _ in
        (0..<Int.random(in: 1...2, using: &generator))
          .compactMap { _ in pieces.randomElement(using: &generator) }.joined()
      }
      do {
        #expect(!(try Self.parser.parse(arguments).operands.isEmpty))
      } catch {
        failures += 1
      }
    }
    #expect(failures > 0)
  }
}
