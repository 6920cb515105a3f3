import Domain
import ExternalJoin

/// Matches lines and expectations that share a key.
///
/// Both are in their order, which decides between equals.
struct GroupMatcher {
    let lines: [LineRecord]
    let expectations: [ExpectationRecord]
    let pass: LinePass
    /// Whether the account's report has lines of commissions.
    let reportsCommissions: Bool
    var lineIsOpen: [Bool]
    var expectationIsOpen: [Bool]
    var outcomes: [GroupOutcome] = []
    /// Which expectation of the group each line names by our operation or the PSP's object.
    private let named: [Int?]
    /// What met expectations were confirmed by; in the places of the expectations.
    private(set) var confirmedLines: [Int] = []
    private(set) var confirmedExpectations: [Int] = []

    init(
        lines: [LineRecord],
        expectations: [ExpectationRecord],
        pass: LinePass,
        reportsCommissions: Bool
    ) {
        self.lines = lines
        self.expectations = expectations
        self.pass = pass
        self.reportsCommissions = reportsCommissions
        lineIsOpen = Array(repeating: true, count: lines.count)
        expectationIsOpen = Array(repeating: true, count: expectations.count)
        named = Self.names(lines, expectations)
    }

    /// What becomes of the group; what is open afterwards goes on to the next pass.
    mutating func run() {
        dropRepeatedEntries()
        if pass.strictness == .differing {
            differ()
        } else {
            matchExactly(wildcards: false)
            matchSums()
            matchExactly(wildcards: true)
            matchWithinTolerance()
            dropRepeatedMovements()
            if pass.rule.isByReference { dropCanceled() }
        }
        compareCommissions()
    }

    // MARK: What belongs together

    private static func names(_ lines: [LineRecord], _ expectations: [ExpectationRecord]) -> [Int?] {
        var places: [String: Int] = [:]
        for (place, expectation) in expectations.enumerated() {
            for name in [expectation.text(expectation.objectReference), expectation.subjectText] {
                if let name, places[name] == nil { places[name] = place }
            }
        }
        return lines.map { line in
            for name in [line.operationID?.text, line.text(line.object)] {
                if let place = name.flatMap({ places[$0] }), expectations[place].header.kind == line.header.kind,
                    !line.isAnother(than: expectations[place])
                {
                    return place
                }
            }
            return nil
        }
    }

    func name(of line: Int) -> Int? { named[line] }

    /// Whether a line and an expectation are of one kind; a line of another kind fits what it has the sign of.
    func areOfOneKind(_ line: Int, _ expectation: Int, wildcards: Bool) -> Bool {
        let kind = lines[line].header.kind
        if wildcards { return kind == RecordWriter.code(SettlementKind.other) }
        return kind == expectations[expectation].header.kind
    }

    /// Whether two expectations are of one thing that moved money more than once: there and back, or by several entries.
    func areOfOneSubject(_ one: Int, _ other: Int) -> Bool {
        one == other || expectations[one].identity == expectations[other].identity
    }

    /// Whether nothing but the key speaks for or against the two.
    func contradict(_ line: Int, _ expectation: Int) -> Bool {
        if let name = named[line], !areOfOneSubject(name, expectation) { return true }
        let (line, expectation) = (lines[line], expectations[expectation])
        let (theirs, ours) = (line.payment, expectation.paymentReference)
        if !theirs.isEmpty, !ours.isEmpty, !line.bytes.equals(theirs, expectation.bytes, ours) { return true }
        if case .amountAndDate(let window) = pass.rule.key {
            guard let days = days(between: line, expectation), days <= Int64(window) else { return true }
        }
        return false
    }

    /// Whether a line names another movement than an expectation is of.
    func isAnother(_ line: Int, _ expectation: Int) -> Bool { lines[line].isAnother(than: expectations[expectation]) }

    /// Whether a rule may bring the two together.
    func admits(_ line: Int, _ expectation: Int) -> Bool {
        if named[line] == expectation { return true }
        guard !isAnother(line, expectation) else { return false }
        return pass.strictness != .agreeing || !contradict(line, expectation)
    }

    private func days(between line: LineRecord, _ expectation: ExpectationRecord) -> Int64? {
        guard let day = line.day else { return nil }
        let moment = Timestamp(microseconds: expectation.header.at)
        return abs(day.days(since: pass.calendar.day(of: moment)))
    }

    /// Whether a line has an amount in an expectation's currency.
    func isComparable(_ line: Int, _ expectation: Int) -> Bool {
        lines[line].header.has(LineHeader.hasAmount)
            && lines[line].header.currency == expectations[expectation].header.currency
    }

    // MARK: What is done with it

    mutating func match(_ theirs: [Int], _ ours: [Int]) {
        outcomes.append(.matched(lines: theirs, expectations: ours))
        confirmedLines += theirs
        confirmedExpectations += ours
        close(theirs, ours)
    }

    mutating func close(_ theirs: [Int], _ ours: [Int] = []) {
        for line in theirs { lineIsOpen[line] = false }
        for expectation in ours { expectationIsOpen[expectation] = false }
    }

