import StrictJSON

/// How Authorize.Net says no to a request: in `messages`, or in the response of a transaction that came to nothing.
struct AuthorizeNetRefusal: Sendable {
    private let refusal: Refusal
    private let isTransaction: Bool
    private let body: JSON

    /// Reads as much of the refused request as can be read.
    init(_ refusal: Refusal, of request: PSPRequest) {
        self.refusal = refusal
        let root = (try? request.json())?.objectValue?.first
        isTransaction = root?.key == AuthorizeNetMethod.createTransaction.element
        body = root?.value ?? .null
    }

    /// The answer.
    ///
    /// - Parameter authorization: what the request was about, if it was found.
    /// - Returns: the answer.
    func reply(about authorization: Authorization?) -> PSPReply {
        switch refusal {
        case .unauthorized: return message("E00007", "User authentication failed due to invalid authentication values.")
        case .tooLarge: return AuthorizeNetReply.failure("E00003", refusal.message, status: 413)
        case .notFound where !isTransaction: return message("E00040", "The record cannot be found.")
        case .alreadyCaptured where type == "priorAuthCaptureTransaction":
            return repeated("311", "This transaction has already been captured.", authorization)
        case .alreadyVoided where type == "voidTransaction" && authorization?.status != .declined:
            return repeated("310", "This transaction has already been voided.", authorization)
        default: break
        }
        if refusal.code == "invalid_token" { return invalidNonce }
        if refusal.code == "invalid_request" { return message("E00003", refusal.message) }
        if refusal.code.hasPrefix("E") { return message(refusal.code, refusal.message) }
        let (code, text) = error
        let errors: JSON = [["errorCode": .string(code), "errorText": .string(text)]]
        return transaction("3", transId: "0", JSON.Member("errors", errors), authorization)
    }

    private var transactionBody: JSON { body["transactionRequest"] ?? .null }
    private var type: String { transactionBody.filled("transactionType") ?? "" }
    private var refId: String? { body.filled("refId") }

    /// The code and the text of a transaction that came to nothing.
    private var error: (code: String, text: String) {
        if refusal.code.first?.isNumber == true { return (refusal.code, refusal.message) }
        switch refusal {
        case .alreadyNamed: return ("11", "A duplicate transaction has been submitted.")
        case .configuration:
            return ("30", "The configuration with processor is invalid. Call Merchant Service Provider.")
        case .unsupported: return ("17", "The merchant does not accept this type of credit card.")
        case .amountTooLarge where type == "refundTransaction":
            return ("55", "The sum of credits against the referenced transaction would exceed original debit amount.")
        case .amountTooLarge:
            return (
                "47", "The amount requested for settlement cannot be greater than the original amount authorized."
            )
        case .inProgress where type == "voidTransaction":
            return (
                "327",
                "The void request failed. Either the original transaction type does not support void, or the "
                    + "transaction is in the process of being settled."
            )
        case .notFound: return Self.noTransaction
        default: return type == "refundTransaction" ? ("54", AuthorizeNetReason.noCredit) : Self.noTransaction
        }
    }

    private static let noTransaction = (code: "16", text: "The transaction cannot be found.")

    private func message(_ code: String, _ text: String) -> PSPReply {
        AuthorizeNetReply.failure(code, text, echoing: code == "E00003" ? nil : refId)
    }

    /// What was done before is approved once more, under a code of its own.
    private func repeated(_ code: String, _ text: String, _ authorization: Authorization?) -> PSPReply {
        let messages: JSON = [["code": .string(code), "description": .string(text)]]
        let transId = transactionBody.filled("refTransId") ?? "0"
        return transaction("1", transId: transId, JSON.Member("messages", messages), authorization)
    }

    /// A nonce that Accept never made has no transaction at all.
    private var invalidNonce: PSPReply {
        let response: JSON = ["SupplementalDataQualificationIndicator": 0]
        return AuthorizeNetReply.failure(
            "E00114",
            "Invalid OTS Token.",
            [JSON.Member("transactionResponse", response)],
            echoing: refId
        )
    }

    private func transaction(
        _ responseCode: String,
        transId: String,
        _ outcome: JSON.Member,
        _ authorization: Authorization?
    ) -> PSPReply {
        let method = authorization?.command.method
        let response: [JSON.Member] = [
            .init("responseCode", .string(responseCode)), .init("authCode", ""), .init("avsResultCode", "P"),
            .init("cvvResultCode", ""), .init("cavvResultCode", ""), .init("transId", .string(transId)),
            .init("refTransID", .string(transactionBody.filled("refTransId") ?? "")), .init("transHash", ""),
            .init("testRequest", "0"), .init("accountNumber", .string(method.map { "XXXX\($0.last4)" } ?? "")),
            .init("accountType", .string(method.map(AuthorizeNetDocument.accountType) ?? "")), outcome,
            .init("transHashSha2", ""), .init("SupplementalDataQualificationIndicator", 0),
        ]
        return AuthorizeNetReply.transaction(.object(response), echoing: refId)
    }
}
