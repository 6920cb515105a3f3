import Domain
import ExternalJoin

/// Deciding about a group, and saying what was decided.
extension Reconciler {
    /// Whether one line confirms one expectation, and nothing else has to be looked at.
    func agree(_ line: LineRecord, _ expectation: ExpectationRecord, _ pass: LinePass) -> Bool {
        let (theirs, ours) = (line.header, expectation.header)
        guard pass.strictness == .agreeing, pass.rule.isByReference, theirs.kind == ours.kind, !ours.isConfirmed,
            theirs.has(LineHeader.hasAmount), theirs.currency == ours.currency, theirs.units == ours.amount,
            Int(theirs.decimals) == line.currency.exponent,
            ours.commission == 0 || !accounts.reportsCommissions[Int(ours.account)], !line.isAnother(than: expectation)
        else { return false }
        let (left, right) = (line.payment, expectation.paymentReference)
        return left.isEmpty || right.isEmpty || line.bytes.equals(left, expectation.bytes, right)
    }

    /// Matches a group as its pass does; what is left goes on.
    func match(
        _ lines: [LineRecord],
        _ expectations: [ExpectationRecord],
        _ pass: LinePass
    ) throws(ReconciliationFailure) {
        guard !lines.isEmpty, lines.count + expectations.count > 1, lines.count <= Self.keyLimit,
            expectations.count <= Self.keyLimit
        else { return try leave(lines, expectations) }
        let account = lines[0].header.account
        var matcher = GroupMatcher(
            lines: lines.count == 1 ? lines : lines.sorted(by: order.precedes),
            expectations: expectations.count == 1 ? expectations : expectations.sorted(by: order.precedes),
            pass: pass,
            reportsCommissions: accounts.reportsCommissions[Int(account)]
        )
        matcher.run()
        for outcome in matcher.outcomes { try take(outcome, of: matcher, pass) }
        try leave(
            matcher.lines.indices.filter { matcher.lineIsOpen[$0] }.map { matcher.lines[$0] },
            matcher.expectations.indices.filter { matcher.expectationIsOpen[$0] }.map { matcher.expectations[$0] }
        )
    }

    private func leave(
        _ lines: [LineRecord],
        _ expectations: [ExpectationRecord]
    ) throws(ReconciliationFailure) {
        for line in lines { try restLines.append(line, digest: 0) }
        for expectation in expectations { try restExpectations.append(expectation, digest: 0) }
    }

    private func take(
        _ outcome: GroupOutcome,
        of group: GroupMatcher,
        _ pass: LinePass
    ) throws(ReconciliationFailure) {
        let theirs = { (places: [Int]) in places.map { group.lines[$0] } }
        let ours = { (places: [Int]) in places.map { group.expectations[$0] } }
        switch outcome {
        case .matched(let lines, let expectations):
            confirm(theirs(lines), ours(expectations), pass)
        case .repeated(let line, let first):
            try report(group.lines[line], repeating: group.lines[first], group.expectations.first)
        case .differing(let type, let lines, let expectations):
            report(type, theirs(lines), ours(expectations))
        case .canceled(let lines):
            for line in theirs(lines) {
                tallies.add(line.header, .explained)
                if files.earlier.contains(line.header.file) { canceledLines.append(place(of: line)) }
            }
        case .commissionUncompared(let lines):
            for line in lines { tallies.add(group.lines[line].header, .explained) }
        case .commission(let lines, let expectations, let excess):
            confirm(commissions: theirs(lines), ours(expectations), excess: excess, pass)
        case .commissionsLeft(let places):
            for claim in ours(places) {
                comparedCommissions[claim.owner.attempt, default: []].append(claim.commissionTrillionths)
            }
        case .commissionOpen(let place):
            let expectation = group.expectations[place]
            var header = expectation.header
            header.flags |= ExpectationHeader.isConfirmed
            header.digest = 0
            var bytes = Array(expectation.bytes[expectation.range])
            bytes.replace(at: 0, bitsOf: header)
            try restExpectations.append(bytes, 0..<bytes.count, digest: 0)
        }
    }

