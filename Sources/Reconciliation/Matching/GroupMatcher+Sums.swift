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
            matchEntries(kind, within)
            // What may be reported or not is in a sum only if what has to be makes none.
            let (all, due) = (openExpectations(kind), required(openExpectations(kind)))
            matchRest(kind, within, due)
            if due.count < all.count { matchRest(kind, within, openExpectations(kind)) }
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

    /// The lines that name a dispute, or one that names none, for all of its entries: some of them changed by how much it is.
    private mutating func matchEntries(_ kind: Expectation.Kind, _ within: Bool) {
        guard kind == .chargeback || kind == .chargebackReversal, pass.rule.cardinality.admitsManyOurs else { return }
        for expectation in openExpectations(kind) where expectationIsOpen[expectation] {
            let entries = openExpectations(kind).filter { areOfOneSubject($0, expectation) }
            guard entries.count > 1 else { continue }
            let naming = openLines(kind).filter { line in name(of: line).map { entries.contains($0) } ?? false }
            let isAdmitted = naming.count == 1 || pass.rule.cardinality == .manyToMany
            if !naming.isEmpty, isAdmitted, addsUp(naming, entries, within) {
                match(naming, entries)
            } else {
                let unnamed = openLines(kind).filter { name(of: $0) == nil }
                if let line = unnamed.first(where: { addsUp([$0], entries, within) }) { match([line], entries) }
            }
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

    /// All lines that are left for one of some expectations, or for all of them.
    private mutating func matchRest(_ kind: Expectation.Kind, _ within: Bool, _ ours: [Int]) {
        let theirs = openLines(kind, for: ours)
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
            !ours.contains { isAnother(line, $0) }
                && (ours.contains { name(of: line) == $0 } || ours.allSatisfy { admits(line, $0) })
        }
    }
}

/// What the PSP kept for us of a payment, against what was frozen.
extension GroupMatcher {
    mutating func compareCommissions() {
        let open = lines.indices.filter {
            lineIsOpen[$0] && lines[$0].header.kind == RecordWriter.code(SettlementKind.commission)
        }
        let waiting = expectations.indices.filter { expectationIsOpen[$0] && expectations[$0].header.isConfirmed }
        let claims = waiting + confirmedExpectations
        compare(open.filter { lines[$0].header.units >= 0 }, claims.filter { expectations[$0].header.amount >= 0 })
        compare(open.filter { lines[$0].header.units < 0 }, claims.filter { expectations[$0].header.amount < 0 })
    }

    private mutating func compare(_ theirs: [Int], _ claims: [Int]) {
        guard !theirs.isEmpty else {
            let unpaid = claims.filter {
                reportsCommissions && expectations[$0].header.commission != 0 && expectationIsOpen[$0] == false
            }
            for expectation in unpaid { outcomes.append(.commissionOpen(expectation: expectation)) }
            return
        }
        guard let first = claims.first else {
            if pass.strictness == .differing, brokenSome { leave(theirs) }
            return
        }
        let currency = expectations[first].header.currency
        guard let sum = sum(lines: theirs, in: currency),
            claims.allSatisfy({ expectations[$0].header.currency == currency })
        else { return leave(theirs, claims) }
        let frozen = claims.reduce(0) { $0 + expectations[$1].commissionTrillionths }
        guard sum != frozen, let own = nearest(theirs, to: claims) else {
            outcomes.append(.commission(lines: theirs, expectations: claims, excess: sum - frozen))
            return close(theirs, claims)
        }
        if !own.isEmpty {
            let sum = own.reduce(0) { $0 + lines[$1].header.trillionths }
            outcomes.append(.commission(lines: own, expectations: claims, excess: sum - frozen))
        }
        outcomes.append(.commissionsLeft(behind: claims))
        close(own, claims)
    }

