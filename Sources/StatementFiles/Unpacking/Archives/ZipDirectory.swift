/// The end record of a zip archive's directory (APPNOTE.TXT 4.3.16).
struct ZipDirectory {
    /// How many members the directory lists.
    let entries: Int

    /// Finds the record that ends with the file; nil if there is none, or if the directory is not right before it.
    ///
    /// - Parameters:
    ///   - length: the length of the file.
    ///   - tail: the file's last bytes.
    init?(endingAt length: Int64, tail: [UInt8]) {
        let signature: [UInt8] = [0x50, 0x4B, 0x05, 0x06]
        guard tail.count >= 22 else { return nil }
        for start in stride(from: tail.count - 22, through: 0, by: -1) where tail[start] == signature[0] {
            let record = tail[start...]
            guard record.starts(with: signature), start + 22 + Self.number(record, at: 20, 2) == tail.count else {
                continue
            }
            entries = Self.number(record, at: 10, 2)
            let size = Self.number(record, at: 12, 4)
            let offset = Self.number(record, at: 16, 4)
            let position = length - Int64(tail.count - start)
            // An archive above 4 GiB has its directory's place in a record of its own.
            let isLarge = size == 0xFFFF_FFFF || offset == 0xFFFF_FFFF
            guard isLarge ? length > 0xFFFF_FFFF : Int64(offset + size) == position else { return nil }
            return
        }
        return nil
    }

    private static func number(_ record: ArraySlice<UInt8>, at offset: Int, _ count: Int) -> Int {
        record.dropFirst(offset).prefix(count).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
