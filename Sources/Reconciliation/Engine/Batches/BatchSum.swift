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
    /// be reported again or not to add up keeps them apart.
    func difference(from paid: Int128) -> Int128 {
        let difference = net - paid
        return [0, repeated, excess, repeated + excess].contains(difference) ? 0 : difference - repeated - excess
    }
}
