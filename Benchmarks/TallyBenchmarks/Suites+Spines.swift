import Geometry
import SpineHeuristics

extension Benchmark {
  /// SpineHeuristics: the books of shelves, and what their spines say.
  static let spines: [Benchmark] = [
    Benchmark(name: "spines/reading-order-1000", items: 1000) { _ in
      let (outlines, spines) = (shelves(books: 1000), SpineGeometry())
      return {
        spines.readingOrder(of: outlines).enumerated().reduce(0.0) {
          $0 + Double($1.offset * $1.element % 97)
        }
      }
    },
    Benchmark(name: "spines/rows-1000", items: 1000) { _ in
      let (outlines, spines) = (shelves(books: 1000), SpineGeometry())
      return { Double(spines.rows(of: outlines).count) }
    },
    Benchmark(name: "spines/neighbours-1000", items: 1000) { _ in
      let (outlines, spines) = (shelves(books: 1000), SpineGeometry())
      return {
        Double(zip(outlines, outlines.dropFirst()).count { spines.areNeighbours($0, $1) })
      }
    },
    Benchmark(name: "spines/label-50", items: 50) { _ in
      let (books, spines) = (written(books: 50), SpineGeometry())
      return {
        books.reduce(0.0) {
          let label = spines.label(of: $1)
          return $0 + Double((label.title ?? "").utf8.count + (label.author ?? "").utf8.count)
        }
      }
    },
  ]

  /// Standing books on boards of fifty, every tenth one leaning.
  private static func shelves(books: Int) -> [Quadrilateral] {
    var input = SeededInput(seed: 21)
    return (0..<books).map { index in
      let left = Double(index % 50) * 40
      let floor = Double(index / 50 + 1) * 300
      let width = 15 + 20 * input.uniform()
      let top = floor - 180 - 60 * input.uniform()
      let lean = index % 10 == 9 ? 30 * input.uniform() : 0
      return Quadrilateral(
        topLeft: Point(x: left + lean, y: top), topRight: Point(x: left + width + lean, y: top),
        bottomRight: Point(x: left + width, y: floor), bottomLeft: Point(x: left, y: floor))
    }
  }

  /// The lines of spines: an author, a title of one or two lines and a publisher.
  private static func written(books: Int) -> [[SpineTextLine]] {
    var input = SeededInput(seed: 22)
    let words = [
      "THE", "HISTORY", "OF", "A", "QUIET", "RIVER", "WINTER", "GARDEN", "AND", "STONE", "LIGHT",
    ]
    let names = ["Anna Berg", "JOHN C. MILLER", "Ngaio Clark", "M. de Souza"]
    return (0..<books).map { _ in
      let title = (0..<2 + input.below(4)).map { _ in words[input.below(words.count)] }
      let half = title.count / 2
      let lines = [
        (names[input.below(names.count)], 20.0), (title[..<half].joined(separator: " "), 30.0),
        (title[half...].joined(separator: " "), 30.0), ("Penguin Books", 12.0),
      ]
      var start = 0.0
      return lines.map { text, height in
        let length = Double(text.count) * height * 0.55
        defer { start += length + 14 }
        return SpineTextLine(
          outline: Quadrilateral(
            topLeft: Point(x: start, y: 0), topRight: Point(x: start + length, y: 0),
            bottomRight: Point(x: start + length, y: height), bottomLeft: Point(x: start, y: height)
          ), text: text)
      }
    }
  }
}
