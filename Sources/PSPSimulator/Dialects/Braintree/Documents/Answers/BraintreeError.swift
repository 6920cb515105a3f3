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
            return BraintreeReply.error(["message": .string(refusal.message)])
        }
        if let root, root.name == "voidTransaction", let answer = unvoided(root, fault) { return answer }
        let hasRun = fault.errorClass != "AUTHENTICATION"
        return BraintreeReply.error(fault.json(root: hasRun ? root?.key : nil), root: hasRun ? root?.key : nil)
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
        return BraintreeReply.data(
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
