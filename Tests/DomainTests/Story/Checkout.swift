import Domain
import SeededRandom
import Testing

/// What a marketplace asks for; makes the order that tests begin with.
struct Checkout: Sendable {
    /// One payment each; the merchants are named m0, m1 and so on.
    var amounts: [Int64] = [300, 200]
    var policy: Policy = .allOrNothing
    var capture: OrderTerms.Capture = .automatic
    var onDeadline: OrderTerms.OnDeadline = .abandon
    var onCaptureFailure: OrderTerms.OnCaptureFailure = .attention
    var deadlineMilliseconds: Int64 = 20_000
    var decideByMilliseconds: Int64 = 900_000
    /// The routes of the payments in turn.
    var routes = [RouteSnapshot(psp: "simulator", pspAccount: "sim-a")]
    var commission = CommissionRule(basisPoints: 1000)
    /// What of the payments is tip or shipping, in turn.
    var stated: [[StatedLine]] = [[]]
    var liability = DisputeLiability.merchant
    /// The routes that every payment may be tried on next.
    var alternatives: [RouteSnapshot] = []
    var reroute: FallbackRule = .never

    static let placedAt = Timestamp(microseconds: 1_800_000_000_000_000)

    static func name(_ index: Int) -> String { "m\(index)" }

    func order(_ ids: inout IdentifierSource) throws -> Order {
        let dollars = try #require(Currency(code: "USD"))
        var payments: [Payment] = []
        for index in amounts.indices { payments.append(try payment(index, in: dollars, &ids)) }
        return Order(
            id: ids.make(at: Self.placedAt),
            marketplace: "travel",
            reference: "cart-1",
            amount: try Money(minorUnits: amounts.reduce(0, +), currency: dollars),
            metadata: [],
            createdAt: Self.placedAt,
            terms: terms,
            payments: payments
        )
    }

    private func payment(_ index: Int, in currency: Currency, _ ids: inout IdentifierSource) throws -> Payment {
        let (amount, name) = (amounts[index], Self.name(index))
        let stated = stated[index % stated.count]
        let charge = try commission.charge(on: Money(minorUnits: amount, currency: currency), stated: stated)
        let lines = charge.lines(of: amount, stated: stated, merchant: name, marketplace: "travel")
        let authorization = Operation(
            id: ids.make(at: Self.placedAt),
            kind: .authorize,
            amount: amount,
            origin: .gateway,
            createdAt: Self.placedAt
        )
        let route = routes[index % routes.count]
        var payment = Payment(
            id: ids.make(at: Self.placedAt),
            merchant: ids.make(at: Self.placedAt),
            externalIdentifier: name,
            amount: amount,
            reference: nil,
            metadata: [],
            allocation: try #require(lines),
            attempts: [Attempt(id: ids.make(at: Self.placedAt), route: route, operations: [authorization])],
            alternatives: alternatives,
            reroute: reroute
        )
        payment.disputeLiability = liability
        return payment
    }

    /// Lines that leave most of an amount to goods and commission; none of a small amount.
    static func randomLines(of amount: Int64, _ random: inout SeededRandom) -> [StatedLine] {
        guard amount >= 40 else { return [] }
        var lines: [StatedLine] = []
        for kind in StatedLine.Kind.allCases {
            for keeper in AllocationLine.Keeper.allCases where random.chance(40) {
                lines.append(StatedLine(kind, amount: random.number(in: 1...(amount / 20)), keptBy: keeper))
            }
        }
        return lines
    }

    var terms: OrderTerms {
        OrderTerms(
            policy: policy,
            capture: capture,
            onDeadline: onDeadline,
            onCaptureFailure: onCaptureFailure,
            deadlineAt: Self.placedAt.adding(milliseconds: deadlineMilliseconds),
            decideBy: Self.placedAt.adding(milliseconds: decideByMilliseconds)
        )
    }
}
