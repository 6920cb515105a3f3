import Domain
import Reconciliation
import Testing

@Suite("Rules")
struct RulesTests {
    private static func rule(
        _ id: String = "a",
        _ level: MatchLevel = .line,
        _ key: RuleKey = .attempt,
        _ cardinality: Cardinality = .oneToOne,
        _ tolerance: Int64 = 0,
        _ scope: RuleScope = RuleScope()
    ) throws(RuleRefusal) -> ReconciliationRule {
        try ReconciliationRule(
            id: id,
            level: level,
            key: key,
            cardinality: cardinality,
            toleranceMinorUnits: tolerance,
            scope: scope
        )
    }

    @Test("that can mean nothing are refused")
    func refusals() throws {
        for id in ["", "A", "a b", "ä", String(repeating: "a", count: 65)] {
            #expect(throws: RuleRefusal.identifier(id)) { try Self.rule(id) }
        }
        #expect(throws: RuleRefusal.keyAtLevel(rule: "a", key: "attempt", level: .bank)) {
            try Self.rule("a", .bank)
        }
        #expect(throws: RuleRefusal.keyAtLevel(rule: "a", key: "attempt", level: .commission)) {
            try Self.rule("a", .commission)
        }
        for tolerance in [-1, 1_000_001] as [Int64] {
            #expect(throws: RuleRefusal.tolerance(rule: "a", tolerance)) {
                try Self.rule("a", .line, .attempt, .oneToOne, tolerance)
            }
        }
        for days in [-1, 32] {
            #expect(throws: RuleRefusal.window(rule: "a", days: days)) {
                try Self.rule("a", .line, .amountAndDate(windowDays: days))
            }
        }
        #expect(throws: RuleRefusal.amountIsOneToOne(rule: "a")) {
            try Self.rule("a", .line, .amountAndDate(windowDays: 1), .manyToOne)
        }
        #expect(throws: RuleRefusal.kindOutsideLines(rule: "a")) {
            try Self.rule("a", .batch, .batch, .manyToOne, 0, RuleScope(kind: .refund))
        }
        #expect(throws: RuleRefusal.cardinality(rule: "a", .manyToOne, .bank)) {
            try Self.rule("a", .bank, .payoutReference, .manyToOne)
        }
        #expect(throws: RuleRefusal.cardinality(rule: "a", .oneToMany, .payout)) {
            try Self.rule("a", .payout, .payoutReference, .oneToMany)
        }
    }

    @Test("that contradict each other are refused")
    func sets() throws {
        let rule = try Self.rule()
        let byAmount = try Self.rule("b", .line, .amountAndDate(windowDays: 3))
        #expect(throws: RuleRefusal.none) { try ReconciliationRules([]) }
        #expect(throws: RuleRefusal.repeated(rule: "a")) { try ReconciliationRules([rule, rule]) }
        #expect(throws: RuleRefusal.referenceBehindAmount(rule: "a")) { try ReconciliationRules([byAmount, rule]) }
        let many = try (0...100).map { try Self.rule("r\($0)") }
        #expect(throws: RuleRefusal.tooMany(101)) { try ReconciliationRules(many) }
        var terms = PSPTerms()
        #expect(throws: RuleRefusal.repeatedTerms(psp: "p", pspAccount: nil)) {
            try ReconciliationRules([rule], terms: [.init(psp: "p", terms), .init(psp: "p", terms)])
        }
        terms.missingAfterDays = 2
        #expect(throws: RuleRefusal.terms(psp: "p", term: "missing_after_days")) {
            try ReconciliationRules([rule], terms: [.init(psp: "p", terms)])
        }
        #expect(FeeSchedule(basisPoints: 10_001) == nil && FeeSchedule(basisPoints: -1) == nil)
    }

    @Test("that are standard would be accepted from a file")
    func standard() throws {
        let standard = ReconciliationRules.standard
        let again = try ReconciliationRules(
            standard.rules.map {
                try ReconciliationRule(
                    id: $0.id,
                    level: $0.level,
                    key: $0.key,
                    cardinality: $0.cardinality,
                    toleranceMinorUnits: $0.toleranceMinorUnits,
                    scope: $0.scope
                )
            },
            terms: standard.terms
        )
        #expect(again == standard)
        #expect(standard.terms(for: PSPAccountName(psp: "stripe", account: "eu")).merchantField == .account)
        #expect(standard.terms(for: PSPAccountName(psp: "adyen", account: "eu")) == .standard)
    }

    @Test("hold for their scope alone")
    func scopes() async throws {
        let scopes: [(RuleScope, Int)] = [
            (RuleScope(psp: "acme"), 1), (RuleScope(psp: "other"), 0), (RuleScope(pspAccount: "eu"), 1),
            (RuleScope(pspAccount: "us"), 0), (RuleScope(currency: Currency(code: "USD")), 1),
            (RuleScope(currency: Currency(code: "EUR")), 0), (RuleScope(kind: .payment), 1),
            (RuleScope(kind: .refund), 0),
        ]
        for (scope, count) in scopes {
            var example = try Case()
            example.inputs.rules = try ReconciliationRules([Self.rule("a", .line, .attempt, .oneToOne, 0, scope)])
            example.expect(1_000)
            try example.report("10.00")
            #expect(try await example.inputs.reconcile().lineMatches.count == count)
        }
    }
}
