import AdapterKit
import Domain
import StrictJSON
import Testing
import TributaryTestKit

@testable import Gateway

@Suite("Plans of orders")
struct OrderPlanTests {
    private static let now = Timestamp(microseconds: 1_800_000_000_000_000)

    private static func plan(
        _ draft: OrderDraft,
        _ marketplace: TestMarketplace = .travel
    ) throws -> OrderPlan {
        var ids = IdentifierSource()
        return try OrderPlan(DecryptedDraft(draft), in: PlacementContext.travel(marketplace, at: now), ids: &ids)
    }

    /// The codes and places of what is wrong with a trip after a change.
    private static func refusals(
        _ marketplace: TestMarketplace = .travel,
        _ change: (inout OrderDraft) throws -> Void
    ) throws -> [String] {
        var draft = try TestCheckout.trip.draft()
        try change(&draft)
        do {
            _ = try plan(draft, marketplace)
            return []
        } catch PlacementRefusal.invalid(let violations) {
            return violations.map { "\($0.code) \($0.pointer)" }
        }
    }

    @Test("have a payment for each context, with its merchant, route and shares")
    func complete() throws {
        var draft = try TestCheckout.trip.draft()
        draft.reference = "cart"
        draft.metadata = [MetadataItem(key: "a", value: "b")]
        draft.contexts[0].reference = "leg 1"
        draft.contexts[0].commission = CommissionCharge(amount: 100, taxAmount: 19)
        let plan = try Self.plan(draft)
        let order = plan.order
        #expect(order.reference == "cart")
        #expect(order.metadata == draft.metadata)
        #expect(order.payments.map(\.externalIdentifier) == ["airline", "hotel", "taxi"])
        #expect(order.payments.map(\.merchant) == TestMarketplace.travel.merchants.prefix(3).map(\.id))
        #expect(order.payments.map(\.reference) == ["leg 1", nil, nil])
        #expect(order.payments[0].allocation.map(\.amount) == [29_881, 100, 19])
        #expect(order.payments.map(\.attempt.route.pspAccount) == ["sim-a", "sim-b", "sim-c"])
        #expect(plan.details.count == 3)
        #expect(plan.details[order.payments[1].attempt.id]?.credential == .pspToken(Secret("tok_hotel")))
        #expect(order.decision == .pending)
    }

    @Test("say on the statement what the context says, else what the merchant's record does, as of the placement")
    func descriptor() throws {
        var marketplace = TestMarketplace.travel
        marketplace.merchants[0].statementDescriptor = "AIRLINE*TRIPS"
        marketplace.merchants[1].statementDescriptor = "HOTEL*STAYS"
        var draft = try TestCheckout.trip.draft()
        draft.contexts[1].statementDescriptor = "HOTEL*SPA"
        let plan = try Self.plan(draft, marketplace)
        let told = plan.order.payments.map { plan.details[$0.attempt.id]?.statementDescriptor }
        #expect(told == ["AIRLINE*TRIPS", "HOTEL*SPA", nil])
        let sealed = try #require(plan.details[plan.order.payments[0].attempt.id]?.document)
        #expect(String(decoding: sealed, as: UTF8.self).contains("AIRLINE*TRIPS"))
    }

    @Test(
        "have of a commission that the draft states as much returned as the merchant's rule says",
        arguments: [CommissionRule.Return.none, .proRata]
    )
    func statedCommission(rule: CommissionRule.Return) throws {
        var marketplace = TestMarketplace.travel
        marketplace.merchants[0].commission.returnedOnRefund = rule
        var draft = try TestCheckout.trip.draft()
        draft.contexts[0].commission = CommissionCharge(amount: 100)
        let lines = try Self.plan(draft, marketplace).order.payments[0].allocation
        #expect(lines.first { $0.kind == .commission }?.returnedOnRefund == rule)
        draft.contexts[0].stated = [StatedLine(.shipping, amount: 2000, keptBy: .marketplace)]
        #expect(try Self.plan(draft, marketplace).order.payments[0].allocation.returnsUnevenly == (rule == .none))
    }

