// swift-tools-version: 6.2
import PackageDescription

// The wings and floors of Tally. A module imports only modules on lower floors; CI compares
// the imports with what is written here (`.ci/imports`), so what is not written here cannot be used.
// Of the commands, CommandKit is the frame of any, CountCommands are those about counts, and TallyCommands
// are the others and the tree of all.
//
//   5 CommandLine   tally, TallyCommands, CountCommands, CommandKit, _HTTPServer
//   4 Reports       CountDrawing, CountReport, Annotations, Drawing, _PlotParts
//     Reference     ReferenceModels, Barcodes, AppleVision, TallyTestSupport, _RasterSeams
//     Stores        FrameTelemetry, Telemetry, SimilarityIndex, ModelStore, CountHistory,
//                   CountTemplates, CountSettings
//   3 Pipelines     Counting, FrameAnalysis, Recognition, ShelfReading, ActivityState
//     Runner        RunnerTensors, ONNXFormat, RunnerGraph, RunnerOperators, RunnerNetworkOperators,
//                   RunnerLayouts, ONNXRunner, ModelQuantization, ONNXConformance, each on those before it
//   2 Seams         VisionProtocols               Imaging Raster, LineSegments, RectangleDetection,
//                                                  SpineDetection, Rectification, EANDecoding,
//                                                  ImageFiles
//   1 Algorithms    Stats, Geometry, NMS, ISBN, DateExtraction, YOLOXDecode, DetectionDecode, TextDecode,
//                   Clustering, SpineHeuristics, LinearAssignment, Tracking, Evaluation, ABTesting,
//                   NearestNeighbors
//   0 Numerics      LinearAlgebra, NumPyFiles, _CLibrary, _CSVRecords, _SystemReason, _VectorKernels,
//                   system libraries

/// The C library's mathematics: an optimised square root may call `sqrt`, which Swift's own library
/// does not bring to a program that imports neither Foundation nor Glibc.
let mathematics = LinkerSetting.linkedLibrary("m", .when(platforms: [.linux]))

/// A library target in `Sources/<Wing>/<Module>`.
func module(
  _ name: String, wing: String, dependencies: [Target.Dependency] = [],
  resources: [Resource]? = nil
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(wing)/\(name)",
    resources: resources, linkerSettings: [mathematics])
}

/// The tests of one module, in `Tests/<Module>Tests`.
func tests(of name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.init(stringLiteral: name), "TestSupport"] + dependencies,
    path: "Tests/\(name)Tests")
}

/// A C library that comes with the system: Debian's package, or Homebrew's.
func system(_ name: String, wing: String, pkgConfig: String, apt: String, brew: String) -> Target {
  .systemLibrary(
    name: name, path: "Sources/\(wing)/\(name)", pkgConfig: pkgConfig,
    providers: [.apt([apt]), .brew([brew])])
}

/// What the commands and their tests both import.
let commandModules: [Target.Dependency] = [
  "Barcodes", "Clustering", "CommandKit", "CountCommands", "Counting", "DateExtraction", "Drawing",
  "ABTesting", "Geometry", "ISBN", "ImageFiles", "LinearAlgebra", "ModelStore", "NumPyFiles",
  "ONNXRunner", "VisionProtocols", "Raster", "Rectification", "ReferenceModels", "ShelfReading",
  "SimilarityIndex", "SpineDetection", "Telemetry",
]

/// Kernels in C are compiled once an instruction set by `levels.h`, which includes their files.
let bodies = CSetting.headerSearchPath(".")

/// The commands are a product for `Tests/Fuzz` alone, which is a package of its own.
let fuzzedProducts: [Product] =
  Context.environment["TALLY_FUZZ_COMMANDS"] == nil
  ? []
  : [
    .library(
      name: "FuzzedCommands",
      targets: ["_CSVRecords", "CommandKit", "CountCommands", "TallyCommands"])
  ]

