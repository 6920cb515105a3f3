import COpenSSL

/// What OpenSSL said when a call failed.
///
/// Its words name functions and reasons, never the bytes it was given.
package struct OpenSSLFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// OpenSSL's reasons, the first cause first; empty if it gave none.
    package let reasons: [String]

    /// The last reason, which is the one nearest to the caller.
    package var description: String { reasons.last ?? "OpenSSL gave no reason" }

    init(reasons: [String]) { self.reasons = reasons }

    /// Empties the error queue of this thread.
    ///
    /// Runs on the thread that made the failing call, before any suspension, or the reasons belong to someone else.
    static func drained() -> OpenSSLFailure {
        var reasons: [String] = []
        while case let code = ERR_get_error(), code != 0 {
            if let reason = unsafe ERR_reason_error_string(code) { unsafe reasons.append(String(cString: reason)) }
        }
        return OpenSSLFailure(reasons: reasons)
    }
}

/// Passing bytes to OpenSSL's decoders and getting them from its encoders.
enum Encoding {
    /// Runs a `d2i` function and says how many bytes it read.
    static func decode(
        _ bytes: [UInt8],
        _ decoder: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?
    ) -> (value: OpaquePointer, count: Int)? {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            guard let start = unsafe cursor, let value = unsafe decoder(&cursor, buffer.count) else {
                return nil
            }
            return unsafe (value, start.distance(to: cursor ?? start))
        }
    }

    /// Runs an `i2d` function twice: for the length, then for the bytes.
    static func encode(_ encoder: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8]? {
        let count = encoder(nil)
        guard count > 0 else { return nil }
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, written in
            var cursor = buffer.baseAddress
            written = Int(unsafe encoder(&cursor))
        }
    }

    /// Whether the bytes are text with a boundary of PEM (RFC 7468), and not DER.
    static func isPEM(_ bytes: [UInt8]) -> Bool { contains(bytes, "-----BEGIN ") }

    /// Whether the bytes contain this text.
    static func contains(_ bytes: [UInt8], _ text: String) -> Bool { bytes.firstRange(of: Array(text.utf8)) != nil }
}

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

/// Copying what stands in OpenSSL's strings.
enum ASN1Text {
    /// The bytes as they are.
    @unsafe
    static func bytes(_ string: UnsafePointer<ASN1_STRING>) -> [UInt8] {
        let count = Int(unsafe ASN1_STRING_length(string))
        guard count > 0, let start = unsafe ASN1_STRING_get0_data(string) else { return [] }
        return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// The text, whatever kind of string it is; nil if it is none.
    @unsafe
    static func utf8(_ string: UnsafePointer<ASN1_STRING>) -> String? {
        var start: UnsafeMutablePointer<UInt8>?
        let count = unsafe ASN1_STRING_to_UTF8(&start, string)
        defer { unsafe CRYPTO_free(start, "", 0) }
        guard count >= 0, let start = unsafe start else {
            ERR_clear_error()
            return nil
        }
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }
}

extension [UInt8] {
    /// Overwrites the bytes with zeros in a way that no optimizer leaves out, and empties the array.
    ///
    /// Other arrays that still share the storage keep theirs; a secret has to be cleansed by its only owner.
    package mutating func cleanse() {
        unsafe withUnsafeMutableBytes { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) }
        removeAll()
    }
}
