import Domain

/// Several to one, one to several, several to several.
extension GroupMatcher {
    /// Matches what adds up: what a line names, then the lines of a batch, then everything that is left.
    ///
    /// - Parameter within: whether sums may differ by the tolerance.
    mutating func matchSums(within: Bool = false) {
        guard pass.rule.cardinality != .oneToOne, pass.rule.isByReference else { return }
        for kind in Expectation.Kind.allCases {
            guard !openLines(kind).isEmpty, !openExpectations(kind).isEmpty else { continue }
            if pass.rule.cardinality.admitsManyTheirs {
                matchNamed(kind, within)
                matchBatches(kind, within)
            }
            matchRest(kind, within)
        }
    }

    /// Several lines that name one expectation.
    private mutating func matchNamed(_ kind: Expectation.Kind, _ within: Bool) {
        let open = openLines(kind)
        guard open.contains(where: { name(of: $0) != nil }) else { return }
        for expectation in openExpectations(kind) {
            let naming = open.filter { lineIsOpen[$0] && name(of: $0) == expectation }
            if naming.count > 1, addsUp(naming, [expectation], within) { match(naming, [expectation]) }
        }
    }

    /// The lines of one batch for one expectation.
    private mutating func matchBatches(_ kind: Expectation.Kind, _ within: Bool) {
        let open = openLines(kind)
        guard open.count > 1 else { return }
        var batches: [(batch: ArraySlice<UInt8>, lines: [Int])] = []
        for line in open where !lines[line].batch.isEmpty {
            let batch = lines[line].bytes[lines[line].batch]
            if let place = batches.firstIndex(where: { $0.batch == batch }) {
                batches[place].lines.append(line)
            } else {
                batches.append((batch, [line]))
            }
        }
        for entry in batches where entry.lines.count > 1 {
            for expectation in openExpectations(kind) where addsUp(entry.lines, [expectation], within) {
                match(entry.lines, [expectation])
                break
            }
        }
    }

    /// All lines that are left for one expectation, or for all that are left.
    private mutating func matchRest(_ kind: Expectation.Kind, _ within: Bool) {
        let theirs = openLines(kind)
        let ours = openExpectations(kind)
        guard !theirs.isEmpty, !ours.isEmpty, theirs.count + ours.count > 2 else { return }
        let cardinality = pass.rule.cardinality
        if theirs.count > 1, cardinality.admitsManyTheirs,
            let expectation = ours.first(where: { addsUp(theirs, [$0], within) })
        {
            return match(theirs, [expectation])
        }
        if ours.count > 1, theirs.count > 1 ? cardinality == .manyToMany : cardinality.admitsManyOurs,
            addsUp(theirs, ours, within)
        {
            match(theirs, ours)
        }
    }

    private func addsUp(_ theirs: [Int], _ ours: [Int], _ within: Bool) -> Bool {
        guard let first = ours.first else { return false }
        let currency = expectations[first].header.currency
        guard let left = sum(lines: theirs, in: currency), let right = sum(expectations: ours, in: currency),
            abs(left - right) <= (within ? tolerance(currency) : 0)
        else { return false }
        return theirs.allSatisfy { line in
            ours.contains { name(of: line) == $0 } || ours.allSatisfy { admits(line, $0) }
        }
    }
}
