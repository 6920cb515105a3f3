import StrictJSON

/// What Braintree says to a request that it refuses.
enum BraintreeError {
    /// The answer.
    static func reply(
        refusing refusal: Refusal,
        to request: PSPRequest,
        about authorization: Authorization?
    ) -> PSPReply {
        let root = (try? BraintreeRequest.call(request))?.roots.first
        guard let fault = fault(refusal, root?.name ?? "", authorization) else {
            return BraintreeAnswer.error(["message": .string(refusal.message)])
        }
        if let root, root.name == "voidTransaction", let answer = unvoided(root, fault) { return answer }
        let hasRun = fault.errorClass != "AUTHENTICATION"
        return BraintreeAnswer.error(fault.json(root: hasRun ? root?.key : nil), root: hasRun ? root?.key : nil)
    }

    /// The error; nil if the document could not be run at all.
    private static func fault(_ refusal: Refusal, _ root: String, _ about: Authorization?) -> BraintreeFault? {
        if let fault = BraintreeFault(refusal) { return fault }
        if refusal.code == "invalid_token" { return BraintreeFault(BraintreeVault.unknown) }
        switch refusal {
        case .unauthorized:
            return BraintreeFault(errorClass: "AUTHENTICATION", message: "Authentication credentials are invalid.")
        case .notFound:
            return BraintreeFault(
                errorClass: "NOT_FOUND",
                inputPath: "input.transactionId",
                message: "An object with this ID was not found."
            )
        case .configuration:
            return BraintreeFault(errorClass: "AUTHORIZATION", message: "The merchant account does not allow this.")
        case .unsupported where root.hasPrefix("authorize") || root.hasPrefix("charge"):
            let message = "Credit card type is not accepted by this merchant account."
            return BraintreeFault("91517", message, at: "input.paymentMethodId")
        case .unsupported: return BraintreeFault(errorClass: "NOT_IMPLEMENTED", message: refusal.message)
        case .tooLarge: return BraintreeFault(errorClass: "RESOURCE_LIMIT", message: refusal.message)
        case .amountTooLarge, .alreadyCaptured, .alreadyVoided, .expired, .notAuthorized, .inProgress, .notCaptured,
            .notSettledYet:
            return fault(ofState: refusal, root, about)
        default: return nil
        }
    }

    private static func fault(ofState refusal: Refusal, _ root: String, _ about: Authorization?) -> BraintreeFault {
        let isSpent = about.map { $0.captured > 0 && $0.refunded >= $0.captured } ?? false
        switch (root, refusal) {
        case ("captureTransaction", .amountTooLarge):
            return BraintreeFault("91522", "Settlement amount is too large.", at: "input.transaction.amount")
        case ("captureTransaction", _):
            let message = "Cannot submit for settlement unless status is authorized."
            return BraintreeFault("91507", message, at: "input.transactionId")
        case (_, .amountTooLarge) where isSpent:
            let message = "Transaction has already been completely refunded."
            return BraintreeFault("91512", message, at: "input.transactionId")
        case (_, .amountTooLarge):
            return BraintreeFault("91521", "Refund amount is too large.", at: "input.refund.amount")
        case ("refundTransaction", _):
            return BraintreeFault("91506", "Cannot refund transaction unless it is settled.", at: "input.transactionId")
        default:
            let message = "Transaction can only be voided if status is authorized or submitted_for_settlement."
            return BraintreeFault("91504", message, at: "input.transactionId")
        }
    }

    /// `voidTransaction` tells of its errors in its payload (graphql guides, "Transactions", read 2026).
    private static func unvoided(_ root: GraphQLNode, _ fault: BraintreeFault) -> PSPReply? {
        let told: (code: String, message: String)
        switch (fault.errorClass, fault.legacyCode) {
        case ("NOT_FOUND", _)
        where root.arguments["input"]?["transactionId"]?.stringValue.flatMap(BraintreeName.init) == nil:
            told = ("INVALID_INPUT_FOR_VOID_TRANSACTION_MUTATION", "Invalid transaction ID provided")
        case ("NOT_FOUND", _): told = ("TRANSACTION_NOT_FOUND", "Transaction not found")
        case (_, "91504"):
            told = ("TRANSACTION_CANNOT_BE_VOIDED", "Transaction cannot be voided in its current state")
        default: return nil
        }
        return BraintreeAnswer.data(
            root,
            [
                "__typename": "VoidTransactionPayload", "transaction": .null,
                "clientMutationId": .optional(root.arguments["input"]?["clientMutationId"]),
                "errors": [
                    [
                        "__typename": "VoidTransactionError", "field": "transactionId",
                        "message": .string(told.message),
                        "code": .string(told.code),
                    ]
                ],
            ]
        )
    }
}

/// An error as Braintree classifies it (graphql guides, "Making API Calls", read 2026).
struct BraintreeFault: Hashable, Sendable {
    /// `VALIDATION`, `NOT_FOUND`, `AUTHENTICATION` and so on.
    let errorClass: String
    /// The number of the validation error in Braintree's list; nil if it has none.
    let legacyCode: String?
    /// The input field responsible for it, with dots between names.
    let inputPath: String?
    /// A sentence for people.
    let message: String

    /// A validation error.
    init(_ legacyCode: String, _ message: String, at inputPath: String) {
        self.init(errorClass: "VALIDATION", legacyCode: legacyCode, inputPath: inputPath, message: message)
    }

    /// Any error.
    init(errorClass: String, legacyCode: String? = nil, inputPath: String? = nil, message: String) {
        self.errorClass = errorClass
        self.legacyCode = legacyCode
        self.inputPath = inputPath
        self.message = message
    }

    /// What a refusal says, if it is one of this dialect's.
    init?(_ refusal: Refusal) {
        let parts = refusal.code.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { return nil }
        errorClass = parts[0]
        legacyCode = parts[1].isEmpty ? nil : parts[1]
        inputPath = parts[2].isEmpty ? nil : parts[2]
        message = refusal.message
    }

    /// The error as a refusal, whose code holds everything but the message.
    var refusal: Refusal {
        Refusal(400, "\(errorClass) \(legacyCode ?? "") \(inputPath ?? "")", message)
    }

    /// An element of `errors`.
    ///
    /// - Parameter root: what the answer calls the field that failed.
    /// - Returns: the element.
    func json(root: String?) -> JSON {
        .object(omittingAbsent: [
            "message": .string(message), "path": root.map { [.string($0)] },
            "extensions": .object(omittingAbsent: [
                "errorType": .string(errorClass == "INTERNAL" ? "internal" : "user_error"),
                "errorClass": .string(errorClass),
                "legacyCode": legacyCode.map(JSON.string),
                "inputPath": inputPath.map { .strings($0.split(separator: ".").map(String.init)) },
            ]),
        ])
    }
}

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
