import CoreVideo

// begin
var buffer: CVPixelBuffer?
_ = CVPixelBufferCreate(nil, 640, 480, kCVPixelFormatType_32BGRA, nil, &buffer)
let frame = buffer!
