import StrictJSON

/// Authorize.Net's answers to `createTransactionRequest`.
enum AuthorizeNetDocument {
    /// The answer to a new transaction.
    static func reply(_ authorization: Authorization, echoing refId: String?) -> PSPReply {
        let reason = AuthorizeNetReason(of: authorization)
        let transId = reason.responseCode == 3 ? "0" : AuthorizeNetNumbers.text(of: authorization)
        let response = response(reason, transId: transId, refTransId: "", about: authorization)
        return AuthorizeNetAnswer.transaction(response, AuthorizeNetProfiles.response(authorization), echoing: refId)
    }

    /// The answer to a capture, a void or a refund.
    ///
    /// What is worked on is approved already: Authorize.Net tells in its reports that it fails at the settlement.
    static func reply(_ operation: BookedOperation, of authorization: Authorization, echoing refId: String?) -> PSPReply
    {
        let reason =
            operation.status == .failed
            ? AuthorizeNetReason(operation.decline ?? .generic) : AuthorizeNetReason.approved
        let original = AuthorizeNetNumbers.text(of: authorization)
        let own =
            operation.kind == .refund ? AuthorizeNetNumbers.text(of: operation, in: authorization) : original
        let transId = reason.responseCode == 3 ? "0" : own
        let response = response(reason, transId: transId, refTransId: original, about: authorization)
        return AuthorizeNetAnswer.transaction(response, echoing: refId)
    }

    /// The member `transactionResponse`.
    ///
    /// - Parameters:
    ///   - reason: what came of it.
    ///   - transId: the transaction; `0` if there is none.
    ///   - refTransId: the transaction that the request named; empty if it named none.
    ///   - authorization: what it was about, if that is known.
    /// - Returns: the member's value.
    static func response(
        _ reason: AuthorizeNetReason,
        transId: String,
        refTransId: String,
        about authorization: Authorization?
    ) -> JSON {
        let isError = reason.responseCode == 2 || reason.responseCode == 3
        let code = isError ? "" : authorization.map(AuthorizeNetNumbers.authorizationCode) ?? ""
        let fields = authorization?.command.metadata.sorted { $0.key < $1.key } ?? []
        return .object(omittingAbsent: [
            "responseCode": .string("\(reason.responseCode)"),
            "authCode": .string(code),
            "avsResultCode": "P",
            "cvvResultCode": "",
            "cavvResultCode": "",
            "transId": .string(transId),
            "refTransID": .string(refTransId),
            "transHash": "",
            "networkTransId": isError ? .none : authorization.map(AuthorizeNetProfiles.networkTransId),
            "testRequest": "0",
            "accountNumber": .string(authorization.map { "XXXX\($0.command.method.last4)" } ?? ""),
            "accountType": .string(authorization.map { accountType($0.command.method) } ?? ""),
            "prePaidCard": reason == .partial ? authorization.map(prepaidCard) : .none,
            "messages": isError
                ? .none : [["code": .string(reason.code), "description": .string(reason.text)]],
            "errors": isError
                ? [["errorCode": .string(reason.code), "errorText": .string(reason.text)]] : .none,
            "userFields": fields.isEmpty
                ? .none : .array(fields.map { ["name": .string($0.key), "value": .string($0.value)] }),
            "transHashSha2": "",
            "SupplementalDataQualificationIndicator": 0,
        ])
    }

    /// Authorize.Net's name of a card network.
    static func accountType(_ method: PaymentMethod) -> String {
        switch method.network {
        case "mastercard": "MasterCard"
        case "amex": "AmericanExpress"
        case "discover": "Discover"
        default: "Visa"
        }
    }

    private static func prepaidCard(_ authorization: Authorization) -> JSON {
        [
            "requestedAmount": .string(AuthorizeNetAmount.text(authorization.command.amount)),
            "approvedAmount": .string(AuthorizeNetAmount.text(authorization.authorized)), "balanceOnCard": "0.00",
        ]
    }
}