let package = Package(
  name: "Tally",
  platforms: [.macOS(.v12), .iOS(.v15)],
  // A product brings the modules whose types its interface speaks, so that one line links all a user
  // has to import.
  products: [
    .library(name: "Stats", targets: ["Stats"]),
    .library(name: "Geometry", targets: ["Geometry"]),
    .library(name: "NMS", targets: ["NMS", "Geometry"]),
    .library(name: "YOLOXDecode", targets: ["YOLOXDecode", "Geometry"]),
    .library(name: "DetectionDecode", targets: ["DetectionDecode", "Geometry"]),
    .library(name: "TextDecode", targets: ["TextDecode", "Geometry"]),
    .library(name: "Clustering", targets: ["Clustering", "LinearAlgebra"]),
    .library(name: "ISBN", targets: ["ISBN"]),
    .library(name: "DateExtraction", targets: ["DateExtraction"]),
    .library(name: "SpineHeuristics", targets: ["SpineHeuristics", "Geometry"]),
    .library(name: "Tracking", targets: ["Tracking", "Geometry"]),
    .library(name: "Evaluation", targets: ["Evaluation", "Geometry"]),
    .library(name: "ABTesting", targets: ["ABTesting"]),
    .library(name: "NearestNeighbors", targets: ["NearestNeighbors", "LinearAlgebra"]),
    .library(name: "LinearAlgebra", targets: ["LinearAlgebra"]),
    .library(name: "NumPyFiles", targets: ["NumPyFiles"]),
    .library(name: "VisionProtocols", targets: ["VisionProtocols", "Geometry"]),
    .library(name: "Counting", targets: ["Counting", "VisionProtocols", "Geometry"]),
    .library(
      name: "FrameAnalysis",
      targets: ["FrameAnalysis", "VisionProtocols", "Tracking", "ISBN", "Geometry"]),
    .library(
      name: "Recognition",
      targets: ["Recognition", "VisionProtocols", "DateExtraction", "ISBN", "Tracking", "Geometry"]),
    .library(
      name: "ShelfReading",
      targets: ["ShelfReading", "VisionProtocols", "SpineHeuristics", "ISBN", "Geometry"]),
    .library(name: "ActivityState", targets: ["ActivityState", "VisionProtocols", "Geometry"]),
    .library(name: "Raster", targets: ["Raster", "Geometry"]),
    .library(name: "LineSegments", targets: ["LineSegments", "Raster", "Geometry"]),
    .library(
      name: "RectangleDetection", targets: ["RectangleDetection", "Raster", "Geometry"]),
    .library(
      name: "SpineDetection",
      targets: ["SpineDetection", "SpineHeuristics", "Raster", "Geometry"]),
    .library(name: "Rectification", targets: ["Rectification", "Raster", "Geometry"]),
    .library(name: "EANDecoding", targets: ["EANDecoding", "Raster", "Geometry"]),
    .library(name: "ImageFiles", targets: ["ImageFiles", "Raster", "Geometry"]),
    .library(name: "Drawing", targets: ["Drawing", "Raster", "Geometry"]),
    .library(name: "ONNXRunner", targets: ["ONNXRunner", "RunnerTensors"]),
    .library(
      name: "ModelQuantization", targets: ["ModelQuantization", "ONNXRunner", "RunnerTensors"]),
    .library(name: "Telemetry", targets: ["Telemetry", "ABTesting", "Stats"]),
    .library(
      name: "FrameTelemetry",
      targets: [
        "FrameTelemetry", "FrameAnalysis", "Telemetry", "VisionProtocols", "Tracking", "ISBN",
        "Geometry",
      ]),
    .library(
      name: "SimilarityIndex",
      targets: ["SimilarityIndex", "NearestNeighbors", "LinearAlgebra", "VisionProtocols"]),
    .library(name: "ModelStore", targets: ["ModelStore"]),
    .library(name: "CountHistory", targets: ["CountHistory"]),
    .library(
      name: "CountTemplates",
      targets: ["CountTemplates", "Counting", "VisionProtocols", "Geometry"]),
    .library(
      name: "TallyTestSupport",
      targets: ["TallyTestSupport", "VisionProtocols", "Geometry", "Recognition", "Tracking"]),
    .library(
      name: "CountSettings",
      targets: ["CountSettings", "Counting", "VisionProtocols", "Geometry"]),
    .library(
      name: "ReferenceModels",
      targets: [
        "ReferenceModels", "Counting", "ONNXRunner", "VisionProtocols", "Raster",
        "RectangleDetection", "SpineDetection", "SpineHeuristics", "TextDecode", "YOLOXDecode",
        "Geometry",
      ]),
    .library(name: "Barcodes", targets: ["Barcodes", "VisionProtocols", "Raster", "Geometry"]),
    .library(
      name: "AppleVision",
      targets: ["AppleVision", "VisionProtocols", "Raster", "DetectionDecode", "Geometry"]),
    .library(name: "Annotations", targets: ["Annotations", "Geometry"]),
    .library(
      name: "CountReport",
      targets: ["CountReport", "Annotations", "Counting", "VisionProtocols", "Raster", "Geometry"]),
    .library(
      name: "CountDrawing",
      targets: [
        "CountDrawing", "CountReport", "Drawing", "Annotations", "Counting", "VisionProtocols",
        "Raster", "Geometry",
      ]),
    .executable(name: "tally", targets: ["tally"]),
  ] + fuzzedProducts,
  targets: [
    // Floor 0: Numerics
    // Debian's libopenblas0 and liblapacke are loaded when they are needed, and not linked. On Apple's
    // systems Accelerate does what they are for.
    .target(name: "_OpenBLAS", path: "Sources/Numerics/_OpenBLAS"),
    .target(
      name: "_VectorKernels", path: "Sources/Numerics/_VectorKernels", cSettings: [bodies]),
    module(
      "LinearAlgebra", wing: "Numerics",
      dependencies: [
        "_CLibrary",
        .target(name: "_OpenBLAS", condition: .when(platforms: [.linux])), "_VectorKernels",
      ]),
    // Why the system refused a file, in words.
    module("_SystemReason", wing: "Numerics"),
    module("_CLibrary", wing: "Numerics"),
    // Tables of comma-separated values, read and written as RFC 4180 has them.
    module("_CSVRecords", wing: "Numerics"),
    module("NumPyFiles", wing: "Numerics", dependencies: ["_SystemReason"]),

    // Floor 1: Algorithms
    module("Stats", wing: "Algorithms", dependencies: ["_CLibrary"]),
    module("Geometry", wing: "Algorithms", dependencies: ["_CLibrary"]),
    module("NMS", wing: "Algorithms", dependencies: ["_CLibrary", "Geometry"]),
    module("YOLOXDecode", wing: "Algorithms", dependencies: ["_CLibrary", "Geometry"]),
    module("DetectionDecode", wing: "Algorithms", dependencies: ["_CLibrary", "Geometry"]),
    module("TextDecode", wing: "Algorithms", dependencies: ["_CLibrary", "Geometry"]),
    module("Clustering", wing: "Algorithms", dependencies: ["_CLibrary", "LinearAlgebra"]),
    module("ISBN", wing: "Algorithms"),
    module("DateExtraction", wing: "Algorithms"),
    module("SpineHeuristics", wing: "Algorithms", dependencies: ["_CLibrary", "Geometry"]),
    module("LinearAssignment", wing: "Algorithms"),
    module(
      "Tracking", wing: "Algorithms", dependencies: ["Geometry", "LinearAssignment", "Stats"]),
    module(
      "Evaluation", wing: "Algorithms",
      dependencies: ["_CLibrary", "Geometry", "LinearAssignment", "Stats"]),
    module("ABTesting", wing: "Algorithms", dependencies: ["_CLibrary", "Stats"]),
    module("NearestNeighbors", wing: "Algorithms", dependencies: ["LinearAlgebra"]),

    // Floor 2: Seams and Imaging
    module(
      "VisionProtocols", wing: "Seams", dependencies: ["Geometry"]),
    module("Raster", wing: "Imaging", dependencies: ["Geometry"]),
    module("LineSegments", wing: "Imaging", dependencies: ["_CLibrary", "Geometry", "Raster"]),
    module(
      "RectangleDetection", wing: "Imaging", dependencies: ["Geometry", "LineSegments", "Raster"]),
    module(
      "SpineDetection", wing: "Imaging",
      dependencies: [
        "_CLibrary",
        "Geometry", "LineSegments", "Raster", "RectangleDetection", "SpineHeuristics",
      ]),
    module(
      "Rectification", wing: "Imaging", dependencies: ["Geometry", "Raster"]),
    module("EANDecoding", wing: "Imaging", dependencies: ["_CLibrary", "Geometry", "Raster"]),
    system(
      "CTurboJPEG", wing: "Imaging", pkgConfig: "libturbojpeg", apt: "libturbojpeg0-dev",
      brew: "jpeg-turbo"),
    system("CPNG", wing: "Imaging", pkgConfig: "libpng", apt: "libpng-dev", brew: "libpng"),
    system("CHEIF", wing: "Imaging", pkgConfig: "libheif", apt: "libheif-dev", brew: "libheif"),
    system("CEXIF", wing: "Imaging", pkgConfig: "libexif", apt: "libexif-dev", brew: "libexif"),
    system("CWebP", wing: "Imaging", pkgConfig: "libwebp", apt: "libwebp-dev", brew: "webp"),
    system("CTIFF", wing: "Imaging", pkgConfig: "libtiff-4", apt: "libtiff-dev", brew: "libtiff"),
    .target(name: "_PNGCodec", dependencies: ["CPNG"], path: "Sources/Imaging/_PNGCodec"),
    .target(name: "_TIFFCodec", dependencies: ["CTIFF"], path: "Sources/Imaging/_TIFFCodec"),
    module(
      "ImageFiles", wing: "Imaging",
      dependencies: [
        "Geometry", "Raster", "CTurboJPEG", "_PNGCodec", "CHEIF", "CWebP", "_SystemReason",
        "_TIFFCodec", "CEXIF",
      ]),

    // Floor 3: Pipelines and the runner
    module(
      "Counting", wing: "Pipelines",
      dependencies: [
        "_CLibrary", "Clustering", "Geometry", "LinearAlgebra", "NMS", "VisionProtocols", "Stats",
      ]),
    module(
      "FrameAnalysis", wing: "Pipelines",
      dependencies: [
        "_CLibrary", "Geometry", "ISBN", "VisionProtocols", "SpineHeuristics", "Tracking",
      ]),
    module(
      "Recognition", wing: "Pipelines",
      dependencies: ["DateExtraction", "Geometry", "ISBN", "VisionProtocols", "Tracking"]),
    module(
      "ShelfReading", wing: "Pipelines",
      dependencies: [
        "_CLibrary", "_CSVRecords", "Geometry", "ISBN", "LinearAssignment", "VisionProtocols",
        "SpineHeuristics",
      ]),
    module("ActivityState", wing: "Pipelines", dependencies: ["Geometry", "VisionProtocols"]),
    .target(
      name: "_RunnerKernels", dependencies: ["_VectorKernels"],
      path: "Sources/Runner/_RunnerKernels", cSettings: [bodies]),
    module("RunnerTensors", wing: "Runner", dependencies: ["_RunnerKernels"]),
    module("ONNXFormat", wing: "Runner", dependencies: ["RunnerTensors"]),
    module("RunnerGraph", wing: "Runner", dependencies: ["RunnerTensors", "_RunnerKernels"]),
    module(
      "RunnerOperators", wing: "Runner",
      dependencies: ["RunnerGraph", "RunnerTensors", "_RunnerKernels"]),
    module(
      "RunnerNetworkOperators", wing: "Runner",
      dependencies: ["RunnerGraph", "RunnerOperators", "RunnerTensors", "_RunnerKernels"]),
    module(
      "RunnerLayouts", wing: "Runner",
      dependencies: [
        "RunnerGraph", "RunnerNetworkOperators", "RunnerOperators", "RunnerTensors",
        "_RunnerKernels",
      ]),
    module(
      "ONNXRunner", wing: "Runner",
      dependencies: [
        "ONNXFormat", "RunnerGraph", "RunnerLayouts", "RunnerNetworkOperators", "RunnerOperators",
        "RunnerTensors", "_RunnerKernels",
      ]),
    module(
      "ModelQuantization", wing: "Runner",
      dependencies: ["ONNXFormat", "ONNXRunner", "RunnerGraph", "RunnerTensors"]),
    module(
      "ONNXConformance", wing: "Runner",
      dependencies: ["ONNXFormat", "ONNXRunner", "RunnerTensors"]),

    // Floor 4: Reference
    // The raster as the image of the seams.
    module("_RasterSeams", wing: "Reference", dependencies: ["Raster", "VisionProtocols"]),
    module(
      "ReferenceModels", wing: "Reference",
      dependencies: [
        "Counting", "DetectionDecode", "Geometry", "NMS", "ONNXRunner", "VisionProtocols", "Raster",
        "RectangleDetection", "Rectification", "SpineDetection", "TextDecode", "YOLOXDecode",
        "_RasterSeams",
      ],
      resources: ["countable", "likeness", "spines"].map { .copy("Resources/\($0).onnx") }),

    system("CZBar", wing: "Reference", pkgConfig: "zbar", apt: "libzbar-dev", brew: "zbar"),
    system(
      "CZXing", wing: "Reference", pkgConfig: "zxing", apt: "libzxing-dev", brew: "zxing-cpp"),
    .target(name: "_ZXingShim", dependencies: ["CZXing"], path: "Sources/Reference/_ZXingShim"),
    module(
      "Barcodes", wing: "Reference",
      dependencies: [
        "_CLibrary",
        "CZBar", "Geometry", "VisionProtocols", "Raster", "Rectification", "EANDecoding",
        "_ZXingShim",
      ]),

    // The seams, filled by Vision and Core ML; on Linux it has no public declaration.
    module(
      "AppleVision", wing: "Reference",
      dependencies: [
        "DetectionDecode", "Geometry", "Raster", "VisionProtocols", "YOLOXDecode", "_RasterSeams",
      ]),

    // The seams, filled for the tests of apps.
    module(
      "TallyTestSupport", wing: "Reference",
      dependencies: ["Geometry", "Recognition", "Tracking", "VisionProtocols"]),

    // Floor 4: Reports
    system("CCairo", wing: "Reports", pkgConfig: "cairo", apt: "libcairo2-dev", brew: "cairo"),
    // What drawings and pages both work out; pages do without Cairo.
    module("_PlotParts", wing: "Reports", dependencies: ["Geometry", "Stats"]),
    module(
      "Drawing", wing: "Reports",
      dependencies: ["Geometry", "Raster", "Stats", "CCairo", "_PlotParts"]),
    module("Annotations", wing: "Reports", dependencies: ["_CSVRecords", "Geometry"]),
    module(
      "CountReport", wing: "Reports",
      dependencies: [
        "Annotations", "Counting", "Geometry", "ImageFiles", "LinearAlgebra", "VisionProtocols",
        "Raster", "Stats", "_PlotParts",
      ],
      resources: [
        .embedInCode("Resources/page.css"), .embedInCode("Resources/page.js"),
        .embedInCode("Resources/guide.js"), .embedInCode("Resources/served.js"),
      ]),

    // Both of the modules above in one: a count, drawn.
    module(
      "CountDrawing", wing: "Reports",
      dependencies: ["CountReport", "Counting", "Drawing", "VisionProtocols"]),

    // Floor 4: Stores
    module("Telemetry", wing: "Stores", dependencies: ["ABTesting", "Stats"]),
    module(
      "FrameTelemetry", wing: "Stores", dependencies: ["FrameAnalysis", "Telemetry"]),
    module(
      "SimilarityIndex", wing: "Stores",
      dependencies: ["_CSVRecords", "NearestNeighbors", "VisionProtocols"]),
    system("CZlib", wing: "Stores", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),
    system(
      "CCurl", wing: "Stores", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
    .target(
      name: "_CurlTransfer", dependencies: ["CCurl"], path: "Sources/Stores/_CurlTransfer"),
    system(
      "CCrypto", wing: "Stores", pkgConfig: "libcrypto", apt: "libssl-dev", brew: "openssl"),
    module(
      "ModelStore", wing: "Stores",
      dependencies: [
        "CZlib",
        // On Apple's systems CryptoKit does what it is for.
        .target(name: "CCrypto", condition: .when(platforms: [.linux])),
        // There is none on iOS.
        .target(name: "_CurlTransfer", condition: .when(platforms: [.linux, .macOS])),
      ],
      resources: [.embedInCode("Resources/catalogue.json")]),
    system("CSQLite", wing: "Stores", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
    module("CountHistory", wing: "Stores", dependencies: ["CSQLite"]),
    module("CountTemplates", wing: "Stores", dependencies: ["Counting", "_SystemReason"]),
    module("CountSettings", wing: "Stores", dependencies: ["Counting", "_SystemReason"]),

    // Floor 5: CommandLine
    system(
      "CMicroHTTPD", wing: "CommandLine", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev",
      brew: "libmicrohttpd"),
    .target(
      name: "_HTTPDaemon", dependencies: ["CMicroHTTPD"], path: "Sources/CommandLine/_HTTPDaemon"),
    module("_HTTPServer", wing: "CommandLine", dependencies: ["CMicroHTTPD", "_HTTPDaemon"]),
    module(
      "CommandKit", wing: "CommandLine",
      dependencies: [
        "_CSVRecords", "Drawing", "Geometry", "ImageFiles", "ModelStore", "Raster", "_SystemReason",
      ]),
    module(
      "CountCommands", wing: "CommandLine",
      dependencies: [
        "_CSVRecords", "Annotations", "Clustering", "CommandKit", "CountDrawing", "CountHistory",
        "CountReport", "CountSettings", "CountTemplates", "Counting",
        "Drawing", "Evaluation", "ABTesting", "Geometry", "ImageFiles", "LinearAlgebra",
        "ModelStore", "ONNXRunner", "VisionProtocols", "Raster", "ReferenceModels",
        "SimilarityIndex",
      ]),
    module(
      "TallyCommands", wing: "CommandLine",
      dependencies: commandModules + [
        "_CSVRecords", "_HTTPServer", "_VectorKernels", "CountDrawing", "CountHistory",
        "CountSettings", "CountTemplates", "Evaluation", "FrameAnalysis", "FrameTelemetry",
        "ModelQuantization", "NearestNeighbors", "ONNXConformance", "Recognition",
        "RectangleDetection", "SpineHeuristics", "Stats", "TextDecode", "Tracking",
      ],
      resources: [
        .embedInCode("Serving/Resources/serve.html"), .embedInCode("Serving/Resources/serve.js"),
        .embedInCode("Serving/Resources/serve.css"),
      ]),
    .executableTarget(
      name: "tally", dependencies: ["TallyCommands", "_CLibrary"], path: "Sources/CommandLine/tally"
    ),

    // What the programs that are measured have in common.
    .target(name: "BenchmarkSupport", path: "Benchmarks/BenchmarkSupport"),

    // Micro-benchmarks; Benchmarks/compare runs them against the peers.
    .executableTarget(
      name: "TallyBenchmarks",
      dependencies: [
        "BenchmarkSupport", "Clustering", "Counting", "DetectionDecode", "Evaluation",
        "FrameAnalysis", "Geometry", "ISBN",
        "LinearAlgebra", "NMS", "NearestNeighbors", "VisionProtocols", "Raster", "SimilarityIndex",
        "SpineHeuristics", "Stats", "Telemetry", "Tracking", "YOLOXDecode",
      ],
      path: "Benchmarks/TallyBenchmarks"),

    // One network on the runner and nothing else, which Benchmarks/compare runs against the peers.
    .executableTarget(
      name: "NetworkBenchmark", dependencies: ["BenchmarkSupport", "ONNXRunner"],
      path: "Benchmarks/NetworkBenchmark"),

    // Frames of a bookshelf, which Benchmarks/compare runs against OpenCV.
    .executableTarget(
      name: "FrameBenchmark",
      dependencies: [
        "Barcodes", "BenchmarkSupport", "FrameAnalysis", "Geometry", "ImageFiles", "ONNXRunner",
        "Raster", "RectangleDetection", "ReferenceModels", "SpineDetection", "Tracking",
      ],
      path: "Benchmarks/FrameBenchmark"),

    // Text in photos, which Benchmarks/compare runs against RapidOCR.
    .executableTarget(
      name: "TextBenchmark",
      dependencies: [
        "BenchmarkSupport", "Geometry", "ImageFiles", "ONNXRunner", "VisionProtocols", "Raster",
        "ReferenceModels",
      ],
      path: "Benchmarks/TextBenchmark"),

    // Tests mirror modules.
    .target(name: "TestSupport", path: "Tests/TestSupport"),
    // A process that the tests of Telemetry kill.
    .executableTarget(
      name: "TelemetryWriter", dependencies: ["Telemetry", "TestSupport"],
      path: "Tests/TelemetryWriter"),
    // And one that the tests of SimilarityIndex kill.
    .executableTarget(
      name: "SimilarityIndexWriter", dependencies: ["SimilarityIndex", "TestSupport"],
      path: "Tests/SimilarityIndexWriter"),
    // And one that the tests of ModelStore kill.
    .executableTarget(
      name: "ModelStoreWriter", dependencies: ["ModelStore", "TestSupport"],
      path: "Tests/ModelStoreWriter"),
    // And one that the tests of CountHistory kill.
    .executableTarget(
      name: "CountHistoryWriter", dependencies: ["CountHistory", "TestSupport"],
      path: "Tests/CountHistoryWriter"),
    tests(of: "LinearAlgebra", ["_VectorKernels"]),
    tests(of: "NumPyFiles"),
    .testTarget(
      name: "CSVRecordsTests", dependencies: ["_CSVRecords", "TestSupport"],
      path: "Tests/CSVRecordsTests"),
    tests(of: "Stats"),
    tests(of: "Geometry"),
    tests(of: "NMS", ["Geometry"]),
    tests(of: "YOLOXDecode", ["Geometry"]),
    tests(of: "DetectionDecode", ["Geometry"]),
    tests(of: "TextDecode", ["Geometry"]),
    tests(of: "Clustering", ["_VectorKernels", "LinearAlgebra"]),
    tests(of: "ISBN"),
    tests(of: "DateExtraction"),
    tests(of: "SpineHeuristics", ["Geometry"]),
    tests(of: "LinearAssignment"),
    tests(of: "Tracking", ["Geometry"]),
    tests(of: "Evaluation", ["Geometry"]),
    tests(of: "ABTesting"),
    tests(of: "NearestNeighbors", ["LinearAlgebra"]),
    tests(of: "VisionProtocols", ["Geometry"]),
    tests(of: "Raster", ["Geometry", "ImageFiles"]),
    tests(of: "LineSegments", ["Geometry", "Raster"]),
    tests(of: "RectangleDetection", ["Geometry", "LineSegments", "Raster"]),
    tests(of: "SpineDetection", ["Geometry", "ImageFiles", "Raster", "SpineHeuristics"]),
    tests(of: "Rectification", ["Geometry", "Raster"]),
    tests(of: "EANDecoding", ["Geometry", "Raster"]),
    tests(
      of: "Barcodes",
      ["Geometry", "ImageFiles", "VisionProtocols", "Raster", "Rectification", "_ZXingShim"]),
    tests(of: "AppleVision", ["DetectionDecode", "Geometry", "Raster", "VisionProtocols"]),
    tests(of: "ImageFiles", ["Raster"]),
    tests(of: "Drawing", ["Geometry", "Raster", "ImageFiles"]),
    tests(of: "Counting", ["Geometry", "TallyTestSupport", "VisionProtocols"]),
    tests(of: "FrameAnalysis", ["ABTesting", "Geometry", "ISBN", "VisionProtocols", "Tracking"]),
    tests(
      of: "Recognition", ["DateExtraction", "Geometry", "ISBN", "VisionProtocols", "Tracking"]),
    tests(of: "ShelfReading", ["Geometry", "ISBN", "VisionProtocols", "SpineHeuristics"]),
    tests(
      of: "ActivityState",
      ["Counting", "FrameAnalysis", "Geometry", "Recognition", "Tracking", "VisionProtocols"]),
    tests(of: "RunnerTensors"),
    .testTarget(
      name: "RunnerKernelsTests", dependencies: ["_RunnerKernels", "TestSupport"],
      path: "Tests/RunnerKernelsTests"),
    tests(
      of: "ONNXRunner",
      [
        "NumPyFiles", "ONNXFormat", "RunnerGraph", "RunnerTensors",
        "_RunnerKernels",
      ]),
    tests(
      of: "ModelQuantization", ["ONNXFormat", "ONNXRunner", "RunnerGraph", "RunnerTensors"]),
    tests(of: "ONNXConformance", ["ONNXRunner", "RunnerTensors"]),
    tests(
      of: "ReferenceModels",
      [
        "Counting", "Geometry", "ImageFiles", "ONNXRunner", "VisionProtocols", "Raster",
        "Recognition", "RectangleDetection", "SimilarityIndex", "SpineDetection", "TextDecode",
      ]),
    tests(of: "Annotations", ["Geometry"]),
    tests(
      of: "CountReport",
      [
        "Annotations", "Counting", "Geometry", "ImageFiles", "ModelStore", "VisionProtocols",
        "Raster", "Stats",
      ]),
    tests(
      of: "CountDrawing",
      ["CountReport", "Counting", "Drawing", "Geometry", "Raster", "VisionProtocols"]),
    tests(of: "SimilarityIndex", ["NearestNeighbors", "VisionProtocols", "SimilarityIndexWriter"]),
    tests(of: "ModelStore", ["ModelStoreWriter"]),
    tests(of: "CountHistory", ["CountHistoryWriter"]),
    tests(of: "CountTemplates", ["Counting"]),
    tests(of: "CountSettings", ["Counting"]),
    tests(
      of: "TallyTestSupport",
      ["Counting", "Geometry", "Recognition", "Tracking", "VisionProtocols"]),
    tests(of: "Telemetry", ["ABTesting", "Stats", "TelemetryWriter"]),
    tests(
      of: "FrameTelemetry",
      ["FrameAnalysis", "Geometry", "Telemetry", "Tracking", "VisionProtocols"]),
    tests(of: "_HTTPServer"),
    tests(of: "CommandKit"),
    tests(
      of: "CountCommands",
      [
        "CommandKit", "CountReport", "Counting", "Geometry", "ImageFiles", "VisionProtocols",
        "Raster",
      ]),
    tests(
      of: "TallyCommands",
      commandModules + [
        "_CSVRecords", "CountHistory", "CountReport", "CountSettings", "CountTemplates",
        "_HTTPServer", "Evaluation", "FrameAnalysis",
      ]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// Tests are compiled without optimisation and without debug information, even if the modules that they test have both:
// that takes less than half the time. The tests in this list compute so much that they would run longer. Flags of tests
// do not reach a package that depends on this one.
let optimisedTests = ["BarcodesTests", "NMSTests", "NearestNeighborsTests"]
for target in package.targets where target.type == .test && !optimisedTests.contains(target.name) {
  target.swiftSettings = [
    .unsafeFlags(
      ["-Onone", "-Xfrontend", "-gnone", "-no-emit-module-separately-wmo"],
      .when(configuration: .release))
  ]
}
