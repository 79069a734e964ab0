import CCairo
import Foundation
import Geometry

/// A drawing of a dendrogram: leaves along the bottom, and each merge as a bracket at its distance.
///
/// Groups have the colours of ``KindStyle``. If there are more groups than colours, the others are
/// grey if groups have names, and otherwise colours are used again from the first. Brackets outside
/// all groups are grey. The cut is a dashed line. If groups have names, a key above the tree says
/// which one has which colour.
public struct DendrogramPlot: Hashable, Sendable {
  /// The two legs and the bar of one merge, in units of the layout.
  public struct Bracket: Hashable, Sendable {
    /// The positions of the legs: the leaf at place `i` is at `10 i + 5`.
    public var left, right: Double
    /// The lower ends of the legs, in units of the distance.
    public var leftBase, rightBase: Double
    /// The height of the bar, in units of the distance.
    public var height: Double
    /// Its group, from 0; nil if it is in none.
    public var group: Int?

    /// Makes a bracket.
    public init(
      left: Double, right: Double, leftBase: Double, rightBase: Double, height: Double, group: Int?
    ) {
      (self.left, self.right, self.height, self.group) = (left, right, height, group)
      (self.leftBase, self.rightBase) = (leftBase, rightBase)
    }
  }

  /// Names of the leaves from left to right.
  ///
  /// They are smaller if there is little room. If there is too little for letters that can be read,
  /// none is drawn, and a line below the tree says so.
  public var leaves: [String]
  /// The merges; those with a value that is not finite are left out.
  public var brackets: [Bracket]
  /// The distance at which the tree is cut; nil for no line.
  public var cut: Double?
  /// The names of the groups, by their number; empty for no key of colours.
  public var groups: [String]
  /// The title; empty for none.
  public var title: String
  /// The name of the distance.
  public var distanceName: String

  /// Makes a plot.
  public init(
    leaves: [String], brackets: [Bracket], cut: Double? = nil, groups: [String] = [],
    title: String = "", distanceName: String = "distance"
  ) {
    self.groups = groups
    (self.leaves, self.brackets, self.cut) = (leaves, brackets, cut)
    (self.title, self.distanceName) = (title, distanceName)
  }

  /// The width at which the names of the leaves have room, 800...1200.
  ///
  /// A page at twice its size is then at most 2,400 pixels wide.
  public var readableWidth: Int { min(max(800, 16 * min(leaves.count, 100) + 100), 1200) }

  /// An SVG file of `width` x `height`, on white.
  ///
  /// Letters are outlines, so that it looks the same in every program.
  ///
  /// - Complexity: O(n) time and size of the file.
  /// - Throws: ``DrawingError``; sides must be 1...32767.
  public func svg(width: Int = 800, height: Int = 400) throws -> Data {
    try page(width: width, height: height).svg()
  }

  /// The plot on a white page of `width` x `height`, for files of any kind.
  public func page(width: Int = 800, height: Int = 400) -> Page {
    Page(width: width, height: height) { canvas in
      PlotPage(self, width: Double(width), height: Double(height), canvas: canvas).draw()
    }
  }
}

/// The layout of a dendrogram on its page.
private struct PlotPage {
  private static let grey = PlotStyle.grey

  private let plot: DendrogramPlot
  private let canvas: Canvas
  private let (width, height): (Double, Double)
  private let fontSize: Double
  /// The area of the tree.
  private let area: Frame
  /// The end of the scale.
  private let top: Double
  private let step: Double
  /// The font size of the leaves' names; nil if there is no room for them.
  private let leafSize: Double?
  /// The names of groups with their colours, and where they stand above the tree.
  private let key: [(name: String, color: Color, x: Double, line: Int)]
  private let brackets: [DendrogramPlot.Bracket]