/// What came of a transaction, in Authorize.Net's words: the response code, the reason and its text.
///
/// From its table of response codes (developer.authorize.net/api/reference/responseCodes.html, read 2026). It does not
/// pass on most of what issuers say: many declines are the general one, 2.
struct AuthorizeNetReason: Hashable, Sendable {
    /// What a refund of the wrong transaction is told.
    static let noCredit = "The referenced transaction does not meet the criteria for issuing a credit."

    /// 1 approved, 2 declined, 3 error, 4 held for review.
    let responseCode: Int64
    /// The reason, as digits.
    let code: String
    /// The reason's text.
    let text: String

    /// The transaction is approved.
    static let approved = Self(1, "1", "This transaction has been approved.")
    /// The merchant reviews the transaction.
    static let held = Self(4, "252", "Your order has been received. Thank you for your business!")
    /// A part is approved; the rest has to be paid otherwise.
    static let partial = Self(
        4,
        "295",
        "The amount of this request was only partially approved on the given prepaid card. An additional payment is "
            + "required to fulfill the balance of this transaction."
    )

    /// What came of an authorization.
    init(of authorization: Authorization) {
        switch authorization.status {
        case .pending, .requiresAction: self = .held
        case .declined: self = authorization.decline.map(Self.init) ?? Self(2, "2", Self.declined)
        case .authorized, .captured, .voided, .expired, .canceled:
            let isPartial = authorization.authorized > 0 && authorization.authorized < authorization.command.amount
            self = isPartial ? .partial : .approved
        }
    }

    /// Why a transaction is declined.
    init(_ code: DeclineCode) {
        self =
            switch code {
            case .expiredCard: Self(3, "8", "The credit card has expired.")
            case .invalidCard: Self(3, "6", "The credit card number is invalid.")
            case .lostOrStolen: Self(2, "4", Self.declined)
            case .suspectedFraud: Self(2, "251", Self.declined)
            case .authenticationRequired: Self(2, "3", Self.declined)
            case .temporary: Self(3, "19", "An error occurred during processing. Please try again.")
            case .insufficientFunds, .notPermitted, .limitExceeded, .generic: Self(2, "2", Self.declined)
            case .authenticationFailed, .actionExpired: Self(2, "254", Self.declined)
            }
    }

    private static let declined = "This transaction has been declined."

    private init(_ responseCode: Int64, _ code: String, _ text: String) {
        self.responseCode = responseCode
        self.code = code
        self.text = text
    }
}

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
        case .tooLarge: return AuthorizeNetAnswer.failure("E00003", refusal.message, status: 413)
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
        AuthorizeNetAnswer.failure(code, text, echoing: code == "E00003" ? nil : refId)
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
        return AuthorizeNetAnswer.failure(
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
        return AuthorizeNetAnswer.transaction(.object(response), echoing: refId)
    }
}

/// Where Authorize.Net says that a transaction stands (`transactionStatusEnum` of its schema).
enum AuthorizeNetStatus: String, Hashable, Sendable {
    /// The amount is held.
    case authorized = "authorizedPendingCapture"
    /// The amount will be taken at the next settlement; a void undoes it until then.
    case captured = "capturedPendingSettlement"
    /// The amount is taken; refunds give it back.
    case settled = "settledSuccessfully"
    /// The settlement failed.
    case settlementError
    /// The amount will be given back at the next settlement.
    case refundPending = "refundPendingSettlement"
    /// The amount is given back.
    case refunded = "refundSettledSuccessfully"
    /// The issuer or the merchant said no.
    case declined
    /// It came to an error.
    case generalError
    /// What was held or would have been taken is released.
    case voided
    /// What was held has lapsed.
    case expired
    /// The merchant reviews it.
    case held = "FDSPendingReview"

    /// Where a transaction stands that was not approved.
    init(refused reason: AuthorizeNetReason) { self = reason.responseCode == 3 ? .generalError : .declined }
}
