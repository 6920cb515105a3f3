import Domain
import StrictJSON

extension OrderRequest {
    /// What the audit trail has of it; nil for a buyer's step, which stands in the order's own history.
    ///
    /// Amounts in minor units, and nothing that somebody wrote in words: it may be about the buyer.
    var audited: (act: AuditAct, details: JSON)? {
        switch self {
        case .capture(.whole): (.captureOrder, [:])
        case .capture(.items(let items)):
            (.captureOrder, .object([.init("payments", .array(items.map(\.audited)))]))
        case .release(.whole): (.releaseOrder, [:])
        case .release(.payments(let payments)): (.releaseOrder, Self.naming(payments))
        case .cancel: (.cancelOrder, [:])
        case .cancelPayments(let payments, mayRelease: _): (.cancelOrder, Self.naming(payments))
        case .refund(let refund): (.refundOrder, refund.audited)
        case .complete: nil
        case .resolve(let operation, let outcome, _):
            (
                .resolveOrder,
                .object(omittingAbsent: [
                    "operation": .string(operation.text), "outcome": .string(outcome.word),
                    "amount": outcome.amount.map { .integer($0) },
                ])
            )
        case .retry(let operation, by: _):
            (.retryOrder, .object(omittingAbsent: ["operation": operation.map { .string($0.text) }]))
        case .record(let record, _):
            (
                .recordOnOrder,
                .object(omittingAbsent: [
                    "payment": .string(record.payment.text), "deed": .string(record.deed.name),
                    "amount": record.deed.amount.map { .integer($0) },
                ])
            )
        }
    }

    private static func naming(_ payments: [PaymentID]) -> JSON {
        .object([.init("payments", .strings(payments.map(\.text)))])
    }
}

extension CaptureRequest.Item {
    fileprivate var audited: JSON {
        .object(omittingAbsent: [
            "payment": .string(payment.text), "amount": amount.map { .integer($0) }, "final": .bool(isFinal),
        ])
    }
}

extension RefundRequest {
    fileprivate var audited: JSON {
        let (amount, items): (Int64?, [Refund.Item]?) =
            switch share {
            case .all: (nil, nil)
            case .amount(let amount), .proportional(let amount): (amount, nil)
            case .items(let items): (nil, items)
            }
        return .object(omittingAbsent: [
            "amount": amount.map { .integer($0) },
            "payments": items.map { items in
                .array(items.map { ["payment": .string($0.payment.text), "amount": .integer($0.amount)] })
            },
            "borne_by": .string(borneBy.rawValue),
        ])
    }
}

extension ManualOutcome {
    fileprivate var word: String {
        switch self {
        case .succeeded: "succeeded"
        case .failed: "failed"
        case .notSent: "not_sent"
        }
    }

    fileprivate var amount: Int64? {
        if case .succeeded(let amount, reference: _) = self { amount } else { nil }
    }
}
