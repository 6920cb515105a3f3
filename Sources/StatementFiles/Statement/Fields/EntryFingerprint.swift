import Crypto

/// Hashes what a file says of an entry: the first 128 bits of a SHA-256.
struct EntryFingerprint {
    /// How much is gathered before it is hashed.
    private static let bufferBytes = 16_384

    private var hash = SHA256()
    private var buffer: [UInt8] = []

    /// Adds a field; fields cannot run into each other.
    mutating func add(_ name: String, _ value: ArraySlice<UInt8>) {
        buffer += name.utf8
        buffer.append(0)
        buffer += value
        buffer.append(0)
        if buffer.count >= Self.bufferBytes { flush() }
    }

    /// The hash; the next entry can begin.
    mutating func finish() -> UInt128 {
        flush()
        let value = hash.finalize().prefix(16).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        hash = SHA256()
        return value
    }

    private mutating func flush() {
        unsafe buffer.withUnsafeBytes { bytes in unsafe hash.update(bufferPointer: bytes) }
        buffer.removeAll(keepingCapacity: true)
    }
}
