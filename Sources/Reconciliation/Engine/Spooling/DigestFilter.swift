/// Which digests were seen, and which more than once; it may claim more than is true, never less.
///
/// At most 16 MiB, however many there are.
struct DigestFilter {
    private let bits: Int
    private var once: [UInt64]
    private var again: [UInt64]

    /// Makes a filter for about so many digests.
    init(capacity: Int) {
        bits = min(max(Int.bitWidth - capacity.leadingZeroBitCount + 4, 12), 26)
        once = [UInt64](repeating: 0, count: 1 << (bits - 6))
        again = once
    }

    /// Remembers a digest.
    mutating func insert(_ digest: UInt64) {
        let (word, mask) = place(digest)
        if once[word] & mask == 0 { once[word] |= mask } else { again[word] |= mask }
    }

    /// Whether a digest may have been seen.
    func mayContain(_ digest: UInt64) -> Bool {
        let (word, mask) = place(digest)
        return once[word] & mask != 0
    }

    /// Whether a digest may have been seen more than once.
    func mayRepeat(_ digest: UInt64) -> Bool {
        let (word, mask) = place(digest)
        return again[word] & mask != 0
    }

    private func place(_ digest: UInt64) -> (word: Int, mask: UInt64) {
        let bit = digest & (1 << bits - 1)
        return (Int(bit >> 6), 1 << (bit & 63))
    }
}
