import SpillFiles

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
