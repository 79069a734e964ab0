#if !canImport(Accelerate)
  import TestSupport
  import Testing

  @testable import LinearAlgebra

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  @Suite struct OpenBLASTests {
    @Test func aLibraryThatIsMissingIsAnErrorThatNamesIt() {
      let error = #expect(throws: LinearAlgebraError.self) {
        try OpenBLAS.load("libnosuchblas.so.9")
      }
      #expect(
        error?.description
          == "OpenBLAS cannot be used: libnosuchblas.so.9: cannot open shared object file: "
          + "No such file or directory")
      #expect(throws: LinearAlgebraError.self) { try OpenBLAS.loadLAPACKE("libnosuchlapacke.so.9") }
    }

    @Test func aLibraryWithoutTheRoutinesIsAnError() {
      let error = #expect(throws: LinearAlgebraError.self) { try OpenBLAS.load("libm.so.6") }
      #expect(error?.description.contains("cblas_sgemm") == true)
    }

    @Test func plainLoopsAgreeWithTheLibrary() throws {
      try check(Float.self)
      try check(Double.self)
    }

    private func check<Scalar: MatrixScalar>(_ type: Scalar.Type) throws {
      var generator = SeededGenerator(seed: 16)
      for (m, n, k) in [(1, 1, 1), (3, 2, 5), (4, 7, 1), (5, 5, 0)] {
        for (left, right) in [(false, false), (false, true), (true, false), (true, true)] {
          let shape = GEMMShape(
            m: Int32(m), n: Int32(n), k: Int32(k), transposesA: left, transposesB: right,
            cStride: Int32(n + 1))
          // Whole numbers, whose sums have no rounding.
          let a = try Matrix<Scalar>.integers(m + 1, k + 8, using: &generator).elements
          let b = try Matrix<Scalar>.integers(n + 1, k + 8, using: &generator).elements
          let before = try Matrix<Scalar>.integers(m, n + 1, using: &generator).elements
          for beta in [Scalar(0), 3] {
            var (plain, library) = (before, before)
            PlainProducts.gemm(shape, alpha: 2, a, b, beta: beta, &plain)
            Scalar._gemm(shape, alpha: 2, a, b, beta: beta, &library)
            #expect(plain == library)
          }
          #expect(PlainProducts.dot(Int32(k), a, b) == Scalar._dot(Int32(k), a, b))
        }
      }
    }

    #if compiler(>=6.2)
      @Test func theLibraryIsLoadedByTheFirstProductAndStartsNoThread() async {
        await #expect(processExitsWith: .success) {
          BLASThreads.set(1)
          let small = try Matrix<Float>(rowCount: 2, columnCount: 2, elements: [1, 2, 3, 4])
          var packed = PackedRows(width: 2)
          packed.append(unchecked: small.elements, count: 2)
          precondition(BLASThreads.count == 1)
          precondition(!OpenBLASTests.maps().contains("libopenblas"))
          let threads = OpenBLASTests.number("Threads:")
          let product = try small.multiplied(by: small).elements
          precondition(product == [7, 10, 15, 22])
          precondition(OpenBLASTests.maps().contains("libopenblas"))
          precondition(!OpenBLASTests.maps().contains("liblapacke"))
          precondition(OpenBLASTests.number("Threads:") <= threads)
          BLASThreads.set(2)
          precondition(BLASThreads.count == 2)
          precondition(OpenBLASTests.number("Threads:") > threads)
          let solution = try small.solve([5, 11])
          precondition(solution.count == 2 && abs(solution[0] - 1) < 1e-4)
        }
      }

      @Test func withoutRoomForItsBufferThereIsAnErrorAndNoEndlessSearch() async {
        await #expect(processExitsWith: .success) {
          // Room for the library, and not for its buffer of 128 MB.
          let room = OpenBLASTests.number("VmSize:") + 100 * 1024
          OpenBLASTests.limitAddresses(kilobytes: room)
          BLASThreads.set(2)
          precondition(BLASThreads.count == 1)
          let one = try Matrix<Float>(rowCount: 1, columnCount: 2, elements: [3, 4])
          do {
            _ = try one.gramMatrix()
            preconditionFailure("there is no room")
          } catch LinearAlgebraError.unavailable(let library, let reason) {
            precondition(library == "OpenBLAS" && reason.contains("memory"))
          }
          precondition(BLAS.uncheckedDot(2, one.elements, one.elements) == 25)
        }
      }

      @Test func withinALimitProductsTakeTurns() async {
        await #expect(processExitsWith: .success) {
          // A thread reserves 64 MB for a heap of its own when it first allocates. That is not to take from the room.
          await withTaskGroup(of: [Int].self) { group in
            for _ in 0..<8 {
              group.addTask {
                usleep(20_000)
                return [Int](repeating: .random(in: 0...9), count: 999)
              }
            }
            for await numbers in group { precondition(numbers.count == 999) }
          }
          let ones = try Matrix<Float>(repeating: 1, rowCount: 200, columnCount: 200)
          // With any limit it takes a buffer when it is loaded. Then there is no room for another one.
          OpenBLASTests.limitAddresses(kilobytes: OpenBLASTests.number("VmSize:") + 2 << 20)
          let first = try ones.gramMatrix()
          precondition(first.elements[39_999] == 200)
          OpenBLASTests.limitAddresses(kilobytes: OpenBLASTests.number("VmSize:") + 100 * 1024)
          try await withThrowingTaskGroup(of: Float.self) { group in
            for _ in 0..<8 {
              group.addTask {
                var last: Float = 0
                for _ in 0..<50 { last = try ones.gramMatrix().elements[39_999] }
                return last
              }
            }
            for try await value in group { precondition(value == 200) }
          }
        }
      }
    #endif

    static func limitAddresses(kilobytes: Int) {
      let limit = rlim_t(kilobytes) * 1024
      var both = rlimit(rlim_cur: limit, rlim_max: limit)
      precondition(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &both) == 0)
    }

    /// What is mapped into this process.
    static func maps() -> String { text("/proc/self/maps") }

    /// A number in `/proc/self/status`.
    static func number(_ field: String) -> Int {
      let line = text("/proc/self/status").split(separator: "\n").first { $0.hasPrefix(field) }
      let digits = line?.drop { !$0.isNumber }.prefix { $0.isNumber }
      return digits.flatMap { Int($0) } ?? 0
    }

    private static func text(_ path: String) -> String {
      guard let file = fopen(path, "r") else { return "" }
      defer { fclose(file) }
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      while case let got = fread(&chunk, 1, chunk.count, file), got > 0 { bytes += chunk[..<got] }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
#endif
