import FrameAnalysis

/// What the app does with a frame.
func show(_ frame: AnalyzedFrame) {}
