// Layouts are other forms of the same operators: what these stand on is seen here too.
@_exported import RunnerGraph
@_exported import RunnerOperators
@_exported import RunnerTensors
