/// Pictures of one colour as PNG, for packages that need some.
package enum PlainPicture {
    /// A picture in a palette of one colour.
    ///
    /// - Parameters:
    ///   - width: its width in pixels.
    ///   - height: its height in pixels.
    ///   - colour: red, green and blue.
    ///   - isTransparent: whether the colour is one that is seen through.
    /// - Returns: the bytes of the file.
    package static func png(
        width: Int = 300,
        height: Int = 300,
        colour: (red: UInt8, green: UInt8, blue: UInt8) = (32, 96, 160),
        isTransparent: Bool = false
    ) -> [UInt8] {
        // One bit a pixel, and a byte for the filter before each row.
        let pixels = [UInt8](repeating: 0, count: height * (1 + (width + 7) / 8))
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += chunk("IHDR", number(width) + number(height) + [1, 3, 0, 0, 0])
        file += chunk("PLTE", [colour.red, colour.green, colour.blue])
        if isTransparent { file += chunk("tRNS", [0]) }
        return file + chunk("IDAT", stored(pixels)) + chunk("IEND", [])
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + content
        return number(content.count) + named + number(Int(checksum(named)))
    }

    /// Bytes as zlib has them, without compressing them (RFC 1950, RFC 1951 3.2.4).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
            stream += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + block
        } while !rest.isEmpty
        return stream + number(adler(bytes))
    }

    private static func adler(_ bytes: [UInt8]) -> Int {
        var (low, high) = (1, 0)
        for byte in bytes {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
    }

    /// Four bytes, the highest first.
    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
