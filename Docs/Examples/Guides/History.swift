import CountReport
import ImageFiles
import ReferenceModels

/// A history of 98 counts, one of which has a changed byte.
func damagedHistory(_ url: URL) async throws -> HistoryFile {
  let history = HistoryFile(url)
  for number in 1...98 {
    let id = String(format: "6F1C0000-0000-4000-8000-%012d", number)
    try await history.add(
      HistoryEntry(
        id: UUID(uuidString: id)!, time: Date(timeIntervalSince1970: 1_700_000_000), count: number,
        imageName: "photo \(number).jpg", thresholds: ["confidence": 0.2],
        thumbnail: Data(repeating: 7, count: 2000)))
  }
  var bytes = try Data(contentsOf: url)
  let name = bytes.range(of: Data("photo 60.jpg".utf8))!
  bytes[name.lowerBound] = UInt8(ascii: "P")
  try bytes.write(to: url)
  return history
}

// begin
let photo = try ImageFile.load(contentsOf: checkoutFile("Fixtures/Images/coins.png"))
let counter = try ObjectCounter.bundled()
let result = try await counter.count(in: photo)
let thumbnail = try CountThumbnail.image(of: result, in: photo)
let jpeg = try thumbnail.map { try ImageFile.data(of: $0, as: .jpeg()) }
let url = URL(fileURLWithPath: "history.sqlite")
let now = Date(timeIntervalSince1970: 1_700_000_000)
let other = URL(fileURLWithPath: "salvaged.sqlite")
let damaged = try await damagedHistory(URL(fileURLWithPath: "damaged.sqlite"))
