import Domain

/// Text of SWIFT messages, which banks write in UTF-8 or ISO-8859-1 where SWIFT allows neither.
enum MTText {
    /// The text, read as UTF-8 if it is, and as ISO-8859-1 otherwise.
    static func string(_ bytes: ArraySlice<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text.withBoundedRuns }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// The text without spaces around it; nil if there is none.
    static func optional(_ bytes: ArraySlice<UInt8>) -> String? {
        let bytes = trimmed(bytes)
        return bytes.isEmpty ? nil : string(bytes)
    }

    /// Where a byte first stands twice.
    static func firstPair(_ byte: UInt8, in bytes: ArraySlice<UInt8>) -> Int? {
        var index = bytes.startIndex
        while index + 1 < bytes.endIndex {
            if bytes[index] == byte, bytes[index + 1] == byte { return index }
            index += 1
        }
        return nil
    }

    /// The bytes without spaces around them.
    static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes.drop { $0 == 0x20 }
        while bytes.last == 0x20 { bytes.removeLast() }
        return bytes
    }
}
