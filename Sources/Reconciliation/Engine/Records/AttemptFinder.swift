import Domain

/// Finds an attempt's identifier in text that a PSP may have prefixed, or written in capitals.
enum AttemptFinder {
    private static let length = 30

    /// The first attempt that a text in UTF-8 mentions; nil if there is none.
    static func attempt(in text: Span<UInt8>) -> AttemptID? {
        guard text.count >= length else { return nil }
        let bytes = text.indices.map { place in
            let byte = text[place]
            return UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
        }
        for start in 0...(bytes.count - length) where bytes[start] == UInt8(ascii: "a") {
            if let attempt = AttemptID(utf8: bytes.span.extracting(start..<(start + length))) { return attempt }
        }
        return nil
    }
}
