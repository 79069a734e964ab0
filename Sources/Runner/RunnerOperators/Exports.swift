// Operators are values of the graph and compute tensors: all files here speak of both.
@_exported import RunnerGraph
@_exported import RunnerTensors
