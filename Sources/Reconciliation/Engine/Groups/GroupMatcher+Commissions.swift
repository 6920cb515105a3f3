import AdapterKit
import Domain

/// What the PSP kept for us of a payment, against what was frozen.
extension GroupMatcher {
    mutating func compareCommissions() {
        let open = lines.indices.filter {
            lineIsOpen[$0] && lines[$0].header.kind == RecordWriter.code(SettlementKind.commission)
        }
        let waiting = expectations.indices.filter { expectationIsOpen[$0] && expectations[$0].header.isMet }
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
        outcomes.append(.commission(lines: theirs, expectations: claims, excess: sum - frozen))
        close(theirs, claims)
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
