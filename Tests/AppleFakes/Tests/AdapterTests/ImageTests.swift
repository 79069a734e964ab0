import CoreGraphics
import CoreVideo
import Foundation
import Geometry
import ImageIO
import Raster
import Testing

@testable import AppleVision

@Suite("Images of Apple's")
struct ImageTests {
  private let image: Raster

  init() throws {
    image = try Raster(width: 8, height: 4, channels: 3, samples: (0..<96).map { UInt8($0) })
  }

  @Test("A raster is the same after Core Graphics, whose memory is gone", arguments: [1, 3])
  func roundTrip(channels: Int) throws {
    let raster = try image.converted(toChannels: channels)
    #expect(try Raster(cgImage: raster.cgImage()) == raster.converted(toChannels: 3))
  }

  @Test("What is transparent shows white")
  func transparent() throws {
    let clear = try Raster(width: 2, height: 1, channels: 4, samples: [1, 2, 3, 0, 4, 5, 6, 255])
    #expect(try Raster(cgImage: clear.cgImage()).samples == [255, 255, 255, 4, 5, 6])
  }

  @Test("A file is turned as it says, and bytes that are not an image are an error")
  func files() throws {
    let pixels: [UInt8] = [1, 2, 3, 255, 4, 5, 6, 255]
    let turned = try Raster(imageData: Data([73, 2, 1, 6] + pixels))
    #expect((turned.width, turned.height) == (1, 2))
    #expect(turned.samples == [3, 2, 1, 6, 5, 4])
    let silent = try Raster(imageData: Data([73, 2, 1, 0] + pixels))
    #expect((silent.width, silent.height) == (2, 1))
    for nonsense in [Data(), Data([1, 2])] {
      #expect(throws: AppleVisionError.self) { try Raster(imageData: nonsense) }
    }
  }

  @Test("BGRA frames with gaps between rows are read, turned and unlocked")
  func frames() throws {
    let buffer = CVBuffer(
      format: kCVPixelFormatType_32BGRA, width: 8, height: 4, planes: [(4, 64)])
    let memory = UnsafeMutableRawBufferPointer(start: buffer.planes[0].start, count: 256)
    #expect(image.writeBGRA(to: memory, bytesPerRow: 64))
    #expect(try Raster(pixelBuffer: buffer) == image)
    let frame = CameraFrame(buffer, orientation: .rotate90Clockwise)
    #expect((frame.width, frame.height) == (4, 8))
    #expect(try frame.raster() == image.oriented(.rotate90Clockwise))
    #expect(try frame.requestHandler().orientation == .right)
    #expect(buffer.locks == 0)
    #expect(buffer.lockings == 2)
  }

  @Test("NV12 frames are read by the matrix that they name")
  func planes() throws {
    let buffer = CVBuffer(
      format: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, width: 5, height: 3,
      planes: [(3, 16), (2, 16)])
    func fill(_ plane: Int, _ value: UInt8, _ count: Int) {
      buffer.planes[plane].start.initializeMemory(as: UInt8.self, repeating: value, count: count)
    }
    fill(0, 100, 48)
    fill(1, 128, 32)
    #expect(try Raster(pixelBuffer: buffer).samples == [UInt8](repeating: 100, count: 45))
    // Cb and Cr of 200: blue is 100 + 1.772 * 72 by BT.601, and 100 + 1.8556 * 72 by BT.709.
    fill(1, 200, 32)
    #expect(try Raster(pixelBuffer: buffer)[x: 4, y: 2, channel: 2] == 228)
    buffer.matrix = CFString("ITU_R_709_2")
    #expect(try Raster(pixelBuffer: buffer)[x: 4, y: 2, channel: 2] == 234)
    buffer.matrix = CFString("ITU_R_2020")
    #expect(try Raster(pixelBuffer: buffer)[x: 4, y: 2, channel: 2] == 228)
  }

  @Test("Another format is named, and its buffer unlocked")
  func formats() {
    let buffer = CVBuffer(format: 0x7834_3230, width: 2, height: 2, planes: [])
    #expect(throws: AppleVisionError.pixelFormat("x420")) { try Raster(pixelBuffer: buffer) }
    #expect(buffer.locks == 0)
  }

  @Test("Orientations are the same by name", arguments: Orientation.allCases)
  func orientations(orientation: Orientation) {
    let other = CGImagePropertyOrientation(orientation)
    #expect(Orientation(other) == orientation)
    #expect(Int(other.rawValue) == orientation.rawValue)
  }
}
