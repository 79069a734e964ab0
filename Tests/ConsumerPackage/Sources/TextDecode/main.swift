import Geometry
import Support
import TextDecode

// A map with one bar of text, of an image twice as large; a network of a blank, a letter and a space.
var map = [Float](repeating: 0, count: 64 * 32)
for y in 10..<20 {
  for x in 8..<56 { map[y * 64 + x] = 0.9 }
}
let regions = try TextMapDecoder().regions(
  in: map, width: 64, height: 32, imageWidth: 128, imageHeight: 64)
guard regions.count == 1, regions[0].outline.contains(Point(x: 64, y: 30)) else {
  exit(because: "one region around the bar was expected, not \(regions)")
}
let line = try CTCDecoder(characters: ["a"]).text(in: [0, 1, 0, 0, 1, 0, 0, 0, 1])
guard line == CTCText(text: "a ", confidence: 1) else {
  exit(because: "a letter and a space were expected, not \(line)")
}
print("TextDecode: \(regions[0].outline.boundingBox), '\(line.text)'")
