import AdapterKit
import Domain
import Gateway
import SQL
import Storage
import TributaryTestKit

/// Agreements of the travel agency's airline, paid and charged over instances of a harness.
struct AgreementDesk {
    let harness: GatewayHarness

    /// Makes an agreement; a recurring one of at most 50 dollars unless said.
    func make(
        _ type: AgreementType = .recurring,
        _ bound: AgreementTerms.Bound = .maximum(5000)
    ) async throws -> AgreementID {
        let agreements = Agreements(database: harness.database, clock: harness.clock, presentation: .plain)
        let terms = AgreementTerms(
            type: type,
            currency: try TestCheckout.dollars(1).currency,
            bound: bound,
            description: "Lounge"
        )
        let draft = AgreementDraft(externalIdentifier: "airline", terms: terms, reference: "buyer-1")
        guard let made = try await agreements.create(draft, of: "travel") else {
            throw HarnessFailure.neverAsked("make")
        }
        return made.id
    }

    /// The agreement as it is stored.
    func stored(_ id: AgreementID) async throws -> Agreement {
        let found = try await harness.database.read { session in
            try AgreementTable.find(id, of: "travel", in: session)
        }
        guard let found else { throw HarnessFailure.neverAsked("\(id)") }
        return found
    }

    /// The secrets that are kept for an agreement.
    func secrets(of id: AgreementID) async throws -> Int64 {
        try await harness.database.read { session in
            try session.rows("SELECT COUNT(*) AS count FROM agreement_method WHERE agreement_id = \(id)")[0]
                .integer("count")
        }
    }

    /// The draft of a first payment.
    static func first(
        of id: AgreementID,
        paidWith token: String = "tok_first",
        _ cents: Int64 = 1000
    ) throws -> OrderDraft {
        var draft = try TestCheckout([.init("airline", cents, token: token)], onDeadline: .continue).draft()
        draft.contexts[0].agreement = id
        return draft
    }

    /// The draft of a first payment with a network token of that number.
    static func first(of id: AgreementID, paidWithNumber number: String) throws -> OrderDraft {
        var draft = try first(of: id)
        let token = NetworkToken(
            number: Secret(number),
            expiryMonth: 12,
            expiryYear: 2031,
            cryptogram: Secret(cryptogram),
            eci: "05",
            source: .applePay
        )
        draft.contexts[0].payment = .init(credential: .networkToken(token))
        return draft
    }

    /// The cryptogram of such a payment.
    static let cryptogram = "AmDPd5sAQLwVANV1RzJOAoABFA=="

    /// Makes an agreement, and has the buyer pay under it.
    func begun(
        on instance: GatewayInstance,
        _ type: AgreementType = .recurring,
        _ bound: AgreementTerms.Bound = .maximum(5000)
    ) async throws -> AgreementID {
        let id = try await make(type, bound)
        let answer = try await instance.gateway.place(Self.first(of: id), under: TestCheckout.use("first \(id)"))
        _ = try await harness.orderAtRest(answer.order)
        return id
    }

    /// Charges under an agreement, and answers the order at rest.
    func charge(
        _ id: AgreementID,
        _ cents: Int64 = 2000,
        _ reason: ChargeReason = .recurring,
        key: String,
        on instance: GatewayInstance
    ) async throws -> Order {
        let draft = ChargeDraft(amount: try TestCheckout.dollars(cents), reason: reason)
        let answer = try await instance.gateway.charge(draft, under: id, under: TestCheckout.use(key))
        guard let answer else { throw HarnessFailure.neverAsked("\(id)") }
        return try await harness.orderAtRest(answer.order)
    }

    /// Why a charge is refused; nil if it is not.
    func refusal(
        of id: AgreementID,
        _ amount: Money,
        _ reason: ChargeReason = .recurring,
        on instance: GatewayInstance
    ) async throws -> AgreementRefusal? {
        do {
            let draft = ChargeDraft(amount: amount, reason: reason)
            _ = try await instance.gateway.charge(draft, under: id, under: TestCheckout.use("refused"))
            return nil
        } catch PlacementRefusal.agreement(let refusal) {
            return refusal
        }
    }

    /// What others were told of agreements, in their order.
    func told() async throws -> [String] {
        try await harness.database.read { session in
            let callbacks = try CallbackTable.list(CallbackTable.Filter(marketplace: "travel"), limit: 200, in: session)
            return callbacks.reversed().filter { $0.content.merchant == nil && $0.content.type.hasPrefix("agreement.") }
                .map(\.content.type)
        }
    }
}
