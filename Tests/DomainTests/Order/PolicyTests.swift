import Domain
import SeededRandom
import Testing

@Suite("Policy")
struct PolicyTests {
    private let payments: [Payment]
    private let split: Split

    init() throws {
        var ids = IdentifierSource(random: SeededRandom(seed: 8))
        payments = try Checkout(amounts: [300, 200, 100]).order(&ids).payments
        let dollars = try #require(Currency(code: "USD"))
        split = try Split(
            total: Money(minorUnits: 700, currency: dollars),
            contexts: payments.map {
                TokenContext(
                    externalIdentifier: $0.externalIdentifier,
                    amount: try Money(minorUnits: $0.amount, currency: dollars)
                )
            },
            acceptsResidual: true
        )
    }

    /// The subsets of the three payments that satisfy a policy, as bits.
    private func satisfying(_ policy: Policy) -> [Int] {
        (0..<8).filter { bits in
            policy.isSatisfied(by: payments.indices.filter { bits & (1 << $0) != 0 }.map { payments[$0] }, of: payments)
        }
    }

    @Test("all or nothing needs every payment") func allOrNothing() { #expect(satisfying(.allOrNothing) == [7]) }

    @Test("best effort needs any payment") func bestEffort() { #expect(satisfying(.bestEffort) == Array(1...7)) }

    @Test("required needs the named payments and takes any others") func required() {
        #expect(satisfying(.required(["m0"])) == [1, 3, 5, 7])
        #expect(satisfying(.required(["m1", "m2"])) == [6, 7])
        #expect(satisfying(.required(["m0", "m1", "m2"])) == [7])
        #expect(satisfying(.required(["nobody"])) == [])
    }

    @Test("minimum needs amounts that sum to it") func minimum() {
        #expect(satisfying(.minimum(1)) == Array(1...7))
        #expect(satisfying(.minimum(300)) == [1, 3, 5, 6, 7])
        #expect(satisfying(.minimum(301)) == [3, 5, 7])
        #expect(satisfying(.minimum(600)) == [7])
        #expect(satisfying(.minimum(601)) == [])
    }

    @Test(
        "is accepted for contexts that can satisfy it",
        arguments: [
            Policy.allOrNothing, .bestEffort, .required(["m0"]), .required(["m0", "m1", "m2"]), .minimum(1),
            .minimum(600),
        ]
    )
    func isAccepted(_ policy: Policy) throws { try policy.check(against: split) }

    @Test(
        "is refused for contexts that cannot",
        arguments: [
            (Policy.required([]), PolicyRefusal.noNames), (.required(["m0", "x", "y"]), .unknownName("x")),
            (.minimum(0), .minimumOutOfRange), (.minimum(-1), .minimumOutOfRange), (.minimum(601), .minimumOutOfRange),
            (.minimum(700), .minimumOutOfRange),
        ]
    )
    func isRefused(_ policy: Policy, _ refusal: PolicyRefusal) {
        #expect(throws: refusal) { try policy.check(against: split) }
    }

    @Test("has the names of the wire") func hasNames() {
        let policies: [Policy] = [.allOrNothing, .bestEffort, .required(["m0"]), .minimum(5)]
        #expect(policies.map(\.name) == ["all_or_nothing", "best_effort", "required", "minimum"])
    }
}
