import AdapterKit
import Domain
import SpillFiles

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
                if let place = name.flatMap({ places[$0] }), expectations[place].header.kind == line.header.kind {
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

    /// Whether nothing but the key speaks for or against the two.
    func contradict(_ line: Int, _ expectation: Int) -> Bool {
        if let name = named[line], name != expectation { return true }
        let (line, expectation) = (lines[line], expectations[expectation])
        let (theirs, ours) = (line.payment, expectation.paymentReference)
        if !theirs.isEmpty, !ours.isEmpty, !line.bytes.equals(theirs, expectation.bytes, ours) { return true }
        if case .amountAndDate(let window) = pass.rule.key {
            guard let days = days(between: line, expectation), days <= Int64(window) else { return true }
        }
        return false
    }

    /// Whether a rule may bring the two together.
    func admits(_ line: Int, _ expectation: Int) -> Bool {
        named[line] == expectation || pass.strictness != .agreeing || !contradict(line, expectation)
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

    /// Expectations that are open, of one kind, their money not confirmed.
    func openExpectations(_ kind: Expectation.Kind) -> [Int] {
        let code = RecordWriter.code(kind)
        return expectations.indices.filter {
            expectationIsOpen[$0] && !expectations[$0].header.isMet && expectations[$0].header.kind == code
        }
    }

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
