/// The checksum of gzip (RFC 1952, 8), eight bytes at a step.
struct CRC32 {
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            tables[byte] = (0..<8).reduce(UInt32(byte)) { value, _ in
                value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
            }
        }
        for index in 256..<tables.count {
            let value = tables[index - 256]
            tables[index] = value >> 8 ^ tables[Int(value & 0xFF)]
        }
        return tables
    }()

    private var state: UInt32 = .max

    /// The checksum of all bytes so far.
    var value: UInt32 { ~state }

    mutating func update(_ bytes: [UInt8]) {
        let tables = Self.tables
        let table = tables.span
        let content = bytes.span
        var value = state
        var index = 0
        while index + 8 <= content.count {
            let low =
                value ^ UInt32(content[index]) ^ UInt32(content[index + 1]) << 8 ^ UInt32(content[index + 2]) << 16
                ^ UInt32(content[index + 3]) << 24
            value =
                table[1_792 + Int(low & 0xFF)] ^ table[1_536 + Int(low >> 8 & 0xFF)]
                ^ table[1_280 + Int(low >> 16 & 0xFF)] ^ table[1_024 + Int(low >> 24)]
            value ^=
                table[768 + Int(content[index + 4])] ^ table[512 + Int(content[index + 5])]
                ^ table[256 + Int(content[index + 6])] ^ table[Int(content[index + 7])]
            index += 8
        }
        while index < content.count {
            value = value >> 8 ^ table[Int((value ^ UInt32(content[index])) & 0xFF)]
            index += 1
        }
        state = value
    }
}
