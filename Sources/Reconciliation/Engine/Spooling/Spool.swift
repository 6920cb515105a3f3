import SpillFiles

/// Records divided by their digests, in memory that does not grow: what does not fit is in a file.
///
/// A record is never divided between blocks.
struct Spool {
    /// A part of the records.
    private struct Partition {
        var buffer: [UInt8] = []
        var blocks: [SpillBlock] = []
        var byteCount = 0
        var count = 0
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
        let start = partitions[index].buffer.count
        partitions[index].buffer.append(bytes, range)
        if isPatched { partitions[index].buffer.replace(at: start, bitsOf: digest) }
        partitions[index].byteCount += range.count
        partitions[index].count += 1
        if count == 0 { commonDigest = digest } else if commonDigest != digest { commonDigest = nil }
        count += 1
    }

    private mutating func flush(_ index: Int) throws(ReconciliationFailure) {
        guard !partitions[index].buffer.isEmpty else { return }
        do throws(SpillProblem) {
            let file: SpillFile
            if let open = self.file { file = open } else { file = try SpillFile(in: directory) }
            self.file = file
            partitions[index].blocks.append(try file.append(partitions[index].buffer))
        } catch {
            throw .spill(error)
        }
        partitions[index].buffer.removeAll(keepingCapacity: true)
    }

    /// All records of a partition; it is empty afterwards.
    mutating func take(_ index: Int) throws(ReconciliationFailure) -> [UInt8] {
        let partition = partitions[index]
        partitions[index] = Partition()
        guard let file, !partition.blocks.isEmpty else { return partition.buffer }
        do throws(SpillProblem) {
            return try file.read(partition.blocks, followedBy: partition.buffer)
        } catch {
            throw .spill(error)
        }
    }

    /// Hands over a partition piece by piece, each a number of whole records; it is empty afterwards.
    mutating func drain(
        _ index: Int,
        _ body: ([UInt8]) throws(ReconciliationFailure) -> Void
    ) throws(ReconciliationFailure) {
        let partition = partitions[index]
        partitions[index] = Partition()
        for block in partition.blocks {
            guard let file else { break }
            let bytes: [UInt8]
            do throws(SpillProblem) {
                bytes = try file.read([block], followedBy: [])
            } catch {
                throw .spill(error)
            }
            try body(bytes)
        }
        if !partition.buffer.isEmpty { try body(partition.buffer) }
    }
}