    /// Says that one line confirms one expectation to the minor unit, as almost all do, and what else is wrong.
    func confirm(_ line: LineRecord, _ expectation: ExpectationRecord, _ pass: LinePass) {
        tallies.add(line.header, .matched)
        findings.summary.met += 1
        let amount = Scale.amount(minorUnits: expectation.header.amount, expectation.currency)
        findings.add(
            Match(
                rule: pass.rule.id,
                level: .line,
                by: pass.rule.key.name,
                key: pass.key(of: line) ?? .text(amount.description),
                account: accounts.names[Int(line.header.account)],
                lines: [place(of: line)],
                subjects: [expectation.identity],
                owners: [expectation.owner],
                batch: line.text(line.batch),
                theirs: amount,
                ours: amount
            )
        )
        if line.header.has(LineHeader.hasNote) || !sharesAccount(line, with: expectation)
            || !repeatsReference(line, of: expectation)
        {
            inspect(line, [expectation])
        }
    }

    /// Says that lines and expectations agree, and what else is wrong with them.
    private func confirm(_ lines: [LineRecord], _ expectations: [ExpectationRecord], _ pass: LinePass) {
        for line in lines { tallies.add(line.header, .matched) }
        findings.summary.met += expectations.count
        guard let line = lines.first, let expectation = expectations.first else { return }
        let theirs = lines.reduce(0) { $0 + $1.header.trillionths }
        let ours = expectations.reduce(0) { $0 + $1.trillionths }
        let amount = Scale.amount(theirs, line.currency)
        findings.add(
            Match(
                rule: pass.rule.id,
                level: .line,
                by: pass.rule.key.name,
                key: pass.key(of: line) ?? .text(amount.description),
                account: accounts.names[Int(line.header.account)],
                lines: lines.map { place(of: $0) },
                subjects: expectations.map(\.identity),
                owners: expectations.map(\.owner),
                batch: line.text(line.batch),
                theirs: amount,
                ours: theirs == ours ? amount : Scale.amount(ours, expectation.currency)
            )
        )
        for line in lines { inspect(line, expectations) }
    }

    /// Says what the PSP kept for us of a payment.
    private func confirm(
        commissions lines: [LineRecord],
        _ expectations: [ExpectationRecord],
        excess: Int128,
        _ pass: LinePass
    ) {
        guard excess == 0, let line = lines.first else { return reportSplit(lines, expectations, excess: excess) }
        for line in lines { tallies.add(line.header, .matched) }
        let amount = Scale.amount(lines.reduce(0) { $0 + $1.header.trillionths }, line.currency)
        findings.add(
            Match(
                rule: pass.rule.id,
                level: .commission,
                by: pass.rule.key.name,
                key: pass.key(of: line) ?? .text(""),
                account: accounts.names[Int(line.header.account)],
                lines: lines.map { place(of: $0) },
                subjects: expectations.map(\.identity),
                owners: expectations.map(\.owner),
                batch: line.text(line.batch),
                theirs: amount,
                ours: amount
            )
        )
        for line in lines where line.header.has(LineHeader.hasNote) { reportFee(line, expectations.first) }
    }

    /// Looks at what is no matter of the amount: the fee, the merchant's account, and our reference.
    private func inspect(_ line: LineRecord, _ expectations: [ExpectationRecord]) {
        if line.header.has(LineHeader.hasNote) { reportFee(line, expectations.first) }
        guard let expectation = expectations.first else { return }
        if !expectations.contains(where: { sharesAccount(line, with: $0) }) {
            report(.wrongMerchantAccount, [line], [expectation])
        }
        if !expectations.contains(where: { repeatsReference(line, of: $0) }) {
            report(.referenceMismatch, [line], [expectation])
        }
    }

    /// Whether a line is of the merchant's account that we know, or either is not named.
    private func sharesAccount(_ line: LineRecord, with expectation: ExpectationRecord) -> Bool {
        let (theirs, ours) = (line.merchantAccount, expectation.merchantAccount)
        return theirs.isEmpty || ours.isEmpty || line.bytes.equals(theirs, expectation.bytes, ours)
    }

    /// Whether a line has our reference, or none at all.
    private func repeatsReference(_ line: LineRecord, of expectation: ExpectationRecord) -> Bool {
        if !line.attempt.isEmpty { return line.bytes.equals(line.attempt, expectation.bytes, expectation.attempt) }
        if !line.mention.isEmpty { return line.bytes.equals(line.mention, expectation.bytes, expectation.attempt) }
        guard line.operation.isEmpty, let reference = line.text(line.reference) else { return true }
        let owner = expectation.owner
        return OrderID(reference) == owner.order || PaymentID(reference) == owner.payment
    }

    func place(of line: LineRecord) -> LinePlace { files.place(line.header.file, row: line.header.row) }
}

/// Walks over lines and expectations that were read back, group by group: those that share a key.
///
/// The groups come in the order of their keys' digests.
struct GroupCursor {
    /// Where a record stands, and the digest of its key.
    struct Slot {
        let digest: UInt64
        let offset: Int
    }

