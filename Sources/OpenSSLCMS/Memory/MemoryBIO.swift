import COpenSSL

/// Bytes as OpenSSL reads and writes them; owned.
@safe
struct MemoryBIO: ~Copyable {
    let pointer: OpaquePointer

    /// An empty one to write to, or one that holds a copy of `bytes`.
    init(_ bytes: [UInt8] = []) throws(OpenSSLFailure) {
        guard let pointer = unsafe BIO_new(BIO_s_mem()) else { throw .drained() }
        if !bytes.isEmpty {
            guard let count = Int32(exactly: bytes.count), unsafe BIO_write(pointer, bytes, count) == count else {
                unsafe BIO_free(pointer)
                throw .drained()
            }
        }
        unsafe self.pointer = pointer
    }

    deinit { unsafe BIO_free(pointer) }

    /// A copy of what it holds.
    borrowing func contents() -> [UInt8] {
        var start: UnsafeMutablePointer<CChar>?
        let count = unsafe copenssl_bio_contents(pointer, &start)
        guard count > 0, let start = unsafe start else { return [] }
        return unsafe UnsafeRawBufferPointer(start: start, count: count).map { $0 }
    }
}
