import AdapterKit
import Domain
import SpillFiles

/// Adds up the lines of batches while they stream in, however many lines or batches there are.
struct BatchFold {
    /// How many batches are added up in memory at once.
    private static let openLimit = 16_384

    private var sums: [BatchKey: BatchSum] = [:]
    private var last: (key: BatchKey, sum: BatchSum)?
    /// The name of the batch of ``last``.
    private var lastName: [UInt8] = []
    var parts: Spool
    var payouts: Spool
    private var bytes: [UInt8] = []
    private var overflowed: UInt16?

    init(spillDirectory: String) {
        parts = Spool(in: spillDirectory, isWide: true)
        payouts = Spool(in: spillDirectory, isWide: true)
    }

    static func digest(_ batch: String, seed: UInt64) -> UInt64 {
        let bytes = Array(batch.utf8)
        return bytes.digest(0..<bytes.count, seed: seed)
    }

    /// Takes a line that is no payout, of a batch whose name stands in some bytes.
    mutating func add(
        _ bytes: [UInt8],
        _ batch: Range<Int>,
        _ header: LineHeader,
        seed: UInt64,
        excess: Int128
    ) throws(ReconciliationFailure) {
        var part = BatchSum()
        part.count = 1
        part.file = header.file
        part.lacksNet = !header.has(LineHeader.hasNet)
        part.net = part.lacksNet ? 0 : header.netTrillionths
        part.excess = excess
        let currency = part.lacksNet ? header.currency : header.netCurrency
        try add(part, bytes, batch, header.account, currency, seed)
    }

    /// Takes note that a line of a batch reports again what another reports.
    mutating func add(repeated line: LineRecord, seed: UInt64) throws(ReconciliationFailure) {
        guard line.header.has(LineHeader.hasNet), !line.batch.isEmpty else { return }
        guard line.header.settlementKind != .payout else { return try add(repeatedPayout: line, seed) }
        var part = BatchSum()
        part.repeated = line.header.netTrillionths
        try add(part, line.bytes, line.batch, line.header.account, line.header.netCurrency, seed)
    }

    private mutating func add(
        _ part: BatchSum,
        _ bytes: [UInt8],
        _ name: Range<Int>,
        _ account: UInt16,
        _ currency: UInt16,
        _ seed: UInt64
    ) throws(ReconciliationFailure) {
        if let key = last?.key, key.account == account, key.currency == currency,
            bytes.equals(name, lastName, 0..<lastName.count)
        {
            if last?.sum.add(part) == false { overflowed = currency }
        } else {
            try closeLast()
            lastName = Array(bytes[name])
            let batch = String(decoding: lastName, as: UTF8.self).withBoundedRuns
            let digest = Self.digest(batch, seed: seed)
            last = (BatchKey(digest: digest, account: account, currency: currency, batch: batch), part)
        }
        if let overflowed { throw .sumOverflows(Currencies.currency(overflowed)) }
    }

    private mutating func closeLast() throws(ReconciliationFailure) {
        guard let (key, sum) = last else { return }
        last = nil
        if !sums[key, default: BatchSum()].add(sum) { overflowed = key.currency }
        if sums.count >= Self.openLimit { try spill() }
    }

    /// Puts every sum where ``parts`` can be read.
    mutating func close() throws(ReconciliationFailure) {
        try closeLast()
        try spill()
    }

    private mutating func spill() throws(ReconciliationFailure) {
        for (key, sum) in sums { try append(sum.header(key), key.batch) }
        sums.removeAll(keepingCapacity: true)
    }

    private mutating func append(_ header: BatchHeader, _ batch: String) throws(ReconciliationFailure) {
        var header = header
        bytes.removeAll(keepingCapacity: true)
        header.size = UInt32(MemoryLayout<BatchHeader>.size + batch.utf8.count)
        bytes.append(bitsOf: header)
        bytes.append(contentsOf: batch.utf8)
        try parts.append(bytes, 0..<bytes.count, digest: header.digest)
    }

    private mutating func add(
        repeatedPayout line: LineRecord,
        _ seed: UInt64
    ) throws(ReconciliationFailure) {
        let batch = line.text(line.batch) ?? ""
        var header = BatchHeader()
        header.digest = Self.digest(batch, seed: seed)
        header.account = line.header.account
        header.currency = line.header.netCurrency
        header.file = line.header.file
        header.row = line.header.row
        header.flags = BatchHeader.isRepeatedPayout
        try append(header, batch)
    }
}
