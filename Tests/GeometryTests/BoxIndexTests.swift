import Geometry
import Testing

@Suite struct BoxIndexTests {
  @Test("a search visits what a look at every box finds, from right to left") func againstAll() {
    let queries = sampleBoxes(seed: 6, count: 50)
    for count in [0, 1, 2, 7, 60] {
      let boxes = sampleBoxes(seed: 5, count: count)
      let index = BoxIndex(boxes)
      for query in queries {
        var visited: [Int] = []
        index.forEach(overlapping: query) { visited.append($0) }
        let expected = boxes.indices.filter {
          let box = boxes[$0]
          return box.minX < query.maxX && box.maxX > query.minX && box.minY < query.maxY
            && box.maxY > query.minY
        }
        #expect(visited.sorted() == expected)
        #expect(zip(visited, visited.dropFirst()).allSatisfy { boxes[$0].minX >= boxes[$1].minX })
      }
    }
  }

  @Test("boxes that only touch are not visited") func touching() {
    let index = BoxIndex([
      Box(minX: 0, minY: 0, maxX: 10, maxY: 10), Box(minX: 10, minY: 10, maxX: 20, maxY: 20),
    ])
    var visited: [Int] = []
    index.forEach(overlapping: Box(minX: 10, minY: 0, maxX: 20, maxY: 10)) { visited.append($0) }
    #expect(visited.isEmpty)
  }
}
