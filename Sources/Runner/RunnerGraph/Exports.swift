// Whoever speaks of nodes speaks of tensors.
@_exported import RunnerTensors
