import Domain

/// One to one.
extension GroupMatcher {
    /// Pairs equal amounts: first what a line names, then in order.
    ///
    /// - Parameter wildcards: whether lines of a kind we do not know are paired, or those that we know.
    mutating func matchExactly(wildcards: Bool) {
        for line in lines.indices where lineIsOpen[line] {
            guard let expectation = name(of: line), isEqual(line, expectation, wildcards) else { continue }
            match([line], [expectation])
        }
        guard lineIsOpen.contains(true), expectationIsOpen.contains(true) else { return }
        var byAmount: [Int128: [Int]] = [:]
        for place in expectations.indices.reversed() where expectationIsOpen[place] {
            byAmount[expectations[place].trillionths, default: []].append(place)
        }
        for line in lines.indices where lineIsOpen[line] && lines[line].header.has(LineHeader.hasAmount) {
            guard var candidates = byAmount[lines[line].header.trillionths] else { continue }
            while let last = candidates.last, !expectationIsOpen[last] { candidates.removeLast() }
            byAmount[lines[line].header.trillionths] = candidates
            if let best = closest(to: line, candidates, wildcards) { match([line], [best]) }
        }
    }

    /// The first expectation in order that a line equals; by amount and date the one with the closest day.
    private func closest(to line: Int, _ candidates: [Int], _ wildcards: Bool) -> Int? {
        let fitting = candidates.reversed().lazy.filter {
            isEqual(line, $0, wildcards) && admits(line, $0)
        }
        guard case .amountAndDate = pass.rule.key, let day = lines[line].day else { return fitting.first }
        var best: (place: Int, days: Int64)?
        for place in fitting {
            let moment = Timestamp(microseconds: expectations[place].header.at)
            let days = abs(day.days(since: pass.calendar.day(of: moment)))
            if best.map({ days < $0.days }) ?? true { best = (place, days) }
        }
        return best?.place
    }

    private func isEqual(_ line: Int, _ expectation: Int, _ wildcards: Bool) -> Bool {
        expectationIsOpen[expectation] && !expectations[expectation].header.isMet
            && areOfOneKind(line, expectation, wildcards: wildcards) && isComparable(line, expectation)
            && lines[line].header.trillionths == expectations[expectation].trillionths
    }

    /// Pairs what differs by no more than the tolerance, the smallest difference first for each line.
    mutating func matchWithinTolerance() {
        guard pass.toleranceMinorUnits > 0, pass.rule.isByReference else { return }
        for line in lines.indices where lineIsOpen[line] && lines[line].header.kind < 4 {
            var best: (place: Int, difference: Int128)?
            for place in expectations.indices where mayMatch(line, place) {
                let difference = abs(lines[line].header.trillionths - expectations[place].trillionths)
                guard difference <= tolerance(lines[line].header.currency) else { continue }
                if best.map({ difference < $0.difference }) ?? true { best = (place, difference) }
            }
            if let best { match([line], [best.place]) }
        }
        matchSums(within: true)
    }

    private func mayMatch(_ line: Int, _ expectation: Int) -> Bool {
        expectationIsOpen[expectation] && !expectations[expectation].header.isMet
            && areOfOneKind(line, expectation, wildcards: false) && isComparable(line, expectation)
            && (lines[line].header.units < 0) == (expectations[expectation].header.amount < 0)
            && admits(line, expectation)
    }
}
