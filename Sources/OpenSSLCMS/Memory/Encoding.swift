import COpenSSL

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
}
