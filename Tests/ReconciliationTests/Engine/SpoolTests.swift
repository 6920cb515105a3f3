import ExternalJoin
import SeededRandom
import Testing

@testable import Reconciliation

@Suite("A spool")
struct SpoolTests {
    /// A record is its digest, and its own length behind it.
    private static let size = 40

    private static func extent(_ bytes: [UInt8], _ place: Int) -> (digest: UInt64, size: Int) {
        (bytes.bits(UInt64.self, at: place), size)
    }

    @Test(
        "reads a partition range by range: each record once, and the ranges in the order of digests",
        arguments: [0, 1]
    )
    func ranges(depth: Int) throws {
        var spool = Spool(in: SpillFile.standardDirectory, isWide: true, depth: depth)
        let known: UInt64 = depth == 0 ? 0x42 << 56 : 0x1742 << 48
        let bits = UInt64(56 - 8 * depth)
        var random = SeededRandom(seed: 11)
        var written: [UInt64] = []
        for _ in 0..<5000 {
            let digest = known | random.next() & (1 << bits - 1)
            var record = RecordBuffer()
            record.append(bitsOf: digest)
            record.append([UInt8](repeating: 7, count: Self.size - 8), 0..<(Self.size - 8))
            try spool.append(record.bytes, record.range, digest: digest)
            written.append(digest)
        }
        var read: [UInt64] = []
        for share in 0..<7 {
            let (bytes, count) = try spool.copy(0x42, share: share, of: 7, Self.extent)
            #expect(bytes.count == count * Self.size && count > 500)
            let digests = stride(from: 0, to: bytes.count, by: Self.size).map { Self.extent(bytes, $0).digest }
            #expect(read.max() ?? 0 <= digests.min() ?? .max)
            read += digests
        }
        #expect(read.sorted() == written.sorted())
        #expect(spool.count(of: 0x42) == written.count)
    }
}
