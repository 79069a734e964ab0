// Whoever quantises a model hands it tensors: `import ModelQuantization` brings both.
@_exported import RunnerTensors
