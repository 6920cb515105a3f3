import StrictJSON

/// A transaction as Braintree shows it.
struct BraintreeTransaction {
    /// The authorization in the books.
    let authorization: Authorization
    /// Whether what was taken has settled; refunds need that, and voids that it has not.
    let isSettled: Bool

    /// Shows a transaction.
    ///
    /// - Parameters:
    ///   - authorization: the authorization in the books.
    ///   - now: the time; nil in the answer to a capture, which never has settled yet.
    init(_ authorization: Authorization, at now: Int64?) {
        self.authorization = authorization
        isSettled = now.map { Self.isSettled(authorization, at: $0) } ?? false
    }

    /// Whether what was taken has settled by then.
    static func isSettled(_ authorization: Authorization, at now: Int64) -> Bool {
        guard let capturedAt = authorization.capturedAt else { return false }
        guard case .settle(let milliseconds) = authorization.script.effect(of: .refund) else { return true }
        return now >= capturedAt + milliseconds
    }

    /// Braintree's name for it.
    var name: BraintreeName {
        BraintreeName(.transaction, authorization.id, authorization.command.currency)
    }

    /// The caller's name for it: the latest that a capture gave it, or the one that it was made with.
    var orderId: String? {
        let captures = authorization.operations.dropFirst().filter { $0.kind == .capture && $0.status != .failed }
        return captures.compactMap { $0.details["orderId"] }.last ?? authorization.command.details["orderId"]
    }

    /// The merchant account that it settles into.
    var merchantAccountId: String {
        authorization.command.details["merchantAccountId"] ?? authorization.account
    }

    /// Where it stands.
    var status: String {
        let captures = authorization.operations.dropFirst().filter { $0.kind == .capture }
        switch authorization.status {
        case .pending, .requiresAction: return "AUTHORIZING"
        case .declined: return authorization.decline.map { BraintreeDecline($0).status } ?? "FAILED"
        case .expired: return "AUTHORIZATION_EXPIRED"
        case .voided, .canceled:
            return captures.last?.status == .failedLater ? "SETTLEMENT_DECLINED" : "VOIDED"
        case .authorized:
            return switch captures.last?.status {
            case .pending: "SETTLEMENT_PENDING"
            case .failed: "SETTLEMENT_DECLINED"
            default: "AUTHORIZED"
            }
        case .captured: return isSettled ? "SETTLED" : "SUBMITTED_FOR_SETTLEMENT"
        }
    }

    /// What was taken; before that what is held, or what was asked for.
    var amount: Int64 {
        if authorization.status != .voided, authorization.captured > 0 { return authorization.captured }
        let pending = authorization.pending(.capture)
        if pending > 0 { return pending }
        return authorization.authorized > 0 ? authorization.authorized : authorization.command.amount
    }

    /// The object.
    ///
    /// - Parameter depth: how many steps lead on to refunds and disputes, and from them back to the transaction.
    /// - Returns: the object.
    func json(depth: Int = 2) -> JSON {
        let command = authorization.command
        let isPartial = authorization.authorized > 0 && authorization.authorized < command.amount
        return [
            "__typename": "Transaction", "id": .string(name.global), "legacyId": .string(name.legacy),
            "createdAt": .string(BraintreeMoment.text(authorization.createdAt)),
            "paymentMethodSnapshot": BraintreeMethodDocument.snapshot(command),
            "paymentMethod": BraintreeMethodDocument.vaulted(command),
            "amount": Self.money(amount, command.currency),
            "initialRequestedAuthorizationAmount": Self.money(command.amount, command.currency),
            "merchantId": .string(authorization.account), "merchantAccountId": .string(merchantAccountId),
            "orderId": .optional(orderId), "purchaseOrderNumber": .optional(command.details["purchaseOrderNumber"]),
            "channel": .optional(command.details["channel"]), "source": "API", "status": .string(status),
            "processorResponse": processorResponse, "statusHistory": .array(BraintreeHistory(self).events),
            "customFields": .array(
                command.metadata.sorted { $0.key < $1.key }.map { name, value in
                    ["__typename": "CustomField", "name": .string(name), "value": .string(value)]
                }
            ),
            "refunds": depth > 0 ? .array(refunds.map { $0.json(depth: depth - 1) }) : [],
            "disputes": depth > 0 ? .array(disputes(depth: depth - 1)) : [],
            "disbursementDetails": .optional(disbursed.map { Self.disbursement(amount, command.currency, on: $0) }),
            "retried": false, "partiallyAuthorized": .bool(isPartial),
        ]
    }

    /// What was given back, or tried to.
    var refunds: [BraintreeRefund] {
        authorization.operations.dropFirst().filter { $0.kind == .refund }
            .map { BraintreeRefund($0, of: authorization, isFresh: false) }
    }

    /// An amount.
    static func money(_ minor: Int64, _ currency: String) -> JSON {
        [
            "__typename": "MonetaryAmount", "value": .string(BraintreeAmount.text(minor, currency)),
            "currencyIsoCode": .string(currency), "currencyCode": .string(currency),
        ]
    }

    /// The day on which it was disbursed: that on which it was taken, once that has settled; nil until then.
    var disbursed: String? {
        status == "SETTLED" ? authorization.capturedAt.map(BraintreeMoment.day) : nil
    }

    /// A disbursement to a bank account of the same currency.
    static func disbursement(_ minor: Int64, _ currency: String, on day: String) -> JSON {
        [
            "__typename": "DisbursementDetails", "date": .string(day), "amount": money(minor, currency),
            "exchangeRate": "1", "fundsHeld": false,
        ]
    }

    /// What the processor said to the authorization.
    var processorResponse: JSON {
        if let decline = authorization.decline.map(BraintreeDecline.init) {
            return decline.code == nil ? .null : BraintreeDecline.response(decline.code, decline.text)
        }
        guard authorization.authorized > 0 else { return .null }
        guard authorization.authorized == authorization.command.amount else {
            return BraintreeDecline.response("1004", "Approved for less than requested amount")
        }
        return BraintreeDecline.response("1000", "Approved")
    }

    private func disputes(depth: Int) -> [JSON] {
        authorization.disputes.map { BraintreeDispute($0, of: self).json(depth: depth) }
    }
}
