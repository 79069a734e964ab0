import Geometry

/// Boxes by their size: those of one layer have like widths and like heights, and cells of that
/// size.
///
/// With one size of cell for all, a large box has many cells to look through, and a small one many
/// boxes in its cell.
struct SizeLayers {
  /// Boxes of similar size.
  struct Layer {
    /// How many boxes are in the layers before.
    private(set) var start = 0
    /// How many boxes are in the layer.
    private(set) var count: Int
    /// The widths there are.
    private(set) var widths: ClosedRange<Double>
    /// The heights there are.
    private(set) var heights: ClosedRange<Double>
    /// Cells to a pixel, across and down.
    private var columnsPerPixel = 0.0
    private var rowsPerPixel = 0.0

    init(_ place: Place) {
      self.init(
        count: 1, widths: place.width...place.width, heights: place.height...place.height)
    }

    init(count: Int, widths: ClosedRange<Double>, heights: ClosedRange<Double>) {
      (self.count, self.widths, self.heights) = (count, widths, heights)
    }

    mutating func add(_ place: Place) {
      count += 1
      if !widths.contains(place.width) {
        widths = min(widths.lowerBound, place.width)...max(widths.upperBound, place.width)
      }
      if !heights.contains(place.height) {
        heights = min(heights.lowerBound, place.height)...max(heights.upperBound, place.height)
      }
    }

    /// Sets the size of the cells, the number of boxes before being known.
    mutating func divide(start: Int) {
      self.start = start
      columnsPerPixel = 1 / (widths.lowerBound * widths.upperBound).squareRoot()
      rowsPerPixel = 1 / (heights.lowerBound * heights.upperBound).squareRoot()
    }

    /// The column of a place.
    ///
    /// Greater places never have smaller columns, however the product rounds: that is all that
    /// suppression relies on.
    @inline(__always)
    func column(_ x: Double) -> Int { Self.index(x * columnsPerPixel) }

    /// The row of a place.
    @inline(__always)
    func row(_ y: Double) -> Int { Self.index(y * rowsPerPixel) }

    /// Half of what an index may be, so that none is negative: they are rounded toward zero.
    ///
    /// A box is at least 2^-24 of its coordinates wide, so that its own cell is far from the ends.
    private static let middle = 0x1p31

    @inline(__always)
    private static func index(_ position: Double) -> Int {
      Int(min(max(position + middle, 0), 2 * middle))
    }
  }

  private var layers: [Layer] = []
  /// The number of the layer of each class of widths and heights, or -1.
  private var table: [Int32]
  private let widthClasses: SideClasses
  private let heightClasses: SideClasses

  /// How many boxes are in a layer.
  private(set) var boxCount = 0

  /// How many layers there are.
  var count: Int { layers.count }

  /// Fewer boxes than this are as quickly compared without layers.
  private static let leastBoxes = 48
  /// With more, their numbers would not fit in 32 bits.
  private static let mostBoxes = Int(Int32.max)

  /// Sorts boxes into layers, or nil if comparing all pairs is as good.
  ///
  /// Boxes whose reach is not known are in none.
  init?(for boxes: [Box]) {
    guard boxes.count >= Self.leastBoxes, boxes.count <= Self.mostBoxes else { return nil }
    var (narrowest, lowest) = (Double.infinity, Double.infinity)
    var (widest, highest) = (0.0, 0.0)
    var known = 0
    for box in boxes where Reach.isKnown(for: box) && !box.isEmpty {
      let place = Place(box)
      // Not `min` and `max`, whose rule for NaN costs more than the comparison.
      narrowest = place.width < narrowest ? place.width : narrowest
      widest = place.width > widest ? place.width : widest
      lowest = place.height < lowest ? place.height : lowest
      highest = place.height > highest ? place.height : highest
      known += 1
    }
    guard widest > 0, highest > 0 else { return nil }
    widthClasses = SideClasses(from: narrowest, through: widest)
    heightClasses = SideClasses(from: lowest, through: highest)
    table = Array(repeating: -1, count: widthClasses.count * heightClasses.count)
    if table.count == 1 {
      table[0] = 0
      layers = [Layer(count: known, widths: narrowest...widest, heights: lowest...highest)]
      layers[0].divide(start: 0)
      boxCount = known
      return
    }
    for box in boxes where Reach.isKnown(for: box) && !box.isEmpty {
      let place = Place(box)
      let slot = slot(widthClasses[place.width], heightClasses[place.height])
      if table[slot] < 0 {
        table[slot] = Int32(layers.count)
        layers.append(Layer(place))
      } else {
        layers[Int(table[slot])].add(place)
      }
    }
    for number in layers.indices {
      layers[number].divide(start: boxCount)
      boxCount += layers[number].count
    }
  }

  /// A layer by its number.
  subscript(number: Int) -> Layer {
    @inline(__always) get { layers[number] }
  }

  /// The number of the layer of a box whose reach is known.
  @inline(__always)
  func layer(of place: Place) -> Int {
    layer(widthClasses[place.width], heightClasses[place.height])
  }

  /// The number of the layer of two classes, or -1 if there is no such box.
  @inline(__always)
  func layer(_ widthClass: Int, _ heightClass: Int) -> Int {
    Int(table[slot(widthClass, heightClass)])
  }

  /// The classes of boxes that can overlap one too much.
  @inline(__always)
  func classes(
    for place: Place, _ reach: Reach
  ) -> (across: ClosedRange<Int>, down: ClosedRange<Int>) {
    let (width, height) = (reach.sides(place.width), reach.sides(place.height))
    return (
      widthClasses[width.least]...widthClasses[width.greatest],
      heightClasses[height.least]...heightClasses[height.greatest]
    )
  }

  @inline(__always)
  private func slot(_ widthClass: Int, _ heightClass: Int) -> Int {
    heightClass &* widthClasses.count &+ widthClass
  }
}

/// Classes of lengths: four octaves each, or one class of all where they are of similar size.
///
/// With fewer octaves a box looks through more layers, with more through more boxes of a cell.
private struct SideClasses {
  private let leastExponent: Int
  private let shift: Int
  /// How many classes there are.
  let count: Int

  /// A class has two to the power of this octaves.
  private static let octaveBits = 2
  /// Lengths of no more than this ratio are one class.
  private static let likeSize = 8.0

  init(from least: Double, through greatest: Double) {
    leastExponent = Self.exponent(least)
    shift = greatest <= least * Self.likeSize ? Int.bitWidth - 1 : Self.octaveBits
    count = (Self.exponent(greatest) - leastExponent) >> shift + 1
  }

  /// The class of a positive length; that of the nearest if there is none so short or long.
  @inline(__always)
  subscript(length: Double) -> Int {
    min(max(Self.exponent(length) &- leastExponent, 0) &>> shift, count &- 1)
  }

  @inline(__always)
  private static func exponent(_ length: Double) -> Int {
    Int(truncatingIfNeeded: length.bitPattern &>> 52)
  }
}