    /// Lines that are open, of one kind.
    func openLines(_ kind: Expectation.Kind) -> [Int] {
        let code = RecordWriter.code(kind)
        return lines.indices.filter { lineIsOpen[$0] && lines[$0].header.kind == code }
    }

    /// Lines that are open, of one kind, and may be of one of some expectations.
    func openLines(_ kind: Expectation.Kind, for ours: [Int]) -> [Int] {
        openLines(kind).filter { line in ours.contains { !isAnother(line, $0) } }
    }

    /// Expectations that are open, of one kind, their money not confirmed.
    func openExpectations(_ kind: Expectation.Kind) -> [Int] {
        let code = RecordWriter.code(kind)
        return expectations.indices.filter {
            expectationIsOpen[$0] && !expectations[$0].header.isConfirmed && expectations[$0].header.kind == code
        }
    }

    /// Of expectations those that a PSP has to report.
    func required(_ places: [Int]) -> [Int] { places.filter { !expectations[$0].header.isVoided } }

    /// The sum of lines; nil if they are not of one currency, have no amount, or overflow.
    func sum(lines places: [Int], in currency: UInt16) -> Int128? {
        var sum: Int128 = 0
        for place in places {
            let header = lines[place].header
            guard header.has(LineHeader.hasAmount), header.currency == currency else { return nil }
            sum += header.trillionths
        }
        return sum
    }

    /// The sum of expectations; nil if they are not of one currency.
    func sum(expectations places: [Int], in currency: UInt16) -> Int128? {
        var sum: Int128 = 0
        for place in places {
            guard expectations[place].header.currency == currency else { return nil }
            sum += expectations[place].trillionths
        }
        return sum
    }

    /// The tolerance of the pass on the scale of sums.
    func tolerance(_ currency: UInt16) -> Int128 {
        Int128(pass.toleranceMinorUnits) * Scale.minorUnit(Currencies.currency(currency))
    }
}

/// What became of some lines and expectations that share a key; each is named by its place in the group.
enum GroupOutcome {
    /// They agree.
    case matched(lines: [Int], expectations: [Int])
    /// The line reports again what another reports.
    case repeated(line: Int, of: Int)
    /// They belong together and differ.
    case differing(BreakType, lines: [Int], expectations: [Int])
    /// Lines that take each other back, of which our books know nothing: there and away again.
    case canceled(lines: [Int])
    /// Lines of the commission on payments; how much they have more than was frozen, in units of 10⁻¹².
    case commission(lines: [Int], expectations: [Int], excess: Int128)
    /// The commissions of these are compared; others are left, of movements of which nothing is known here.
    case commissionsLeft(behind: [Int])
    /// Lines of commissions that cannot be compared, or whose payment has a break of its own.
    case commissionUncompared(lines: [Int])
    /// The expectation is met, and waits for a line of its commission.
    case commissionOpen(expectation: Int)
}

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
        expectationIsOpen[expectation] && !expectations[expectation].header.isConfirmed
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
        expectationIsOpen[expectation] && !expectations[expectation].header.isConfirmed
            && areOfOneKind(line, expectation, wildcards: false) && isComparable(line, expectation)
            && (lines[line].header.units < 0) == (expectations[expectation].header.amount < 0)
            && admits(line, expectation)
    }
}

/// What is reported again.
extension GroupMatcher {
    /// Takes out lines whose entry another line of the group has.
    mutating func dropRepeatedEntries() {
        guard lines.count > 1 else { return }
        var seen: [ArraySlice<UInt8>: Int] = [:]
        for place in lines.indices where !lines[place].entry.isEmpty {
            let entry = lines[place].bytes[lines[place].entry]
            if let first = seen[entry] {
                outcomes.append(.repeated(line: place, of: first))
                close([place])
            } else {
                seen[entry] = place
            }
        }
    }

    /// Takes out lines that equal one that was matched: the same movement twice.
    mutating func dropRepeatedMovements() {
        guard !confirmedLines.isEmpty else { return }
        for place in lines.indices where lineIsOpen[place] && lines[place].header.kind < 4 {
            guard let twin = confirmedLines.first(where: { isTwin(place, of: $0) }) else { continue }
            outcomes.append(.repeated(line: place, of: twin))
            close([place])
        }
    }

    /// Whether two lines tell of one movement, as far as they say.
    func isTwin(_ place: Int, of other: Int) -> Bool {
        let (line, twin) = (lines[place], lines[other])
        guard line.header.kind == twin.header.kind, line.header.currency == twin.header.currency,
            line.header.trillionths == twin.header.trillionths
        else { return false }
        return line.bytes.equals(line.object, twin.bytes, twin.object)
            && line.bytes.equals(line.operation, twin.bytes, twin.operation)
    }

    /// Takes out lines of which we expect nothing, and that come to nothing: a refund that we know nothing of, and its failure.
    mutating func dropCanceled() {
        for kind in Expectation.Kind.allCases {
            let open = openLines(kind)
            let due = required(openExpectations(kind))
            guard open.count > 1, openLines(kind, for: due).isEmpty, let first = open.first,
                sum(lines: open, in: lines[first].header.currency) == 0
            else { continue }
            outcomes.append(.canceled(lines: open))
            close(open)
        }
    }
}
