import Domain

/// What belongs together and differs.
extension GroupMatcher {
    /// Makes breaks of lines and expectations that nothing but the amount, its sign or its currency keeps apart.
    mutating func differ() {
        for kind in Expectation.Kind.allCases {
            let ours = openExpectations(kind)
            guard !ours.isEmpty else { continue }
            dropTwins(kind, beyond: ours.count)
            pairUnequal(kind)
        }
        for line in lines.indices where lineIsOpen[line] && lines[line].header.kind < 4 {
            guard let expectation = expectations.indices.first(where: { isOpposite(line, $0) }) else { continue }
            outcomes.append(.differing(.directionMismatch, lines: [line], expectations: [expectation]))
            close([line], [expectation])
        }
    }

    /// Takes out equal lines that are more than the expectations.
    private mutating func dropTwins(_ kind: Expectation.Kind, beyond limit: Int) {
        var kept: [Int] = []
        let open = openLines(kind)
        var excess = open.count - limit
        for line in open {
            if excess > 0, let twin = kept.first(where: { isTwin(line, of: $0) }) {
                outcomes.append(.repeated(line: line, of: twin))
                close([line])
                excess -= 1
            } else {
                kept.append(line)
            }
        }
    }

    /// All lines against the one expectation; else each line against what it names, or what it is closest to.
    private mutating func pairUnequal(_ kind: Expectation.Kind) {
        let theirs = openLines(kind)
        let ours = openExpectations(kind)
        if theirs.count > 1, ours.count == 1, pass.rule.cardinality.admitsManyTheirs,
            sum(lines: theirs, in: expectations[ours[0]].header.currency) != nil
        {
            return addDifference(theirs, ours[0])
        }
        for line in theirs { if let name = name(of: line), expectationIsOpen[name] { addDifference([line], name) } }
        for line in theirs where lineIsOpen[line] {
            let open = ours.filter { expectationIsOpen[$0] }
            guard let nearest = open.min(by: { distance(line, $0) < distance(line, $1) }) else { return }
            addDifference([line], nearest)
        }
    }

    /// How far a line is from an expectation; what is in another currency is furthest.
    private func distance(_ line: Int, _ expectation: Int) -> UInt128 {
        guard isComparable(line, expectation) else { return .max }
        return (lines[line].header.trillionths - expectations[expectation].trillionths).magnitude
    }

    private mutating func addDifference(_ theirs: [Int], _ expectation: Int) {
        guard let type = difference(theirs, expectation) else { return }
        outcomes.append(.differing(type, lines: theirs, expectations: [expectation]))
        close(theirs, [expectation])
    }

    /// How they differ; nil for lines without an amount.
    private func difference(_ theirs: [Int], _ expectation: Int) -> BreakType? {
        guard theirs.allSatisfy({ lines[$0].header.has(LineHeader.hasAmount) }) else { return nil }
        let ours = expectations[expectation]
        let currency = ours.header.currency
        guard let sum = sum(lines: theirs, in: currency) else { return .currencyMismatch }
        if sum.signum() * ours.trillionths.signum() < 0 { return .directionMismatch }
        let difference = abs(sum - ours.trillionths)
        if difference <= tolerance(currency) + Scale.minorUnit(ours.currency) { return .roundingResidue }
        return .amountMismatch
    }

    /// Whether a line of the opposite kind takes what the expectation gives: the PSP's sign decides the kind.
    private func isOpposite(_ line: Int, _ expectation: Int) -> Bool {
        expectationIsOpen[expectation] && !expectations[expectation].header.isMet && isComparable(line, expectation)
            && lines[line].header.trillionths == -expectations[expectation].trillionths
            && lines[line].header.units != 0
    }
}
