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
