import WalletOrders

/// Writes zip archives with whatever is wrong with them (APPNOTE.TXT 4.3).
struct TestZip {
    /// An entry, with what is said of it in front of its bytes and in the directory.
    struct Entry {
        var name: String
        var bytes: [UInt8]
        /// The bytes as they stand in the archive.
        var packed: [UInt8]
        var method = 0
        var flags = 0
        /// The name in front of the bytes, if it is another.
        var localName: String?
        /// The size in front of the bytes, if it is another.
        var localSize: Int?
        /// The size before packing in the directory, if it is another.
        var unpackedSize: Int?
        /// The checksum, if it is another.
        var checksum: UInt32?
        /// Written behind the bytes, with nothing of it in front.
        var hasDescriptor = false
        /// Unix mode and kind.
        var mode = 0o100644
        /// Bytes behind it that belong to nothing.
        var rest: [UInt8] = []

        init(_ file: WalletOrderFile) { self.init(file.path, file.bytes) }

        init(_ name: String, _ bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
            packed = bytes
        }
    }

    var entries: [Entry]
    /// In which order the directory has them; as they are unless said.
    var directoryOrder: [Int]?
    /// Bytes in front of everything.
    var prefix: [UInt8] = []
    /// A comment at the end.
    var comment: [UInt8] = []
    /// Bytes behind everything.
    var suffix: [UInt8] = []
    /// How many entries the end record counts, if others.
    var count: Int?
    /// Where the directory has the entries, if elsewhere: each at that of another.
    var offsets: [Int: Int] = [:]

    init(_ files: [WalletOrderFile]) { entries = files.map { Entry($0) } }

    var bytes: [UInt8] {
        var archive = prefix
        var places: [Int] = []
        for entry in entries {
            places.append(archive.count)
            archive += local(entry) + entry.packed
            if entry.hasDescriptor {
                archive += Self.number(0x0807_4B50, 4) + Self.number(Int(checksum(entry)), 4)
                archive += Self.number(entry.packed.count, 4) + Self.number(entry.bytes.count, 4)
            }
            archive += entry.rest
        }
        let start = archive.count
        for index in directoryOrder ?? Array(entries.indices) {
            archive += central(entries[index], at: places[offsets[index] ?? index])
        }
        let size = archive.count - start
        let total = count ?? directoryOrder?.count ?? entries.count
        archive += Self.number(0x0605_4B50, 4) + Self.number(0, 4) + Self.number(total, 2) + Self.number(total, 2)
        archive += Self.number(size, 4) + Self.number(start, 4) + Self.number(comment.count, 2) + comment
        return archive + suffix
    }

    private func flags(_ entry: Entry) -> Int { entry.flags | (entry.hasDescriptor ? 8 : 0) }

    private func checksum(_ entry: Entry) -> UInt32 { entry.checksum ?? Self.checksum(entry.bytes) }

    private func local(_ entry: Entry) -> [UInt8] {
        let name = Array((entry.localName ?? entry.name).utf8)
        var header = Self.number(0x0403_4B50, 4) + Self.number(20, 2) + Self.number(flags(entry), 2)
        header += Self.number(entry.method, 2) + Self.number(0, 2) + Self.number(33, 2)
        let sizes =
            entry.hasDescriptor
            ? [0, 0, 0] : [Int(checksum(entry)), entry.localSize ?? entry.packed.count, unpacked(entry)]
        for size in sizes { header += Self.number(size, 4) }
        return header + Self.number(name.count, 2) + Self.number(0, 2) + name
    }

    private func central(_ entry: Entry, at place: Int) -> [UInt8] {
        var header = Self.number(0x0201_4B50, 4) + Self.number(3 << 8 | 20, 2) + Self.number(20, 2)
        header += Self.number(flags(entry), 2) + Self.number(entry.method, 2) + Self.number(0, 2) + Self.number(33, 2)
        header += Self.number(Int(checksum(entry)), 4) + Self.number(entry.packed.count, 4)
        header += Self.number(unpacked(entry), 4) + Self.number(entry.name.utf8.count, 2)
        header += Self.number(0, 8) + Self.number(entry.mode << 16, 4) + Self.number(place, 4)
        return header + Array(entry.name.utf8)
    }

    private func unpacked(_ entry: Entry) -> Int { entry.unpackedSize ?? entry.bytes.count }

    static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
    }

    /// Bytes as deflate has them without compressing (RFC 1951, 3.2.4); at most 65,535.
    static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        let size = number(bytes.count, 2)
        return [1] + size + size.map { ~$0 } + bytes
    }
}
