import Foundation
import TestSupport
import Testing

@testable import ABTesting

@Suite("Assignment of ids")
struct AssignmentTests {
  @Test("The hash is SipHash-2-4 on the reference implementation's messages")
  func reference() throws {
    let expected: [String] = try Folders.golden("ABTesting/siphash.json")
    #expect(expected.count == 64)
    for (length, hash) in expected.enumerated() {
      let message = (0..<length).map { UInt8($0) }
      let own = SipHash.hash(
        message, key0: 0x0706_0504_0302_0100, key1: 0x0f0e_0d0c_0b0a_0908)
      #expect(String(own) == hash)
    }
    // From the paper's appendix A.
    #expect(expected[15] == String(0xa129_ca61_49be_45e5 as UInt64))
  }

  struct Places: Decodable {
    let salt: String
    let ids: [String]
    let places: [Double]
  }

  @Test("An id's place is the one it had in the other implementation, and always will have")
  func places() throws {
    let cases: [Places] = try Folders.golden("ABTesting/places.json")
    #expect(cases.count == 6)
    for golden in cases {
      let shuffle = Shuffle(salt: golden.salt)
      #expect(golden.ids.map { shuffle.place(of: $0) } == golden.places)
    }
  }

  @Test(
    "As many ids have the change as its share says, within what chance allows",
    arguments: [0.05, 0.25, 0.5, 0.001, 1 / 3.0, 0.99])
  func bounds(share: Double) throws {
    // One in 10^9 of fair assignments is farther off than 6.1 standard deviations.
    for salt in ["one", "two", "three"] {
      let rollout = try Rollout(salt: salt, share: share)
      let count = 200_000
      let included = (0..<count).count { rollout.includes("user-\($0)") }
      let deviation = (Double(count) * share * (1 - share)).squareRoot()
      #expect(abs(Double(included) - Double(count) * share) < 6.1 * deviation + 1, "\(salt)")
    }
  }

  @Test("Nobody has a change of share 0, everybody one of share 1")
  func ends() throws {
    let none = try Rollout(salt: "s", share: 0)
    let all = try Rollout(salt: "s", share: 1)
    for index in 0..<20_000 {
      #expect(!none.includes("\(index)"))
      #expect(all.includes("\(index)"))
    }
  }

  @Test("A share that grows takes the change from nobody; rolled back, nobody has it")
  func growth() throws {
    var rollout = try Rollout(salt: "growing", share: 0)
    let ids = (0..<5000).map { "id-\($0)" }
    var before: Set<String> = []
    for percent in [1.0, 5, 5.01, 25, 50, 75, 99.9, 100] {
      try rollout.set(share: percent / 100)
      let now = Set(ids.filter(rollout.includes))
      #expect(now.isSuperset(of: before), "\(percent) %")
      before = now
    }
    #expect(before.count == ids.count)
    rollout.rollBack()
    #expect(!ids.contains(where: rollout.includes))
    try rollout.set(share: 0.25)
    let again = Set(ids.filter(rollout.includes))
    #expect(again == Set(ids.filter(try Rollout(salt: "growing", share: 0.25).includes)))
  }

  @Test("Two salts shuffle the same ids independently")
  func independence() throws {
    let first = try Rollout(salt: "first", share: 0.5)
    let second = try Rollout(salt: "second", share: 0.5)
    let count = 40_000
    let both = (0..<count).count { first.includes("\($0)") && second.includes("\($0)") }
    // A quarter, within 6.1 standard deviations.
    #expect(abs(Double(both) - 10_000) < 6.1 * (Double(count) * 0.25 * 0.75).squareRoot())
  }

  @Test("Of several treatments each keeps its ids whatever the others' shares do")
  func treatments() throws {
    func experiment(_ shares: [Double]) throws -> Experiment {
      try Experiment(
        salt: "several",
        treatments: zip(["a", "b", "c"], shares).map { .init(name: $0, share: $1) })
    }
    let ids = (0..<30_000).map { "\($0)" }
    let steps = [
      [0.05, 0.1, 0.0], [0.25, 0.1, 0.3], [0.25, 0.3, 0.3], [1 / 3.0, 1 / 3.0, 1 / 3.0],
    ]
    var before: [String: String] = [:]
    for shares in steps {
      let step = try experiment(shares)
      var counts: [String: Int] = [:]
      for id in ids {
        let name = step.treatment(of: id)?.name
        if let earlier = before[id] { #expect(name == earlier) }
        if let name {
          before[id] = name
          counts[name, default: 0] += 1
        }
      }
      for (name, share) in zip(["a", "b", "c"], shares) {
        let expected = Double(ids.count) * share
        let deviation = (expected * (1 - share)).squareRoot()
        #expect(abs(Double(counts[name] ?? 0) - expected) <= 6.1 * deviation)
      }
    }
    #expect(before.count == ids.count)
    let rolledBack = try experiment([0.25, 0, 0.3])
    #expect(!ids.contains { rolledBack.treatment(of: $0)?.name == "b" })
    #expect(
      ids.allSatisfy { id in
        let name = rolledBack.treatment(of: id)?.name
        return name == nil || name == before[id]
      })
  }

  @Test("A rollout is its salt and its share as JSON, and a share out of range is refused")
  func codable() throws {
    let rollout = try Rollout(salt: "new-spine-finder", share: 0.05)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let json = try encoder.encode(rollout)
    #expect(String(decoding: json, as: UTF8.self) == #"{"salt":"new-spine-finder","share":0.05}"#)
    let decoder = JSONDecoder()
    let read = try decoder.decode(Rollout.self, from: json)
    #expect(read == rollout)
    #expect((0..<2000).allSatisfy { read.includes("\($0)") == rollout.includes("\($0)") })
    for share in ["-0.01", "1.01", "1e300", "\"0.5\"", "null"] {
      #expect(throws: DecodingError.self, "\(share)") {
        try decoder.decode(Rollout.self, from: Data(#"{"salt":"s","share":\#(share)}"#.utf8))
      }
    }
    for incomplete in [#"{"salt":"s"}"#, #"{"share":0.5}"#, "[]"] {
      #expect(throws: DecodingError.self, "\(incomplete)") {
        try decoder.decode(Rollout.self, from: Data(incomplete.utf8))
      }
    }
    do {
      _ = try decoder.decode(Rollout.self, from: Data(#"{"salt":"s","share":2}"#.utf8))
    } catch DecodingError.dataCorrupted(let context) {
      #expect(context.codingPath.map(\.stringValue) == ["share"])
      #expect(context.underlyingError as? ExperimentError == .shareOutOfRange(2, atMost: 1))
    }
  }

  @Test("What is no share and no experiment")
  func refused() throws {
    for share in [-0.01, 1.01, .nan, .infinity, -.infinity] {
      #expect(throws: ExperimentError.self) { try Rollout(salt: "s", share: share) }
    }
    var rollout = try Rollout(salt: "s", share: 0.5)
    #expect(throws: ExperimentError.self) { try rollout.set(share: .nan) }
    #expect(rollout.share == 0.5)
    #expect(throws: ExperimentError.noTreatment) { try Experiment(salt: "s", treatments: []) }
    #expect(throws: ExperimentError.sameName("a")) {
      try Experiment(
        salt: "s", treatments: [.init(name: "a", share: 0.1), .init(name: "a", share: 0.1)])
    }
    #expect(throws: ExperimentError.shareOutOfRange(0.6, atMost: 0.5)) {
      try Experiment(
        salt: "s", treatments: [.init(name: "a", share: 0.6), .init(name: "b", share: 0.1)])
    }
  }
}
