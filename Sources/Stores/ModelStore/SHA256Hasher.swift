#if canImport(CryptoKit)
  import CryptoKit

  /// Computes a ``SHA256Digest`` of bytes that come piece by piece.
  struct SHA256Hasher: ~Copyable {
    private var hash = SHA256()

    /// Whether digests can be computed.
    static var isAvailable: Bool { true }

    /// Adds more bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

    /// The digest of all bytes so far.
    func finish() -> SHA256Digest { SHA256Digest(bytes: Array(hash.finalize())) }
  }
#else
  import CCrypto

  /// Computes a ``SHA256Digest`` of bytes that come piece by piece.
  ///
  /// It uses OpenSSL's libcrypto, which uses the processor's own instructions for it if there are
  /// any (EVP_DigestInit(3)).
  struct SHA256Hasher: ~Copyable {
    private let context = EVP_MD_CTX_new()

    init() {
      Self.check(EVP_DigestInit_ex2(context, Self.algorithm.pointer, nil))
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Whether digests can be computed: libcrypto finds no algorithm if it has no memory left.
    static var isAvailable: Bool { algorithm.pointer != nil }

    /// Adds more bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
      Self.check(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count))
    }

    /// The digest of all bytes so far.
    func finish() -> SHA256Digest {
      // Finishing a copy lets this one take more bytes.
      let copy = EVP_MD_CTX_new()
      defer { EVP_MD_CTX_free(copy) }
      Self.check(EVP_MD_CTX_copy_ex(copy, context))
      return SHA256Digest(
        bytes: [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
          Self.check(EVP_DigestFinal_ex(copy, digest.baseAddress, nil))
          count = 32
        })
    }

    /// Checks a call that can only fail if there is no memory left.
    private static func check(_ result: Int32) {
      precondition(result == 1, "libcrypto has no memory left")
    }

    // Safe to share: it does not change after it is made.
    private struct Algorithm: @unchecked Sendable {
      let pointer: OpaquePointer?
    }

    /// It has its own library context: a user's `openssl.cnf` may have removed it from the shared
    /// one.
    private static let algorithm = Algorithm(
      pointer: EVP_MD_fetch(OSSL_LIB_CTX_new(), "SHA256", nil))
  }
#endif

extension SHA256Hasher {
  /// The digest of bytes that are all available.
  static func digest(_ bytes: some Sequence<UInt8>) -> SHA256Digest {
    var hasher = SHA256Hasher()
    Array(bytes).withUnsafeBytes { hasher.update($0) }
    return hasher.finish()
  }
}
