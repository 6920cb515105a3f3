import WireFormats

/// Bytes in the server's text form: `\x` and two hexadecimal digits each.
enum HexBytes {
    /// Appends the text form.
    static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        text.reserveCapacity(text.count + 2 + bytes.count * 2)
        text.append(UInt8(ascii: "\\"))
        text.append(UInt8(ascii: "x"))
        Hexadecimal.append(bytes, to: &text)
    }

    /// Reads the text form; nil if it is not one.
    static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        guard text.count >= 2, text.count.isMultiple(of: 2), unsafe text[0] == UInt8(ascii: "\\"),
            unsafe text[1] == UInt8(ascii: "x")
        else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2 - 1)
        for position in stride(from: 2, to: text.count, by: 2) {
            guard let high = unsafe Hexadecimal.value(text[position]),
                let low = unsafe Hexadecimal.value(text[position + 1])
            else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