    /// Of commissions those that are nearest to what was frozen, one of each claim, and those that can be of no other
    /// movement; nil if that leaves none.
    private func nearest(_ theirs: [Int], to claims: [Int]) -> [Int]? {
        var (own, rest) = ([Int](), theirs)
        let kept = claims.filter { expectations[$0].header.commission != 0 }
        for claim in kept {
            let frozen = expectations[claim].commissionTrillionths
            if let nearest = place(nearest: frozen, in: rest) { own.append(rest.remove(at: nearest)) }
        }
        guard let first = rest.first else { return nil }
        let unknown = unknownMovements(like: lines[first])
        guard rest.count > max(unknown.count, ahead(rest)) else { return own }
        // Some are too much: each movement that is not known is left what is nearest to the share that was frozen of others.
        let amount = kept.reduce(Int128(0)) { $0 + Int128(expectations[$1].header.amount) }
        guard !unknown.isEmpty, amount != 0 else { return nil }
        let frozen = kept.reduce(Int128(0)) { $0 + Int128(expectations[$1].header.commission) }
        for movement in unknown.map({ lines[$0].header }) {
            let units = Int64(clamping: Int128(movement.units) * frozen / amount)
            let share = Scale.trillionths(units, decimals: Int(movement.decimals))
            if let nearest = place(nearest: share, in: rest) { rest.remove(at: nearest) }
        }
        return own + rest
    }

    /// Which of some lines is nearest to a number of trillionths, by its place among them; nil if there is none.
    private func place(nearest trillionths: Int128, in some: [Int]) -> Int? {
        func distance(_ place: Int) -> Int128 { abs(lines[some[place]].header.trillionths - trillionths) }
        return some.indices.min { distance($0) < distance($1) }
    }

    /// The movements of a line's sign in the group of which nothing is known yet.
    private func unknownMovements(like line: LineRecord) -> [Int] {
        let isDebit = line.header.units < 0
        return lines.indices.filter { place in
            lineIsOpen[place] && lines[place].header.kind < 4 && (lines[place].header.units < 0) == isDebit
        }
    }

    /// How many commissions are what was frozen of movements that the report has not told yet.
    private func ahead(_ commissions: [Int]) -> Int {
        var expected = expectations.indices.filter { expectationIsOpen[$0] && !expectations[$0].header.isConfirmed }
        return commissions.count { line in
            let found = expected.firstIndex { place in
                expectations[place].header.currency == lines[line].header.currency
                    && expectations[place].commissionTrillionths == lines[line].header.trillionths
            }
            if let found { expected.remove(at: found) }
            return found != nil
        }
    }

    /// Whether a payment of the group has a break of its own.
    private var brokenSome: Bool {
        outcomes.contains { if case .differing = $0 { true } else { false } }
    }

    private mutating func leave(_ theirs: [Int], _ claims: [Int] = []) {
        outcomes.append(.commissionUncompared(lines: theirs))
        close(theirs, claims)
    }
}

/// What belongs together and differs.
extension GroupMatcher {
    /// Makes breaks of lines and expectations that nothing but the amount, its sign or its currency keeps apart.
    mutating func differ() {
        for kind in Expectation.Kind.allCases {
            let ours = required(openExpectations(kind))
            guard !ours.isEmpty else { continue }
            dropTwins(kind, of: ours)
            pairUnequal(kind)
        }
        for line in lines.indices where lineIsOpen[line] && lines[line].header.kind < 4 {
            guard let expectation = expectations.indices.first(where: { isOpposite(line, $0) }) else { continue }
            outcomes.append(.differing(.directionMismatch, lines: [line], expectations: [expectation]))
            close([line], [expectation])
        }
    }

    /// Takes out equal lines that are more than the expectations.
    private mutating func dropTwins(_ kind: Expectation.Kind, of ours: [Int]) {
        var kept: [Int] = []
        let open = openLines(kind, for: ours)
        var excess = open.count - ours.count
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
        let ours = required(openExpectations(kind))
        let theirs = openLines(kind, for: ours)
        if theirs.count > 1, ours.count == 1, pass.rule.cardinality.admitsManyTheirs,
            sum(lines: theirs, in: expectations[ours[0]].header.currency) != nil
        {
            return addDifference(theirs, ours[0])
        }
        for line in theirs {
            if let name = name(of: line), ours.contains(name), expectationIsOpen[name] { addDifference([line], name) }
        }
        for line in theirs where lineIsOpen[line] {
            let open = ours.filter { expectationIsOpen[$0] && !isAnother(line, $0) }
            guard let nearest = open.min(by: { distance(line, $0) < distance(line, $1) }) else { continue }
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
        expectationIsOpen[expectation] && !expectations[expectation].header.isConfirmed
            && !expectations[expectation].header.isVoided && isComparable(line, expectation)
            && !isAnother(line, expectation)
            && lines[line].header.trillionths == -expectations[expectation].trillionths
            && lines[line].header.units != 0
    }
}
