import StrictJSON

/// Adyen's answers.
enum AdyenDocument {
    /// The answer to `POST /payments`.
    static func payment(_ authorization: Authorization, _ origin: String) -> JSON {
        let command = authorization.command
        let isHeld = authorization.authorized > 0
        let refusal = authorization.decline.map(AdyenReason.init)
        return .object(omittingAbsent: [
            "additionalData": additionalData(authorization),
            "pspReference": .string(AdyenReference.text(authorization.id)),
            "refusalReason": (refusal?.text).map(JSON.string),
            "refusalReasonCode": (refusal?.code).map(JSON.string),
            "resultCode": .string(resultCode(authorization)),
            "amount": isHeld ? amount(authorization.authorized, command.currency) : .none,
            "merchantReference": .string(command.reference),
            "paymentMethod": isHeld ? ["brand": .string(brand(command.method)), "type": "scheme"] : .none,
            "action": authorization.status == .requiresAction
                ? [
                    "type": "redirect", "method": "GET", "paymentMethodType": "scheme",
                    "url": .string("\(origin)/actions/\(authorization.id)"),
                ] : .none,
        ])
    }

    /// What a partial approval is over, and what was stored of a payment.
    private static func additionalData(_ authorization: Authorization) -> JSON? {
        let command = authorization.command
        var data: [JSON.Member] = []
        if authorization.isPartial {
            data.append(JSON.Member("authorisedAmountCurrency", .string(command.currency)))
            data.append(JSON.Member("authorisedAmountValue", .string("\(authorization.authorized)")))
        }
        if authorization.authorized > 0, let shopper = command.details[StoredMethods.ownerDetail] {
            data.append(JSON.Member("cardSummary", .string(command.method.last4)))
            data.append(JSON.Member("expiryDate", "12/2031"))
            data.append(JSON.Member("tokenization.shopperReference", .string(shopper)))
            data.append(JSON.Member("tokenization.store.operationType", "created"))
            let name = AdyenReference.text(authorization.id)
            data.append(JSON.Member("tokenization.storedPaymentMethodId", .string(name)))
        }
        return data.isEmpty ? nil : .object(data)
    }

    /// The payment method that was stored of a payment, as a list has it.
    static func stored(_ authorization: Authorization) -> JSON {
        [
            "id": .string(AdyenReference.text(authorization.id)), "brand": .string(brand(authorization.command.method)),
            "lastFour": .string(authorization.command.method.last4), "expiryMonth": "12", "expiryYear": "2031",
            "type": "scheme",
            "supportedRecurringProcessingModels": ["CardOnFile", "Subscription", "UnscheduledCardOnFile"],
        ]
    }

    /// The answer to a modification of a payment.
    static func modification(_ operation: BookedOperation, of authorization: Authorization, amount: Int64?) -> JSON {
        .object(omittingAbsent: [
            "merchantAccount": .string(authorization.account),
            "paymentPspReference": .string(AdyenReference.text(authorization.id)),
            "reference": operation.reference.isEmpty ? .none : .string(operation.reference),
            "pspReference": .string(AdyenReference.text(operation.id)),
            "status": "received",
            "amount": amount.map { self.amount($0, authorization.command.currency) },
        ])
    }

    /// The answer to a cancellation by the caller's own reference.
    static func cancellation(_ identifier: String, of reference: String, _ account: String) -> JSON {
        [
            "merchantAccount": .string(account), "paymentReference": .string(reference),
            "pspReference": .string(AdyenReference.text(identifier)), "status": "received",
        ]
    }

    /// An amount.
    static func amount(_ value: Int64, _ currency: String) -> JSON {
        ["currency": .string(currency), "value": .integer(value)]
    }

    /// Adyen's name of a card network.
    static func brand(_ method: PaymentMethod) -> String { method.network == "mastercard" ? "mc" : method.network }

    private static func resultCode(_ authorization: Authorization) -> String {
        switch authorization.status {
        case .pending: "Pending"
        case .requiresAction: "RedirectShopper"
        case .declined: "Refused"
        case .authorized, .captured, .voided, .expired:
            authorization.isPartial ? "PartiallyAuthorised" : "Authorised"
        case .canceled: "Cancelled"
        }
    }
}

extension Authorization {
    /// Whether less was approved than was asked.
    fileprivate var isPartial: Bool { authorized > 0 && authorized < command.amount }
}

/// Why Adyen refuses a payment: its number and its text (docs.adyen.com, refusal reasons, read 2026).
struct AdyenReason: Hashable, Sendable {
    let code: String
    let text: String

    /// Adyen's words for a decline.
    init(_ code: DeclineCode) {
        (self.code, text) =
            switch code {
            case .insufficientFunds: ("12", "Not enough balance")
            case .expiredCard: ("6", "Expired Card")
            case .invalidCard: ("8", "Invalid Card Number")
            case .lostOrStolen: ("5", "Blocked Card")
            case .suspectedFraud: ("20", "FRAUD")
            case .authenticationRequired: ("38", "Authentication required")
            case .notPermitted: ("23", "Transaction Not Permitted")
            case .limitExceeded: ("28", "Withdrawal amount exceeded")
            case .temporary: ("9", "Issuer Unavailable")
            case .generic: ("2", "Refused")
            case .authenticationFailed: ("11", "3D Not Authenticated")
            case .actionExpired: ("21", "Not Submitted")
            }
    }
}
