// Whoever runs a model speaks of tensors: `import ONNXRunner` brings both.
@_exported import RunnerTensors
