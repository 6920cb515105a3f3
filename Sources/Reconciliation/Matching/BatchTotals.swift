import Domain
import ExternalJoin

/// Adds up the lines of batches while they stream in, however many lines or batches there are.
struct BatchTotals {
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
        guard line.header.has(LineHeader.hasNet) else { return }
        guard line.header.settlementKind != .payout else { return try add(repeatedPayout: line, seed) }
        guard !line.batch.isEmpty else { return }
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

/// What the lines of a batch in one currency come to, apart from what it paid out.
struct BatchSum {
    var net: Int128 = 0
    /// Of that, lines that report again what another reports.
    var repeated: Int128 = 0
    /// Of that, what lines have beyond their gross less their fee.
    var excess: Int128 = 0
    var count = 0
    var file: UInt32 = 0
    var lacksNet = false
    var hasManyFiles = false

    init() {}

    init(_ header: BatchHeader) {
        net = header.net.value
        repeated = header.repeated.value
        excess = header.excess.value
        count = Int(header.count)
        file = header.file
        lacksNet = header.has(BatchHeader.lacksNet)
        hasManyFiles = header.has(BatchHeader.hasManyFiles)
    }

    /// Takes in another part of the same batch; false if the sum does not fit.
    mutating func add(_ other: BatchSum) -> Bool {
        if count > 0, other.count > 0, file != other.file { hasManyFiles = true }
        if count == 0 { file = other.file }
        hasManyFiles = hasManyFiles || other.hasManyFiles
        lacksNet = lacksNet || other.lacksNet
        count += other.count
        let sums = (
            net.addingReportingOverflow(other.net), repeated.addingReportingOverflow(other.repeated),
            excess.addingReportingOverflow(other.excess)
        )
        net = sums.0.partialValue
        repeated = sums.1.partialValue
        excess = sums.2.partialValue
        return !sums.0.overflow && !sums.1.overflow && !sums.2.overflow
    }

    func header(_ key: BatchKey) -> BatchHeader {
        var header = BatchHeader()
        header.digest = key.digest
        header.net = WideAmount(net)
        header.repeated = WideAmount(repeated)
        header.excess = WideAmount(excess)
        header.count = UInt64(count)
        header.file = file
        header.currency = key.currency
        header.account = key.account
        header.flags = (lacksNet ? BatchHeader.lacksNet : 0) | (hasManyFiles ? BatchHeader.hasManyFiles : 0)
        return header
    }

    /// By how much the lines differ from what was paid out: zero if they do not, or if no more than what is known to
    /// be reported again or not to add up, and fractions of a unit, keep them apart.
    func difference(from paid: Int128, inUnitsOf unit: Int128) -> Int128 {
        let difference = net - paid
        let isExplained = [0, repeated, excess, repeated + excess].contains { abs(difference - $0) < unit }
        return isExplained ? 0 : difference - repeated - excess
    }
}

/// The fixed part of a batch's partial sum in a spill file; the batch's name follows it.
struct BatchHeader: BitwiseCopyable {
    var digest: UInt64 = 0
    var net = WideAmount()
    var repeated = WideAmount()
    var excess = WideAmount()
    var count: UInt64 = 0
    /// The row of a payout line that repeats another; only where ``isRepeatedPayout`` is set.
    var row: UInt64 = 0
    var size: UInt32 = 0
    var file: UInt32 = 0
    var currency: UInt16 = 0
    var account: UInt16 = 0
    var flags: UInt16 = 0
    var spare: UInt16 = 0

    /// Some line has no net amount.
    static let lacksNet: UInt16 = 1
    /// The lines are of more files than one.
    static let hasManyFiles: UInt16 = 2
    static let isRepeatedPayout: UInt16 = 4

    func has(_ flag: UInt16) -> Bool { flags & flag != 0 }
}

/// Which batch a sum is of.
struct BatchKey: Hashable {
    var digest: UInt64
    var account: UInt16
    var currency: UInt16
    var batch: String

    func hash(into hasher: inout Hasher) {
        hasher.combine(digest)
        hasher.combine(currency)
    }
}

/// 128 bits that can stand anywhere in a record.
struct WideAmount: BitwiseCopyable {
    private var high: Int64 = 0
    private var low: UInt64 = 0

    init() {}

    init(_ value: Int128) {
        high = Int64(truncatingIfNeeded: value >> 64)
        low = UInt64(truncatingIfNeeded: value)
    }

    var value: Int128 { Int128(high) << 64 | Int128(low) }
}
