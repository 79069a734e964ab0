import Foundation
import NumPyFiles
import TestSupport
import Testing

/// Bytes that are no `.npy` file: each gives a typed error, and none ends the process.
@Suite struct NumPyHostileInputTests {
  /// A file of version 1 with `header`, padded by nothing, and `body`.
  static func file(_ header: String, body: [UInt8] = []) -> Data {
    let length = header.utf8.count
    return Data([0x93] + "NUMPY".utf8 + [1, 0, UInt8(length & 255), UInt8(length >> 8)])
      + header.utf8 + body
  }

  @Test(arguments: [
    "", " ", "{", "}", "{}", "{'descr'", "{'descr':", "{'descr': '<f4'", "{'descr': '<f4',",
    "{'descr': '<f4', 'fortran_order': False, }", "{'descr': '<f4', 'shape': (), }",
    "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': 3, }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (3), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (-3,), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1.5,), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (,), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1,,), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (), 'extra': 1, }",
    "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (), } x",
    "{'descr: '<f4', 'fortran_order': False, 'shape': (), }",
    "{descr: '<f4', 'fortran_order': False, 'shape': (), }",
    "{'descr': '<f4' 'fortran_order': False, 'shape': (), }", "[1, 2]", "(((((((((((((",
  ])
  func brokenHeaders(_ header: String) {
    #expect {
      try NumPyArray(data: Self.file(header, body: [0, 0, 0, 0]))
    } throws: { error in
      if case NumPyFileError.invalidHeader = error { true } else { false }
    }
  }

  @Test(arguments: ["<c8", "<U4", "|O", "<M8[ns]", "<f16", "f4", "", "<", "?f4", "<f3", "é4"])
  func unsupportedTypes(_ type: String) {
    let header = "{'descr': '\(type)', 'fortran_order': False, 'shape': (), }"
    #expect(throws: NumPyFileError.unsupportedType("'\(type)'")) {
      try NumPyArray(data: Self.file(header))
    }
  }

  @Test func structuredTypes() {
    let header = "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (), }"
    #expect(throws: NumPyFileError.unsupportedType("of several fields")) {
      try NumPyArray(data: Self.file(header))
    }
  }

  @Test(arguments: [
    "(9223372036854775807,)", "(4294967296, 4294967296)", "(3037000500, 3037000500, 8)",
    "(4611686018427387904,)",
  ])
  func shapesThatOverflow(_ shape: String) {
    let header = "{'descr': '<f4', 'fortran_order': True, 'shape': \(shape), }"
    #expect {
      try NumPyArray(data: Self.file(header))
    } throws: { error in
      if case NumPyFileError.invalidShape = error { true } else { false }
    }
  }

  @Test func aHugeShapeWithoutDataAllocatesNothing() {
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000,), }"
    #expect(throws: NumPyFileError.sizeMismatch(expected: 4_000_000_000_000, found: 4)) {
      try NumPyArray(data: Self.file(header, body: [1, 2, 3, 4]))
    }
  }

  @Test func anEmptyArrayOfHugeAxesIsEmpty() throws {
    for order in ["True", "False"] {
      let shape = "(9223372036854775807, 0, 9223372036854775807)"
      let header = "{'descr': '<f4', 'fortran_order': \(order), 'shape': \(shape), }"
      let array = try NumPyArray(data: Self.file(header))
      #expect(array.shape == [.max, 0, .max])
      #expect(array.floats.isEmpty)
    }
  }

  @Test func lessUsualHeadersAreRead() throws {
    let header = "\n{ \"shape\":(2L,1),'fortran_order':True ,\"descr\":'=u1'}  \n"
    #expect(try NumPyArray(data: Self.file(header, body: [7, 9])).floats == [7, 9])
  }

  @Test func otherVersions() {
    for (major, minor) in [(0, 0), (4, 0), (255, 0), (1, 1), (3, 7)] {
      let data = Data([0x93] + "NUMPY".utf8 + [UInt8(major), UInt8(minor), 0, 0, 0, 0])
      #expect(throws: NumPyFileError.unsupportedVersion(major: major, minor: minor)) {
        try NumPyArray(data: data)
      }
    }
  }

  @Test func everyTruncationIsAnError() throws {
    let whole = try NumPyArray([1, 2, 3, 4], shape: [2, 2]).data
    for count in 0..<whole.count {
      #expect(throws: NumPyFileError.self) { try NumPyArray(data: whole.prefix(count)) }
    }
    #expect(throws: NumPyFileError.sizeMismatch(expected: 16, found: 17)) {
      try NumPyArray(data: whole + [0])
    }
  }

  @Test func aSliceOfDataIsReadFromItsStart() throws {
    let array = try NumPyArray([1, 2, 3, 4], shape: [2, 2])
    let padded = Data([9, 9, 9]) + array.data
    #expect(try NumPyArray(data: padded.dropFirst(3)) == array)
  }

  @Test func changedBytesNeverCrash() throws {
    var generator = SeededGenerator(seed: 71)
    let whole = Array(try NumPyArray([1, 2, 3, 4, 5, 6], shape: [2, 3]).data)
    var failures = 0
    for _ in 0..<20_000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let position = Int.random(in: 0..<80, using: &generator)
        bytes[position] = UInt8.random(in: 0...255, using: &generator)
      }
      do {
        let array = try NumPyArray(data: Data(bytes))
        #expect(array.data.count >= 128)
      } catch {
        failures += 1
      }
    }
    #expect(failures > 10_000)
  }

  @Test func pathsThatHoldNoFile() throws {
    let missing = FileManager.default.temporaryDirectory.appendingPathComponent("none/x.npy")
    #expect(
      throws: NumPyFileError.unreadable(path: missing.path, reason: "there is no such file")
    ) { try NumPyArray(contentsOf: missing) }
    #expect(
      throws: NumPyFileError.unreadable(path: "/", reason: "it is a directory")
    ) { try NumPyArray(contentsOf: URL(fileURLWithPath: "/")) }
    #expect(
      throws: NumPyFileError.unreadable(path: "/dev/zero", reason: "it is not a regular file")
    ) { try NumPyArray(contentsOf: URL(fileURLWithPath: "/dev/zero")) }
    #expect {
      try NumPyArray([1]).write(to: missing)
    } throws: { error in
      if case NumPyFileError.unwritable = error { true } else { false }
    }
  }
}
