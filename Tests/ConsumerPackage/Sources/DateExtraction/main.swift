import DateExtraction
import Support

let matches = DateExtractor().matches(in: "EXP: 12/31/2025")
guard matches.map(\.date.description) == ["2025-12-31"], matches.first?.label == .expiry else {
  exit(because: "EXP: 12/31/2025 should be one date, not \(matches)")
}
print("DateExtraction: \(matches[0].date)")
