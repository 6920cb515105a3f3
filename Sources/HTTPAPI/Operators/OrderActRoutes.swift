package import Domain
import Gateway
import Hummingbird
import Storage
package import StrictJSON

/// What operators see and enter of an order beyond what its callers do: every operation at its PSPs, and what a PSP did
/// without telling us.
struct OrderActRoutes: Sendable {
    let requests: RequestRoutes

    func add(to router: Router<APIContext>) {
        router.get("/v1/orders/{id}/operations") { request, context in try await operations(request, context) }
        router.post("/v1/orders/{id}/record") { request, context in try await record(request, context) }
    }

    /// Everything that was asked of PSPs for an order.
    private func operations(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await requests.authenticator.principal(of: request, context)
        try principal.require(anyOf: Principal.Scope.insiders)
        _ = try Query(of: request, allowing: [])
        guard let id = context.pathParameter("id").flatMap({ OrderID($0) }),
            let order = try await requests.queries.order(id, of: principal.marketplace)
        else { throw Problem.notFound }
        return .json(Page.json(OperationPresenter.json(operationsOf: order), hasMore: false).told(to: principal))
    }

    /// Enters what a PSP did to a payment; who says so stands on the order's events.
    private func record(_ request: Request, _ context: APIContext) async throws -> Response {
        let opening = try await requests.open(request, context, "record", .operator)
        let person = opening.caller.actor
        let told = try Problem.reading { () throws(InvalidDocument) in
            try RecordReader.record(opening.json, by: person)
        }
        return try await requests.answer(.record(told.record, told.evidence), opening, naming: [told.record.payment]) {
            OrderPresenter.json($0.order)
        }
    }
}

/// Reads the body of `POST /v1/orders/{id}/record`.
enum RecordReader {
    private enum DeedWord: String, CaseIterable {
        case capture
        case void
        case refund
        case dispute
    }

    /// What a PSP did, and where that can be seen.
    ///
    /// - Throws: `InvalidDocument`.
    static func record(
        _ json: JSON,
        by person: String
    ) throws(InvalidDocument) -> (record: OperatorRecord, evidence: OrderRequest.Evidence) {
        try json.read(refusingNull: true) { body -> (record: OperatorRecord, evidence: OrderRequest.Evidence)? in
            let word = body.choice("type", of: DeedWord.self)
            let payment = body.parsed("payment", expecting: "a payment's id") { PaymentID($0) }
            let reference = body.string("psp_reference", .optional, length: 1...255, by: TextRule.reference.accept)
            let evidence = body.string("evidence", length: 1...500, by: TextRule.freeText.accept)
            let reason = body.string("reason", length: 1...500, by: TextRule.freeText.accept)
            guard let word, let deed = deed(word, body), let payment, let evidence, let reason else { return nil }
            return (
                OperatorRecord(deed, of: payment, reference: reference),
                OrderRequest.Evidence(evidence: evidence, reason: reason, by: person)
            )
        }
    }

    private static func deed(_ word: DeedWord, _ body: ObjectReader) -> OperatorRecord.Deed? {
        switch word {
        case .void: return .void
        case .refund: return body.integer("amount", in: 1 ... .max).map { .refund(amount: $0) }
        case .capture:
            let isFinal = body.bool("final", .optional) ?? true
            return body.integer("amount", in: 1 ... .max).map { .capture(amount: $0, isFinal: isFinal) }
        case .dispute:
            let amount = body.integer("amount", in: 1 ... .max)
            let fee = body.integer("fee", .optional, in: 0 ... .max)
            let state = body.choice("state", of: DisputeNotice.State.self)
            guard let amount, let state else { return nil }
            return .dispute(DisputeNotice(state: state, amount: amount, fee: fee))
        }
    }
}

/// Writes what was asked of PSPs as the API shows it.
package enum OperationPresenter {
    /// The operations of an order, in the order of asking within each payment.
    package static func json(operationsOf order: Order) -> [JSON] {
        order.payments.flatMap { payment in
            payment.attempts.flatMap { attempt in
                attempt.operations.map { json($0, of: attempt, payment, in: order) }
            }
        }
    }

    private static func json(
        _ operation: Operation,
        of attempt: Attempt,
        _ payment: Payment,
        in order: Order
    ) -> JSON {
        let document: JSON = [
            "id": .string(operation.id.text), "payment": .string(payment.id.text),
            "external_identifier": .string(payment.externalIdentifier),
            "psp_account": .string(attempt.route.pspAccount), "kind": .string(operation.kind.rawValue),
            "origin": .string(operation.origin.rawValue), "currency": .string(order.amount.currency.code),
            "amount": .integer(operation.amount), "state": .string(operation.state.name),
            "done_amount": .integer(operation.doneAmount), "tries": .integer(operation.leases),
            "awaited": .bool(operation.awaitsFirstReply), "created_at": .string(operation.createdAt.description),
            "replied_at": .optional(operation.repliedAt?.description),
            "next_at": .optional(operation.dueAt?.description), "reason": .optional(operation.state.reason),
        ]
        return document.withDecimals(in: order.amount.currency)
    }
}

extension OperationState {
    /// Why it stands where it stands, in the PSP's words or ours; nil where the state says it all.
    fileprivate var reason: String? {
        switch self {
        case .open, .pending, .succeeded: nil
        case .unknown(let reason), .notSent(let reason): reason
        case .actionRequired(let action): action.kind.rawValue
        case .declined(let decline): "\(decline.code): \(decline.message)"
        case .rejected(let rejection), .reversed(let rejection): "\(rejection.code): \(rejection.message)"
        }
    }
}
