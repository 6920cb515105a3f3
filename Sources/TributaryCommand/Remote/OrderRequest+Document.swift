import Domain
import StrictJSON

extension OrderRequest {
    /// The request as the API takes it: what is behind the order's path, and the body.
    ///
    /// Who asks is not in it: over HTTP that is the API key.
    var document: (action: String, body: JSON) {
        switch self {
        case .capture(.whole): ("capture", [:])
        case .capture(.items(let items)):
            (
                "capture",
                Self.items(items) { item in
                    .object(omittingAbsent: [
                        "payment": .string(item.payment.text), "amount": item.amount.map(JSON.integer),
                        "final": .bool(item.isFinal),
                    ])
                }
            )
        case .release(.whole): ("release", [:])
        case .release(.payments(let payments)): ("release", Self.payments(payments))
        case .cancel: ("cancel", [:])
        case .cancelPayments(let payments, mayRelease: _): ("cancel", Self.payments(payments))
        case .refund(let refund): ("refunds", Self.refund(refund))
        case .resolve(let operation, let outcome, let evidence):
            ("resolve", .object(Self.members(operation, outcome) + evidence.members))
        case .retry(let operation, by: _):
            ("retry", .object(omittingAbsent: ["operation": operation.map { .string($0.text) }]))
        case .record(let record, let evidence): ("record", .object(record.members + evidence.members))
        case .complete: ("complete", [:])
        }
    }

    private static func payments(_ payments: [PaymentID]) -> JSON {
        items(payments) { ["payment": .string($0.text)] }
    }

    private static func items<Item>(_ items: [Item], _ document: (Item) -> JSON) -> JSON {
        ["items": .array(items.map(document))]
    }

    private static func refund(_ refund: RefundRequest) -> JSON {
        var members: [JSON.Member] = [.init("borne_by", .string(refund.borneBy.rawValue))]
        if !refund.reason.isEmpty { members.append(.init("reason", .string(refund.reason))) }
        switch refund.share {
        case .all: break
        case .amount(let amount): members.append(.init("amount", .integer(amount)))
        case .proportional(let amount):
            members += [.init("amount", .integer(amount)), .init("allocate", "proportional")]
        case .items(let named):
            let list = items(named) { ["payment": .string($0.payment.text), "amount": .integer($0.amount)] }
            members += list.objectValue ?? []
        }
        return .object(members)
    }

    private static func members(_ operation: OperationID, _ outcome: ManualOutcome) -> [JSON.Member] {
        let word: JSON.Member = .init("operation", .string(operation.text))
        switch outcome {
        case .failed: return [word, .init("outcome", "failed")]
        case .notSent: return [word, .init("outcome", "not_sent")]
        case .succeeded(let amount, let reference):
            var members: [JSON.Member] = [word, .init("outcome", "succeeded")]
            if let amount { members.append(.init("amount", .integer(amount))) }
            if let reference { members.append(.init("psp_reference", .string(reference))) }
            return members
        }
    }
}

extension OrderRequest.Evidence {
    /// The members of a body that say where something can be seen, and why it is said.
    var members: [JSON.Member] { [.init("evidence", .string(evidence)), .init("reason", .string(reason))] }
}

extension OperatorRecord {
    fileprivate var members: [JSON.Member] {
        var common: [JSON.Member] = [.init("type", .string(deed.name)), .init("payment", .string(payment.text))]
        if let amount = deed.amount { common.append(.init("amount", .integer(amount))) }
        if let reference { common.append(.init("psp_reference", .string(reference))) }
        switch deed {
        case .void, .refund: return common
        case .capture(amount: _, let isFinal): return common + [.init("final", .bool(isFinal))]
        case .dispute(let dispute):
            common.append(.init("state", .string(dispute.state.rawValue)))
            if let fee = dispute.fee { common.append(.init("fee", .integer(fee))) }
            return common
        }
    }
}
