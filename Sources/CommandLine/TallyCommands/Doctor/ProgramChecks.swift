import CommandKit
import Foundation
import LinearAlgebra
import _VectorKernels

/// Checks of the program, the machine and the libraries that are loaded when they are needed.
enum ProgramChecks {
  /// Those that need little memory.
  static func findings() -> [Finding] { [version, processor, memory(.current)] }

  // MARK: Program

  /// The version, and how it was built.
  private static var version: Finding {
    #if DEBUG
      return .note(
        "version", "tally \(ToolVersion.current) for \(platform), built without optimization",
        advice: "for speed build with 'swift build -c release' or 'make install'")
    #else
      return .ok("version", "tally \(ToolVersion.current) for \(platform)")
    #endif
  }

  private static var platform: String {
    #if os(Linux)
      let system = "Linux"
    #elseif os(macOS)
      let system = "macOS"
    #else
      let system = "another system"
    #endif
    #if arch(x86_64)
      return "\(system) on x86-64"
    #elseif arch(arm64)
      return "\(system) on arm64"
    #else
      return "\(system) on another processor"
    #endif
  }

  /// The vector instructions in use, and the number of threads.
  private static var processor: Finding {
    let count = ProcessInfo.processInfo.activeProcessorCount
    let threads = Sentence.count(count, "thread", "threads")
    switch vk_level() {
    case VK_LEVEL_AMX: return .ok("processor", "AVX-512 and AMX, \(threads)")
    case VK_LEVEL_AVX512: return .ok("processor", "AVX-512, \(threads)")
    case VK_LEVEL_AVX2: return .ok("processor", "AVX2, \(threads)")
    default:
      #if arch(arm64)
        return .ok("processor", "NEON, \(threads)")
      #else
        return .note(
          "processor", "no AVX2, \(threads): models take several times as long as with it",
          advice: "in a virtual machine, pass the host's processor through")
      #endif
    }
  }

  // MARK: Memory

  /// The memory that a process may use, in bytes; nil if it is not known or not limited.
  struct Memory {
    /// What the system could give now.
    var available: Int?
    /// The limit of the group of processes, such as a container.
    var ofGroup: Int?
    /// The limits of addresses (`ulimit -v`) and of data (`ulimit -d`).
    var addresses: Int?
    var data: Int?
    /// The addresses that are left below their limit.
    var room: Int?

    /// Whether there is memory for the checks that load libraries and models.
    ///
    /// Without it the system's own libraries may end the process.
    var sufficesForChecks: Bool { (room ?? .max) >= ProgramChecks.leastRoom }

    /// That of this process.
    static var current: Memory {
      let addresses = addressLimit
      return Memory(
        available: amountAvailable,
        ofGroup: number("/sys/fs/cgroup/memory.max") { Int($0) },
        addresses: addresses, data: limit(ofData),
        room: addresses.flatMap(room(below:)))
    }

    /// The limit of addresses of this process.
    static var addressLimit: Int? { limit(ofAddresses) }

    /// The addresses that are left below a limit of this process.
    static func room(below limit: Int) -> Int? { addressesInUse.map { limit - $0 } }

    private static var amountAvailable: Int? {
      number("/proc/meminfo") { text in
        let line = text.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
        let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return kilobytes.map { $0 << 10 }
      }
    }

    private static var addressesInUse: Int? {
      number("/proc/self/statm") { text in
        text.split(separator: " ").first.flatMap { Int($0) }.map { $0 * Int(getpagesize()) }
      }
    }

    private static func number(_ path: String, _ read: (String) -> Int?) -> Int? {
      guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
      return read(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    #if canImport(Glibc)
      private static let ofAddresses = __rlimit_resource_t(RLIMIT_AS.rawValue)
      private static let ofData = __rlimit_resource_t(RLIMIT_DATA.rawValue)
    #else
      private static let ofAddresses = RLIMIT_AS
      private static let ofData = RLIMIT_DATA
    #endif

    private static func limit(_ kind: Int32) -> Int? {
      var limit = rlimit()
      guard getrlimit(kind, &limit) == 0, limit.rlim_cur < rlim_t(Int.max) else { return nil }
      return Int(limit.rlim_cur)
    }
  }

  /// The addresses that the checks of libraries and models need, with some to spare.
  private static let leastRoom = 192 << 20
  /// Less than this is too little for a large photo.
  private static let littleMemory = 512 << 20

  /// Whether there is memory for photos.
  static func memory(_ memory: Memory) -> Finding {
    func size(_ bytes: Int) -> String { "\(bytes >> 20) MB" }
    let limits = [
      memory.ofGroup.map { "\(size($0)) for this container" },
      memory.addresses.map { "\(size($0)) of addresses (ulimit -v)" },
      memory.data.map { "\(size($0)) of data (ulimit -d)" },
    ].compactMap { $0 }
    let text = [memory.available.map { "\(size($0)) available" } ?? "the system does not say it"]
    let words = (text + (limits.isEmpty ? [] : ["limited to \(Sentence.all(limits))"]))
      .joined(separator: ", ")
    guard memory.sufficesForChecks else {
      return .problem(
        "memory",
        "\(words); \(size(max(0, memory.room ?? 0))) of them are left, so that libraries and "
          + "models are not checked",
        advice: "raise the limit by 'ulimit -v', or lift it by 'ulimit -v unlimited'")
    }
    let least = [memory.available, memory.ofGroup, memory.addresses, memory.data]
      .compactMap { $0 }.min()
    if let least, least < littleMemory {
      return .note(
        "memory", words,
        advice: "for large photos free or allow 512 MB, or give 'tally count' --jobs 1 and "
          + "--memory")
    }
    if memory.addresses != nil || memory.data != nil {
      return .note(
        "memory", "\(words); products of matrices use one thread because of it",
        advice: "'ulimit -v unlimited' or 'ulimit -d unlimited' lifts a limit, if it may")
    }
    return .ok("memory", words)
  }

  // MARK: Libraries

  /// Whether the libraries for products and decompositions of matrices can be loaded.
  static var matrices: Finding {
    do {
      let matrix = try Matrix<Double>(rows: [[2, 1], [1, 3]])
      var product = try Matrix<Double>(repeating: 0, rowCount: 2, columnCount: 2)
      try Matrix.gemm(matrix, matrix, into: &product)
      guard product.elements == [5, 5, 5, 10] else {
        return .problem(
          "matrices", "a product of matrices is wrong: \(product.elements)",
          advice: "install another version of OpenBLAS, or unset OPENBLAS_CORETYPE")
      }
      _ = try matrix.symmetricEigendecomposition()
      return .ok("matrices", "products and decompositions work")
    } catch {
      return .problem(
        "matrices", "\(error)",
        advice: "install OpenBLAS and LAPACKE, on Debian 'apt-get install libopenblas0 liblapacke'")
    }
  }
}
