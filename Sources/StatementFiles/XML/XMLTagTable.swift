/// Finds an element by the bytes of its local name, without making text of them.
struct XMLTagTable {
    private static let slotCount = 1_024

    private var hashes = [UInt64](repeating: 0, count: slotCount)
    private var tags = [XMLTag?](repeating: nil, count: slotCount)

    init() {
        for tag in XMLTag.allCases where tag != .currencyAttribute {
            let name = Array(tag.rawValue.utf8)
            let hash = Self.hash(name.span)
            var slot = Int(hash % UInt64(Self.slotCount))
            while tags[slot] != nil { slot = (slot + 1) % Self.slotCount }
            hashes[slot] = hash
            tags[slot] = tag
        }
    }

    func tag(_ name: borrowing Span<UInt8>) -> XMLTag? {
        let hash = Self.hash(name)
        var slot = Int(hash % UInt64(Self.slotCount))
        while let tag = tags[slot] {
            if hashes[slot] == hash { return tag }
            slot = (slot + 1) % Self.slotCount
        }
        return nil
    }

    /// FNV-1a with 64 bits: no two of the names collide, and a name that is none of them collides with none by chance.
    private static func hash(_ name: borrowing Span<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in name.indices { hash = (hash ^ UInt64(name[index])) &* 0x100_0000_01B3 }
        return hash
    }
}
