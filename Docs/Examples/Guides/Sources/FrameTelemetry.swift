import FrameAnalysis
import Telemetry

// begin
let log = try TelemetryLog(folder: URL(fileURLWithPath: "events"))
let (analyzedFrames, sink) = AsyncStream<AnalyzedFrame>.makeStream()
sink.yield(.empty(at: .zero))
sink.finish()