    @Test("have a line for each tip and shipping that the draft states")
    func stated() throws {
        var draft = try TestCheckout.trip.draft()
        draft.contexts[0].stated = [
            StatedLine(.tip, amount: 1000), StatedLine(.shipping, amount: 2000, keptBy: .marketplace),
        ]
        draft.contexts[0].commission = CommissionCharge(amount: 100)
        let plan = try Self.plan(draft)
        let lines = plan.order.payments[0].allocation
        let told = try #require(plan.details[plan.order.payments[0].attempt.id])
        #expect(told.shipping == 2000)
        #expect(AuthorizationDetails(document: told.document) == told)
        #expect(lines.map(\.kind) == [.merchant, .commission, .tip, .shipping])
        #expect(lines.map(\.amount) == [26_900, 100, 1000, 2000])
        #expect(lines.commission == 2100)
        #expect(!lines.returnsUnevenly)
        let refused = try Self.refusals { draft in
            draft.contexts[0].stated = [StatedLine(.shipping, amount: 29_000, keptBy: .marketplace)]
            draft.contexts[0].commission = CommissionCharge(amount: 1001)
        }
        #expect(refused == ["commission_exceeds_payment /contexts/0/commission"])
    }

    @Test("have the usual times unless the draft says otherwise")
    func times() throws {
        var draft = try TestCheckout.trip.draft()
        #expect(try Self.plan(draft).order.terms.deadlineAt == Self.now.adding(milliseconds: 20_000))
        #expect(try Self.plan(draft).order.terms.decideBy == Self.now.adding(milliseconds: 900_000))
        #expect(try Self.plan(draft).order.terms.onDeadline == .continue)
        draft.deadlineMilliseconds = 1
        draft.decideBy = .after(milliseconds: 2)
        #expect(try Self.plan(draft).order.terms.deadlineAt == Self.now.adding(milliseconds: 1))
        #expect(try Self.plan(draft).order.terms.decideBy == Self.now.adding(milliseconds: 2))
        draft.decideBy = .at(Self.now.adding(milliseconds: 3))
        #expect(try Self.plan(draft).order.terms.decideBy == Self.now.adding(milliseconds: 3))
    }

    @Test("abandon a wallet's order at the deadline, unless told otherwise")
    func wallet() throws {
        var draft = try TestCheckout.trip.draft()
        draft.contexts[1].payment?.means = .credential(
            .networkToken(
                NetworkToken(
                    number: Secret("4111111111111111"),
                    expiryMonth: 1,
                    expiryYear: 2030,
                    cryptogram: Secret("AAAA"),
                    eci: "7",
                    source: .applePay
                )
            )
        )
        #expect(try Self.plan(draft).order.terms.onDeadline == .abandon)
        draft.onDeadline = .continue
        #expect(try Self.plan(draft).order.terms.onDeadline == .continue)
    }

