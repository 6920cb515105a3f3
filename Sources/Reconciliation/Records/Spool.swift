import ExternalJoin

/// Records divided by their digests, in memory that does not grow: what does not fit is in a file.
///
/// A record is never divided between blocks.
struct Spool {
    /// A part of the records.
    private struct Partition {
        var buffer = RecordBuffer()
        var blocks: [SpillBlock] = []
        var byteCount = 0
        var count = 0

        /// Takes a record, with another digest at its beginning if there is one.
        mutating func append(_ bytes: [UInt8], _ range: Range<Int>, digest: UInt64?) {
            let start = buffer.count
            buffer.append(bytes, range)
            if let digest { buffer.replace(at: start, bitsOf: digest) }
            byteCount += range.count
            count += 1
        }
    }

    /// How much of a partition stays in memory, in bytes.
    static let blockBytes = 32_768
    /// How many partitions there are in a wide spool.
    static let width = 256

    private let directory: String
    private var file: SpillFile?
    private var partitions: [Partition]
    /// How many bits of a digest were used up before.
    private let depth: Int
    /// How many records there are.
    private(set) var count = 0
    /// A digest that all records share; nil if they do not.
    private(set) var commonDigest: UInt64?

    /// Makes a spool of 256 partitions, or of one.
    ///
    /// - Parameters:
    ///   - directory: where files are made.
    ///   - isWide: whether there are many partitions.
    ///   - depth: how often the records were divided before, each time by eight bits of their digests.
    init(in directory: String, isWide: Bool, depth: Int = 0) {
        self.directory = directory
        self.depth = depth
        partitions = Array(repeating: Partition(), count: isWide ? Self.width : 1)
    }

    /// How many partitions there are.
    var width: Int { partitions.count }

    /// How many bytes a partition has.
    func byteCount(of partition: Int) -> Int { partitions[partition].byteCount }

    /// How many records a partition has.
    func count(of partition: Int) -> Int { partitions[partition].count }

    /// Takes a record, which stands in some bytes.
    ///
    /// - Parameters:
    ///   - bytes: what the record stands in.
    ///   - range: where it stands.
    ///   - digest: by which it is divided.
    ///   - isPatched: whether the digest is written to the record's beginning, in place of what stands there.
    /// - Throws: ``ReconciliationFailure/spill(_:)``.
    mutating func append(
        _ bytes: [UInt8],
        _ range: Range<Int>,
        digest: UInt64,
        isPatched: Bool = false
    ) throws(ReconciliationFailure) {
        let index = partitions.count == 1 ? 0 : Int(truncatingIfNeeded: digest >> UInt64(56 - 8 * depth)) & 0xFF
        if partitions[index].buffer.count + range.count > Self.blockBytes { try flush(index) }
        partitions[index].append(bytes, range, digest: isPatched ? digest : nil)
        if count == 0 { commonDigest = digest } else if commonDigest != digest { commonDigest = nil }
        count += 1
    }

    private mutating func flush(_ index: Int) throws(ReconciliationFailure) {
        guard partitions[index].buffer.count > 0 else { return }
        do throws(SpillProblem) {
            let file: SpillFile
            if let open = self.file { file = open } else { file = try SpillFile(in: directory) }
            self.file = file
            partitions[index].blocks.append(try file.append(partitions[index].buffer))
        } catch {
            throw .spill(error)
        }
        partitions[index].buffer.clear()
    }

    /// All records of a partition; it is empty afterwards.
    mutating func take(_ index: Int) throws(ReconciliationFailure) -> [UInt8] {
        let partition = partitions[index]
        partitions[index] = Partition()
        let rest = Array(partition.buffer.bytes[partition.buffer.range])
        guard let file, !partition.blocks.isEmpty else { return rest }
        do throws(SpillProblem) {
            return try file.read(partition.blocks, followedBy: rest)
        } catch {
            throw .spill(error)
        }
    }