  init(_ plot: DendrogramPlot, width: Double, height: Double, canvas: Canvas) {
    self.plot = plot
    self.canvas = canvas
    (self.width, self.height) = (width, height)
    cairo_select_font_face(
      canvas.context, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL)
    fontSize = min(max(height / 32, 9), 28)
    brackets = plot.brackets.filter {
      [$0.left, $0.right, $0.leftBase, $0.rightBase, $0.height].allSatisfy(\.isFinite)
    }
    let highest = brackets.reduce(0) { max($0, $1.height) }
    let cut = plot.cut.flatMap { $0.isFinite && $0 >= 0 && $0 < highest * 4 ? $0 : nil } ?? 0
    (step, top) = Self.scale(to: max(highest, cut))
    let font = fontSize
    let tickWidth = canvas.metrics(of: Self.number(top - step, step)).width * font
    let left = tickWidth + 3.2 * font
    let places = max(Double(plot.leaves.count), 1)
    let right = font
    let fitting = min((width - left - right) / places / 1.1, font)
    leafSize =
      fitting >= Self.smallestLeaf && plot.leaves.contains { !$0.isEmpty } ? fitting : nil
    let longest = plot.leaves.reduce(0.0) { max($0, canvas.metrics(of: $1).width) } * fitting
    let below =
      leafSize == nil
      ? (plot.leaves.count > 1 ? 2.2 * font : font) : min(longest, height / 3) + font
    key = Self.key(of: plot, left: left, width: width - right, size: font, canvas: canvas)
    let lines = (key.last?.line ?? -1) + 1
    let above = (plot.title.isEmpty ? font : 2.6 * font) + 1.5 * Double(lines) * font
    area = Frame(
      x: left, y: above, width: max(width - left - right, 1), height: max(height - above - below, 1)
    )
  }

  /// The smallest font size of leaves' names, in units of the page.
  private static let smallestLeaf = 8.0

  /// The key of colours, in lines from left to right; it has at most four lines.
  private static func key(
    of plot: DendrogramPlot, left: Double, width: Double, size: Double, canvas: Canvas
  ) -> [(name: String, color: Color, x: Double, line: Int)] {
    guard !plot.groups.isEmpty else { return [] }
    var (x, line) = (left, 0)
    var key: [(name: String, color: Color, x: Double, line: Int)] = []
    let drawn = Set(plot.brackets.map(\.group))
    var entries = plot.groups.prefix(KindStyle.last).enumerated().map { place, name in
      (name: name, color: KindStyle(rank: place).color)
    }
    let above = drawn.contains(nil) ? "above the cut" : ""
    if plot.groups.count > KindStyle.last {
      entries.append((name: above.isEmpty ? "others" : "others, and \(above)", color: grey))
    } else {
      entries.append((name: above, color: grey))
    }
    for entry in entries where !entry.name.isEmpty {
      let length = (canvas.metrics(of: entry.name).width + 2.8) * size
      if x + length > width, x > left { (x, line) = (left, line + 1) }
      guard line < 4 else { break }
      key.append((entry.name, entry.color, x, line))
      x += length
    }
    return key
  }

  /// The step and the end of a scale.
  ///
  /// The step is 1, 2 or 5 times a power of ten, and the scale has four to nine steps.
  private static func scale(to highest: Double) -> (step: Double, top: Double) {
    guard highest > 0, highest.isFinite else { return (0.2, 1) }
    let rough = highest / 5
    let power = pow(10, floor(log10(rough)))
    let step = [1.0, 2, 5, 10].first { $0 * power >= rough }.map { $0 * power } ?? rough
    guard step.isNormal else { return (highest, highest) }
    return (step, max(highest * 1.04, step))
  }

  /// A tick's number with the digits that its step needs.
  private static func number(_ value: Double, _ step: Double) -> String {
    if abs(value) >= 1e6 || step < 1e-6 { return String(format: "%.2g", value) }
    return String(format: "%.\(max(0, Int(-floor(log10(step)))))f", value)
  }

  private func x(_ place: Double) -> Double {
    area.x + place / (10 * Double(max(plot.leaves.count, 1))) * area.width
  }

  private func y(_ distance: Double) -> Double {
    area.y + area.height * (1 - distance / top)
  }