    @Test("are refused with every reason at once, and where it stands")
    func everything() throws {
        let found = try Self.refusals { draft in
            draft.policy = .required(["train"])
            draft.decideBy = .after(milliseconds: 0)
            draft.contexts[0].externalIdentifier = "nobody"
            draft.contexts[1].merchantName = "Other"
            draft.contexts[2].payment = nil
        }
        #expect(
            found == [
                "policy_unsatisfiable /policy/external_identifiers", "credential_missing /contexts/2/payment",
                "unknown_merchant /contexts/0/external_identifier", "merchant_mismatch /contexts/1/merchant_name",
                "out_of_range /decide_by",
            ]
        )
    }

    @Test("need contexts that divide the amount")
    func split() throws {
        let none = try Self.refusals { $0.contexts = [] }
        #expect(none == ["no_contexts /contexts", "residual_unassigned /residual"])
        #expect(
            try Self.refusals { $0.contexts[2].externalIdentifier = "hotel" }
                == ["duplicate_external_identifier /contexts/2/external_identifier"]
        )
        #expect(
            try Self.refusals { $0.amount = try TestCheckout.dollars(46_998) } == ["contexts_exceed_amount /contexts"]
        )
        #expect(try Self.refusals { $0.amount = try TestCheckout.dollars(47_000) } == ["residual_unassigned /residual"])
        let accepted = try Self.refusals {
            $0.amount = try TestCheckout.dollars(47_000)
            $0.acceptsResidual = true
        }
        #expect(accepted == [])
    }

    @Test("need a policy that the contexts can satisfy")
    func policy() throws {
        let names = "policy_unsatisfiable /policy/external_identifiers"
        #expect(try Self.refusals { $0.policy = .required([]) } == [names])
        #expect(try Self.refusals { $0.policy = .minimum(0) } == ["policy_unsatisfiable /policy/amount"])
        #expect(try Self.refusals { $0.policy = .minimum(47_000) } == ["policy_unsatisfiable /policy/amount"])
        #expect(try Self.refusals { $0.policy = .minimum(46_999) } == [])
    }

    @Test("have one credential for each context")
    func credentials() throws {
        let token = OrderDraft.Instrument(credential: .pspToken(Secret("tok_all")))
        #expect(try Self.refusals { $0.payment = token } == ["credential_covers_one_context /payment"])
        func alone(_ draft: inout OrderDraft) throws {
            draft.contexts = Array(draft.contexts.prefix(1))
            draft.amount = draft.contexts[0].amount
            draft.payment = token
        }
        #expect(try Self.refusals(.travel, alone) == ["credential_given_twice /contexts/0/payment"])
        let once = try Self.refusals {
            try alone(&$0)
            $0.contexts[0].payment = nil
        }
        #expect(once == [])
    }

    @Test("need merchants as they are on record, and not paused")
    func merchants() throws {
        var marketplace = TestMarketplace.travel
        marketplace.merchants[0].status = .paused
        marketplace.merchants[1].domain = "hotel.example"
        marketplace.merchants[1].merchantIdentifier = "merchant.com.hotel"
        let found = try Self.refusals(marketplace) { draft in
            draft.contexts[1].merchantIdentifier = "merchant.com.hotel"
            draft.contexts[1].merchantName = "Hotel"
            draft.contexts[1].merchantDomain = "other.example"
            draft.contexts[2].merchantDomain = "taxi.example"
        }
        #expect(
            found == [
                "merchant_paused /contexts/0/external_identifier", "merchant_mismatch /contexts/1/merchant_domain",
                "merchant_mismatch /contexts/2/merchant_domain",
            ]
        )
    }

    @Test("need a commission that the payment can bear, and a route")
    func commissionAndRoute() throws {
        var marketplace = TestMarketplace.travel
        marketplace.merchants[2].routes = []
        marketplace.merchants[0].commission = CommissionRule(fixed: ["USD": 30_001])
        let found = try Self.refusals(marketplace) { draft in
            draft.contexts[1].commission = CommissionCharge(amount: 15_000, taxAmount: 1)
        }
        #expect(
            found == [
                "commission_exceeds_payment /contexts/0/amount", "commission_exceeds_payment /contexts/1/commission",
                "no_route /contexts/2/external_identifier",
            ]
        )
    }

    @Test("have to be decided within a day")
    func decideBy() throws {
        let range = ["out_of_range /decide_by"]
        #expect(try Self.refusals { $0.decideBy = .after(milliseconds: 86_400_001) } == range)
        #expect(try Self.refusals { $0.decideBy = .after(milliseconds: 86_400_000) } == [])
        #expect(try Self.refusals { $0.decideBy = .at(Self.now) } == range)
    }
}