    /// The records of a partition whose digests lie in one of some equal ranges; nothing is taken away.
    ///
    /// - Parameters:
    ///   - index: the partition.
    ///   - share: which range, from 0; what is in one comes before what is in the next, by digest.
    ///   - shares: how many ranges there are.
    ///   - extent: the digest of the record that stands at a place, and how long it is.
    /// - Returns: the records, one behind the other, and how many they are.
    /// - Throws: ``ReconciliationFailure/spill(_:)``.
    func copy(
        _ index: Int,
        share: Int,
        of shares: Int,
        _ extent: ([UInt8], Int) -> (digest: UInt64, size: Int)
    ) throws(ReconciliationFailure) -> (bytes: [UInt8], count: Int) {
        let partition = partitions[index]
        var (bytes, count): ([UInt8], Int) = ([], 0)
        bytes.reserveCapacity(partition.byteCount / shares + partition.byteCount / shares / 8)
        let used = UInt64(width == 1 ? 0 : 8 * (depth + 1))
        try forEachPiece(of: partition) { piece, range in
            var place = range.lowerBound
            while place < range.upperBound {
                let (digest, size) = extent(piece, place)
                if Int((digest << used).multipliedFullWidth(by: UInt64(shares)).high) == share {
                    bytes.append(piece, place..<(place + size))
                    count += 1
                }
                place += size
            }
        }
        return (bytes, count)
    }

    /// Takes a partition's records away.
    mutating func clear(_ index: Int) { partitions[index] = Partition() }

    /// Hands over a partition piece by piece, each a number of whole records; it is empty afterwards.
    mutating func drain(
        _ index: Int,
        _ body: ([UInt8], Range<Int>) throws(ReconciliationFailure) -> Void
    ) throws(ReconciliationFailure) {
        let partition = partitions[index]
        partitions[index] = Partition()
        try forEachPiece(of: partition, body)
    }

    private func forEachPiece(
        of partition: Partition,
        _ body: ([UInt8], Range<Int>) throws(ReconciliationFailure) -> Void
    ) throws(ReconciliationFailure) {
        for block in partition.blocks {
            guard let file else { break }
            let bytes: [UInt8]
            do throws(SpillProblem) {
                bytes = try file.read([block], followedBy: [])
            } catch {
                throw .spill(error)
            }
            try body(bytes, 0..<bytes.count)
        }
        if partition.buffer.count > 0 { try body(partition.buffer.bytes, partition.buffer.range) }
    }
}

/// Lines and expectations in spools.
extension Spool {
    /// Takes a line; the digest is written into it.
    mutating func append(_ line: LineRecord, digest: UInt64) throws(ReconciliationFailure) {
        try append(line.bytes, line.range, digest: digest, isPatched: line.header.digest != digest)
    }

    /// Takes an expectation; the digest is written into it.
    mutating func append(_ expectation: ExpectationRecord, digest: UInt64) throws(ReconciliationFailure) {
        try append(
            expectation.bytes,
            expectation.range,
            digest: digest,
            isPatched: expectation.header.digest != digest
        )
    }

    /// Hands over the lines of a partition one by one; it is empty afterwards.
    mutating func forEachLine(
        _ index: Int = 0,
        _ body: (LineRecord) throws(ReconciliationFailure) -> Void
    ) throws(ReconciliationFailure) {
        try drain(index) { bytes, range throws(ReconciliationFailure) in
            var offset = range.lowerBound
            while offset < range.upperBound {
                let line = LineRecord(bytes, at: offset)
                offset += Int(line.header.size)
                try body(line)
            }
        }
    }

    /// Hands over the expectations of a partition one by one; it is empty afterwards.
    mutating func forEachExpectation(
        _ index: Int = 0,
        _ body: (ExpectationRecord) throws(ReconciliationFailure) -> Void
    ) throws(ReconciliationFailure) {
        try drain(index) { bytes, range throws(ReconciliationFailure) in
            var offset = range.lowerBound
            while offset < range.upperBound {
                let expectation = ExpectationRecord(bytes, at: offset)
                offset += Int(expectation.header.size)
                try body(expectation)
            }
        }
    }
}

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
