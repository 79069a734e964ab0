import TestSupport
import Testing
import _VectorKernels

@testable import LinearAlgebra

@Suite("Packed rows")
struct PackedRowsTests {
  static let layouts: [PackedRows.Layout] = {
    #if canImport(Accelerate)
      [.rows]
    #else
      [.rows, .panels]
    #endif
  }()

  private static func values(_ count: Int, _ random: inout SeededGenerator) -> [Float] {
    (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
  }

  @Test(
    "Products are those of the rows, whatever their number, width and range",
    arguments: layouts, [1, 3, 16, 33, 200, 513])
  func products(layout: PackedRows.Layout, width: Int) {
    var random = SeededGenerator(seed: UInt64(width))
    for (count, tall) in [(1, 1), (31, 2), (32, 5), (33, 7), (64, 29), (100, 113), (130, 1)] {
      let rows = Self.values(count * width, &random)
      let others = Self.values(tall * width, &random)
      var packed = PackedRows(width: width, capacity: 0, layout: layout)
      // In pieces that begin and end within a panel and at its ends.
      var first = 0
      while first < count {
        let piece = min(count - first, [1, 7, 32, 40][first % 4])
        rows.withUnsafeBufferPointer {
          packed.append(unchecked: $0.baseAddress! + first * width, count: piece)
        }
        first += piece
      }
      #expect(packed.count == count)
      // Once for all ranges.
      var exact = [Double](repeating: 0, count: tall * count)
      for row in 0..<tall {
        for other in 0..<count {
          var sum = 0.0
          for column in 0..<width {
            sum += Double(others[row * width + column]) * Double(rows[other * width + column])
          }
          exact[row * count + other] = sum
        }
      }
      for start in stride(from: 0, to: count, by: PackedRows.step) {
        for end in Set([start + 1, (start + count) / 2, count]) where end > start {
          let stride = end - start + 3
          var products = [Float](repeating: .nan, count: tall * stride)
          packed.uncheckedProducts(
            of: others, count: tall, with: start..<end, into: &products, stride: stride)
          // One expectation for all: there are hundreds of thousands.
          var (wrong, written) = (0, 0)
          for row in 0..<tall {
            for place in 0..<stride {
              let found = products[row * stride + place]
              if place >= end - start {
                written += found.isNaN ? 0 : 1
              } else {
                let error = abs(Double(found) - exact[row * count + start + place])
                wrong += error <= 1e-6 * Double(width) ? 0 : 1
              }
            }
          }
          #expect(wrong == 0, "\(count) rows, \(tall) others, \(start)..<\(end)")
          #expect(written == 0, "written beyond the range")
        }
      }
    }
  }

  @Test("A copy keeps its rows when the other grows", arguments: layouts)
  func copies(layout: PackedRows.Layout) {
    let rows: [Float] = [1, 2, 3, 4]
    var packed = PackedRows(width: 2, capacity: 8, layout: layout)
    packed.append(unchecked: rows, count: 1)
    var copy = packed
    copy.append(unchecked: [5, 6], count: 1)
    packed.append(unchecked: [7, 8], count: 1)
    for (set, last) in [(packed, Float(15)), (copy, Float(11))] {
      var products: [Float] = [0, 0]
      set.uncheckedProducts(of: [1, 1], count: 1, with: 0..<2, into: &products, stride: 2)
      #expect(products == [3, last])
    }
  }

  @Test("A row's products are the same alone and among others, and each way round")
  func independence() {
    var random = SeededGenerator(seed: 5)
    let (count, width) = (77, 300)
    let rows = Self.values(count * width, &random)
    let packed = PackedRows(unchecked: rows, count: count, width: width)
    var all = [Float](repeating: 0, count: count * count)
    packed.uncheckedProducts(of: rows, count: count, with: 0..<count, into: &all, stride: count)
    #if !canImport(Accelerate)
      guard vk_best_level() > VK_LEVEL_BASELINE else { return }
      for row in 0..<count {
        var alone = [Float](repeating: 0, count: count)
        rows.withUnsafeBufferPointer {
          packed.uncheckedProducts(
            of: $0.baseAddress! + row * width, count: 1, with: 0..<count, into: &alone,
            stride: count)
        }
        for other in 0..<count {
          #expect(alone[other] == all[row * count + other])
          #expect(all[other * count + row] == all[row * count + other])
        }
      }
    #endif
  }

  @Test("Every piece is done once, on one thread or several", arguments: [1, 2, 5])
  func pieces(threads: Int) {
    let packed = PackedRows(unchecked: [1], count: 1, width: 1)
    let before = BLASThreads.count
    BLASThreads.set(threads)
    defer { BLASThreads.set(before) }
    for count in [0, 1, 2, 17] {
      let done = UnsafeMutablePointer<Int>.allocate(capacity: 17)
      done.initialize(repeating: 0, count: 17)
      defer { done.deallocate() }
      nonisolated(unsafe) let places = done
      packed.spread(count) { places[$0] += 1 }
      #expect((0..<17).map { done[$0] } == (0..<17).map { $0 < count ? 1 : 0 })
    }
  }
}

@Suite("Sums in double precision")
struct DoubleSumsTests {
  @Test("Sums of values in either precision, of every length around whole vectors")
  func sums() {
    var random = SeededGenerator(seed: 9)
    for count in Array(0...70) + [511, 512, 513] {
      let (a, b) = (
        (0..<count).map { _ in Float.random(in: -1...1, using: &random) },
        (0..<count).map { _ in Double.random(in: -1...1, using: &random) }
      )
      let singles = b.map { Float($0) }
      let mixed = zip(a, b).reduce(0.0) { $0 + Double($1.0) * $1.1 }
      #expect(abs(DoubleSums.dot(a, b, count: count) - mixed) < 1e-13)
      let single = zip(a, singles).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
      #expect(abs(DoubleSums.dot(a, singles, count: count) - single) < 1e-13)
      let double = b.reduce(0.0) { $0 + $1 * $1 }
      #expect(abs(DoubleSums.dot(b, b, count: count) - double) < 1e-12)
      var sum = b + [7]
      DoubleSums.add(0.5, a, to: &sum, count: count)
      DoubleSums.add(-2, b, to: &sum, count: count)
      for index in 0..<count {
        #expect(abs(sum[index] - (b[index] + 0.5 * Double(a[index]) - 2 * b[index])) < 1e-15)
      }
      #expect(sum[count] == 7)
    }
  }

  @Test("A transposed block, its neighbours untouched")
  func transposition() {
    for (rows, columns) in [(0, 3), (1, 1), (4, 4), (5, 19), (33, 17)] {
      let source = (0..<rows * (columns + 2)).map { Float($0) }
      var target = [Float](repeating: -1, count: columns * (rows + 1) + 1)
      vk_transpose_f32(source, &target, rows, columns, columns + 2, rows + 1)
      for column in 0..<columns {
        for row in 0...rows {
          let expected = row < rows ? Float(row * (columns + 2) + column) : -1
          #expect(target[column * (rows + 1) + row] == expected)
        }
      }
    }
  }
}
