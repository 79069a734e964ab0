import Foundation
import Stats
import Testing

@Suite struct OutlierBandTests {
  @Test func boundsBelongToTheBand() throws {
    // Median 2, population sigma 1: the outer values lie on the bounds.
    let band = try #require(OutlierBand(of: [1.0, 1, 3, 3], multiplier: 1))
    #expect(band.median == 2 && band.standardDeviation == 1)
    #expect(band.lowerBound == 1 && band.upperBound == 3)
    #expect(band.contains(1.0) && band.contains(3.0) && band.contains(Float(2)))
    #expect(!band.contains(1.0.nextDown) && !band.contains(3.0.nextUp))
  }

  @Test func sigmaIsThePopulations() throws {
    let values = [2.0, 4, 4, 4, 5, 5, 7, 9]
    let band = try #require(OutlierBand(of: values, multiplier: 2))
    #expect(band.median == 4.5 && band.standardDeviation == 2)
    #expect(values.filter(band.contains) == [2, 4, 4, 4, 5, 5, 7])
  }

  @Test func noValuesHaveNoBand() {
    #expect(OutlierBand(of: [Float](), multiplier: 1) == nil)
  }

  @Test func equalValuesLieInTheirOwnBand() throws {
    for value in [0.1, 0.3, 1e-300, 12345.678] {
      let band = try #require(
        OutlierBand(of: Array(repeating: value, count: 2), multiplier: 0.5))
      #expect(band.contains(value))
    }
  }

  @Test func aWiderBandContainsTheNarrower() throws {
    let values = (0..<50).map { Double(($0 * 37) % 53) }
    var before = -1
    for multiplier in [0, 0.25, 0.5, 1, 1.5, 2, 3, 10] {
      let band = try #require(OutlierBand(of: values, multiplier: multiplier))
      let inside = values.count(where: band.contains)
      #expect(inside >= before)
      before = inside
    }
    #expect(before == 50)
  }

  @Test func nothingLiesInABandThatIsNotANumber() throws {
    for values in [[1.0, .nan], [1, .infinity], [1, 2, -.infinity]] {
      let band = try #require(OutlierBand(of: values, multiplier: 1))
      #expect(!values.contains(where: band.contains))
    }
    let band = try #require(OutlierBand(of: [1.0, 2], multiplier: .nan))
    #expect(!band.contains(1.5))
    #expect(!OutlierBand(median: 0, standardDeviation: 1, multiplier: -1).contains(0.0))
    #expect(!OutlierBand(median: 0, standardDeviation: 1, multiplier: 1).contains(Double.nan))
  }

  @Test func survivesCoding() throws {
    let band = OutlierBand(median: 1, standardDeviation: 2, multiplier: 3)
    let data = try JSONEncoder().encode(band)
    #expect(try JSONDecoder().decode(OutlierBand.self, from: data) == band)
  }
}