  func draw() {
    canvas.setColor(.white)
    canvas.fill(Frame(x: 0, y: 0, width: width, height: height))
    drawScale()
    let lineWidth = max(fontSize / 9, min(fontSize / 5, area.width / Double(plot.leaves.count + 1)))
    // The brackets of a group are one path, which halves the size of the file.
    for (group, members) in Dictionary(grouping: brackets, by: \.group).sorted(by: {
      ($0.key ?? -1) < ($1.key ?? -1)
    }) {
      canvas.setColor(group.map(color(ofGroup:)) ?? Self.grey)
      for bracket in members {
        canvas.addLine([
          Point(x: x(bracket.left), y: y(bracket.leftBase)),
          Point(x: x(bracket.left), y: y(bracket.height)),
          Point(x: x(bracket.right), y: y(bracket.height)),
          Point(x: x(bracket.right), y: y(bracket.rightBase)),
        ])
      }
      canvas.strokeLines(width: lineWidth)
    }
    drawCut(lineWidth: lineWidth)
    drawKey()
    if let leafSize { drawLeaves(leafSize) } else { drawNote() }
  }

  private func color(ofGroup group: Int) -> Color {
    // Without names, neighbours differ although colours are used again; the last one is grey.
    KindStyle(rank: plot.groups.isEmpty ? group % KindStyle.last : group).color
  }

  private func drawKey() {
    let top = (plot.title.isEmpty ? 1 : 2.6) * fontSize
    for entry in key {
      let baseline = top + (1.5 * Double(entry.line) + 0.75) * fontSize
      canvas.setColor(entry.color)
      canvas.addLine([
        Point(x: entry.x, y: baseline - 0.35 * fontSize),
        Point(x: entry.x + 1.2 * fontSize, y: baseline - 0.35 * fontSize),
      ])
      canvas.strokeLines(width: fontSize / 4)
      canvas.setColor(.ink)
      canvas.write(entry.name, x: entry.x + 1.6 * fontSize, baseline: baseline, size: fontSize)
    }
  }

  /// Says that the leaves have no names.
  private func drawNote() {
    guard plot.leaves.contains(where: { !$0.isEmpty }) else { return }
    canvas.setColor(.ink)
    canvas.write(
      "\(plot.leaves.count) leaves, too many to write their names", x: area.x + area.width / 2,
      baseline: area.y + area.height + 1.6 * fontSize, size: fontSize, alignment: .middle)
  }

  private func drawScale() {
    canvas.setColor(.ink)
    let lower = canvas.metrics(of: "0")
    let ticks = stride(from: 0, through: min(top / step, 50), by: 1).map { $0 * step }
    for tick in ticks {
      let text = Self.number(tick, step)
      let textWidth = canvas.metrics(of: text).width * fontSize
      canvas.write(
        text, x: area.x - textWidth - 0.8 * fontSize,
        baseline: y(tick) + (lower.ascent - lower.descent) / 2 * fontSize * 0.75, size: fontSize)
    }
    for tick in ticks {
      canvas.addLine([
        Point(x: area.x - 0.5 * fontSize, y: y(tick)),
        Point(x: area.x - 0.15 * fontSize, y: y(tick)),
      ])
    }
    canvas.strokeLines(width: fontSize / 12)
    let name = canvas.metrics(of: plot.distanceName)
    canvas.write(
      plot.distanceName, x: 1.1 * fontSize,
      baseline: area.y + (area.height + name.width * fontSize) / 2, size: fontSize, isUpward: true)
    let titleSize = 1.15 * fontSize
    canvas.write(plot.title, x: area.x, baseline: 1.7 * fontSize, size: titleSize)
  }

  private func drawCut(lineWidth: Double) {
    guard let cut = plot.cut, cut >= 0, cut <= top else { return }
    canvas.setColor(.ink)
    canvas.addLine([
      Point(x: area.x, y: y(cut)), Point(x: area.x + area.width, y: y(cut)),
    ])
    canvas.strokeLines(width: max(lineWidth * 0.7, 0.75), dash: fontSize / 3)
  }

  private func drawLeaves(_ size: Double) {
    canvas.setColor(.ink)
    let metrics = canvas.metrics(of: "0")
    let room = height - area.y - area.height - 0.7 * fontSize
    for (place, leaf) in plot.leaves.enumerated() {
      let length = canvas.metrics(of: leaf).width * size
      // A name that is too long starts at the edge of the page, which cuts it off.
      canvas.write(
        leaf, x: x(Double(place) * 10 + 5) + (metrics.ascent - metrics.descent) * 0.4 * size,
        baseline: area.y + area.height + 0.4 * fontSize + max(length, min(length, room)),
        size: size, isUpward: true)
    }
  }
}
