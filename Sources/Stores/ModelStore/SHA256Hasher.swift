#if canImport(CryptoKit)
  import CryptoKit

  /// Makes a ``SHA256Digest`` of bytes that come piece by piece.
  struct SHA256Hasher: ~Copyable {
    private var hash = SHA256()

    /// Takes more bytes in.
    mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

    /// The digest of all bytes so far.
    func finish() -> SHA256Digest { SHA256Digest(bytes: Array(hash.finalize())) }
  }
#else
  import CCrypto

  /// Makes a ``SHA256Digest`` of bytes that come piece by piece.
  ///
  /// By OpenSSL's libcrypto, which takes the processor's own instructions for it if there are any
  /// (EVP_DigestInit(3)).
  struct SHA256Hasher: ~Copyable {
    private let context = EVP_MD_CTX_new()

    init() {
      Self.check(EVP_DigestInit_ex2(context, Self.algorithm.pointer, nil))
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Takes more bytes in.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
      Self.check(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count))
    }

    /// The digest of all bytes so far.
    func finish() -> SHA256Digest {
      // What is made of a copy leaves this one to go on with.
      let copy = EVP_MD_CTX_new()
      defer { EVP_MD_CTX_free(copy) }
      Self.check(EVP_MD_CTX_copy_ex(copy, context))
      return SHA256Digest(
        bytes: [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
          Self.check(EVP_DigestFinal_ex(copy, digest.baseAddress, nil))
          count = 32
        })
    }

    /// What only fails if there is no memory left.
    private static func check(_ result: Int32) {
      precondition(result == 1, "libcrypto has no memory left")
    }

    // Safe to share: nothing changes it once it is made.
    private struct Algorithm: @unchecked Sendable {
      let pointer: OpaquePointer?
    }

    /// Of a library context of its own: in everybody's, a user's `openssl.cnf` may have taken it
    /// away.
    private static let algorithm = Algorithm(
      pointer: EVP_MD_fetch(OSSL_LIB_CTX_new(), "SHA256", nil))
  }
#endif

extension SHA256Hasher {
  /// The digest of bytes that are all there.
  static func digest(_ bytes: some Sequence<UInt8>) -> SHA256Digest {
    var hasher = SHA256Hasher()
    Array(bytes).withUnsafeBytes { hasher.update($0) }
    return hasher.finish()
  }
}