    let lineBytes: [UInt8]
    let expectationBytes: [UInt8]
    private let lines: [Slot]
    private let expectations: [Slot]
    private let pass: LinePass
    private var line = 0
    private var expectation = 0
    /// What is left of records that share a digest, but not a key.
    private var rest: (lines: [LineRecord], expectations: [ExpectationRecord]) = ([], [])

    init(lines: [UInt8], lineCount: Int, expectations: [UInt8], expectationCount: Int, pass: LinePass) {
        lineBytes = lines
        expectationBytes = expectations
        self.pass = pass
        self.lines = Self.slots(lines, lineCount, LineHeader.extent)
        self.expectations = Self.slots(expectations, expectationCount, ExpectationHeader.extent)
    }

    private static func slots(
        _ bytes: [UInt8],
        _ count: Int,
        _ extent: ([UInt8], Int) -> (digest: UInt64, size: Int)
    ) -> [Slot] {
        var slots: [Slot] = []
        slots.reserveCapacity(count)
        var offset = 0
        while offset < bytes.count {
            let (digest, size) = extent(bytes, offset)
            slots.append(Slot(digest: digest, offset: offset))
            offset += size
        }
        slots.sort { $0.digest < $1.digest }
        return slots
    }

    /// The next group; nil behind the last.
    ///
    /// Neither side is in order.
    mutating func next() -> (lines: [LineRecord], expectations: [ExpectationRecord])? {
        if !rest.lines.isEmpty || !rest.expectations.isEmpty { return divide(rest.lines, rest.expectations) }
        guard line < lines.count || expectation < expectations.count else { return nil }
        let digest = min(
            line < lines.count ? lines[line].digest : .max,
            expectation < expectations.count ? expectations[expectation].digest : .max
        )
        var theirs: [LineRecord] = []
        while line < lines.count, lines[line].digest == digest {
            theirs.append(LineRecord(lineBytes, at: lines[line].offset))
            line += 1
        }
        var ours: [ExpectationRecord] = []
        while expectation < expectations.count, expectations[expectation].digest == digest {
            ours.append(ExpectationRecord(expectationBytes, at: expectations[expectation].offset))
            expectation += 1
        }
        return divide(theirs, ours)
    }

    /// The pair that comes next, if it is one line and one expectation that share a key: almost all are.
    mutating func nextPair() -> (line: LineRecord, expectation: ExpectationRecord)? {
        guard line < lines.count, expectation < expectations.count, rest.lines.isEmpty, rest.expectations.isEmpty
        else { return nil }
        let digest = lines[line].digest
        guard digest == expectations[expectation].digest,
            line + 1 == lines.count || lines[line + 1].digest != digest,
            expectation + 1 == expectations.count || expectations[expectation + 1].digest != digest
        else { return nil }
        let theirs = LineRecord(lineBytes, at: lines[line].offset)
        let ours = ExpectationRecord(expectationBytes, at: expectations[expectation].offset)
        guard share(theirs, ours) else { return nil }
        line += 1
        expectation += 1
        return (theirs, ours)
    }

    /// Keeps what does not share the first one's key for the next time.
    private mutating func divide(
        _ lines: [LineRecord],
        _ expectations: [ExpectationRecord]
    ) -> (lines: [LineRecord], expectations: [ExpectationRecord]) {
        rest = ([], [])
        if let first = lines.first {
            rest.lines = lines.filter { !share($0, first) }
            rest.expectations = expectations.filter { !share(first, $0) }
            guard !rest.lines.isEmpty || !rest.expectations.isEmpty else { return (lines, expectations) }
            return (lines.filter { share($0, first) }, expectations.filter { share(first, $0) })
        }
        return ([], expectations)
    }

    private func share(_ line: LineRecord, _ other: LineRecord) -> Bool {
        guard line.header.account == other.header.account else { return false }
        guard let range = pass.range(of: line), let otherRange = pass.range(of: other) else {
            return line.header.units == other.header.units && line.header.currency == other.header.currency
        }
        return line.bytes.equals(range, other.bytes, otherRange)
    }

    private func share(_ line: LineRecord, _ expectation: ExpectationRecord) -> Bool {
        guard line.header.account == expectation.header.account else { return false }
        guard let range = pass.range(of: line), let otherRange = pass.range(of: expectation) else {
            return line.header.units == expectation.header.amount
                && line.header.currency == expectation.header.currency
        }
        return line.bytes.equals(range, expectation.bytes, otherRange)
    }
}
