// Running a model needs tensors: `import ONNXRunner` imports both modules.
@_exported import RunnerTensors
