/// Archives as anybody's tools make them, without compression.
enum PackedFile {
    /// A zip archive with these members (APPNOTE.TXT 6.3.10, method 0).
    static func zip(_ members: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        var (archive, directory): ([UInt8], [UInt8]) = ([], [])
        for (name, bytes) in members {
            let offset = archive.count
            let size = UInt32(bytes.count)
            let about =
                little(UInt16(20)) + little(UInt16(0)) + little(UInt16(0)) + little(UInt16(0)) + little(UInt16(0x5B5F))
                + little(checksum(bytes)) + little(size) + little(size) + little(UInt16(name.utf8.count))
                + little(UInt16(0))
            archive += little(UInt32(0x0403_4B50)) + about + Array(name.utf8) + bytes
            directory += little(UInt32(0x0201_4B50)) + little(UInt16(20)) + about
            directory += little(UInt16(0)) + little(UInt16(0)) + little(UInt16(0)) + little(UInt32(0))
            directory += little(UInt32(offset)) + Array(name.utf8)
        }
        let count = UInt16(members.count)
        let end =
            little(UInt32(0x0605_4B50)) + little(UInt16(0)) + little(UInt16(0)) + little(count) + little(count)
            + little(UInt32(directory.count)) + little(UInt32(archive.count)) + little(UInt16(0))
        return archive + directory + end
    }

    /// A gzip file (RFC 1952) of stored blocks (RFC 1951, 3.2.4).
    static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        var packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        for start in stride(from: 0, to: max(bytes.count, 1), by: 65_535) {
            let block = bytes[start..<min(start + 65_535, bytes.count)]
            packed.append(start + 65_535 >= bytes.count ? 1 : 0)
            packed += little(UInt16(block.count)) + little(~UInt16(block.count)) + block
        }
        return packed + little(checksum(bytes)) + little(UInt32(truncatingIfNeeded: bytes.count))
    }

    /// CRC-32 of ISO 3309.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
