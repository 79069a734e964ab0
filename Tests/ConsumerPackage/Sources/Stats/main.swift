import Stats
import Support

let band = OutlierBand(of: [10, 11, 12, 13, 90] as [Double], multiplier: 1)
guard let band, band.contains(11), !band.contains(90) else {
  exit(
    because:
      "90 should be an outlier of 10, 11, 12, 13, 90; the band is \(String(describing: band))")
}
print("Stats: 90 is outside \(band.lowerBound)...\(band.upperBound)")
