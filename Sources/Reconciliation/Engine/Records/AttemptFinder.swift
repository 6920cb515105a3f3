import Domain

/// Finds an attempt's identifier in text that a PSP may have prefixed, or written in capitals.
enum AttemptFinder {
    private static let length = 30

    /// The first attempt that a text mentions; nil if there is none.
    static func attempt(in text: String) -> AttemptID? {
        guard text.utf8.count >= length else { return nil }
        let bytes = text.utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
        for start in 0...(bytes.count - length) where bytes[start] == UInt8(ascii: "a") {
            if let attempt = AttemptID(String(decoding: bytes[start..<(start + length)], as: UTF8.self)) {
                return attempt
            }
        }
        return nil
    }
}
