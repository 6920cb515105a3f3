import StrictJSON

/// Why Braintree or a processor says no (reference/general/processor-responses, read 2026).
struct BraintreeDecline: Hashable, Sendable {
    /// The status of what was declined.
    let status: String
    /// The processor's code; nil if Braintree itself said no.
    let code: String?
    /// What the code means.
    let text: String?
    /// Whether another attempt may succeed.
    let isSoft: Bool
    /// Why Braintree itself said no.
    let rejection: String?

    /// Braintree's words for a decline.
    init(_ decline: DeclineCode) {
        switch decline {
        case .insufficientFunds: self.init("2001", "Insufficient Funds", isSoft: true)
        case .expiredCard: self.init("2004", "Expired Card", isSoft: false)
        case .invalidCard: self.init("2005", "Invalid Credit Card Number", isSoft: false)
        case .lostOrStolen: self.init("2053", "Card reported as lost or stolen", isSoft: false)
        case .suspectedFraud: self.init(rejection: "FRAUD")
        case .authenticationRequired: self.init("2099", "Cardholder Authentication Required", isSoft: true)
        case .notPermitted: self.init("2015", "Transaction Not Allowed", isSoft: false)
        case .limitExceeded: self.init("2002", "Limit Exceeded", isSoft: true)
        case .temporary: self.init("3000", "Processor Network Unavailable - Try Again", isSoft: true, status: "FAILED")
        case .generic: self.init("2000", "Do Not Honor", isSoft: true)
        case .authenticationFailed, .actionExpired: self.init(rejection: "THREE_D_SECURE")
        }
    }

    private init(_ code: String, _ text: String, isSoft: Bool, status: String = "PROCESSOR_DECLINED") {
        self.status = status
        self.code = code
        self.text = text
        self.isSoft = isSoft
        rejection = nil
    }

    private init(rejection: String) {
        status = "GATEWAY_REJECTED"
        code = nil
        text = nil
        isSoft = false
        self.rejection = rejection
    }

    /// The type of the event that tells of it.
    var event: String {
        switch status {
        case "FAILED": "FailedEvent"
        case "GATEWAY_REJECTED": "GatewayRejectedEvent"
        default: "ProcessorDeclinedEvent"
        }
    }

    /// What the event holds beside what all events hold.
    var members: [JSON.Member] {
        var members = [JSON.Member("processorResponse", code == nil ? .null : Self.response(code, text))]
        if let rejection { members.append(JSON.Member("gatewayRejectionReason", .string(rejection))) }
        if status == "PROCESSOR_DECLINED" { members.append(JSON.Member("declineType", isSoft ? "SOFT" : "HARD")) }
        return members
    }

    /// A processor's answer to an authorization.
    static func response(_ code: String?, _ text: String?) -> JSON {
        [
            "__typename": "TransactionAuthorizationProcessorResponse", "legacyCode": .optional(code),
            "message": .optional(text), "cvvResponse": "NOT_PROVIDED", "avsPostalCodeResponse": "NOT_PROVIDED",
            "avsStreetAddressResponse": "NOT_PROVIDED",
        ]
    }
}
