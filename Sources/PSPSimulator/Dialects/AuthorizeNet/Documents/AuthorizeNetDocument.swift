import StrictJSON

/// Authorize.Net's answers to `createTransactionRequest`.
enum AuthorizeNetDocument {
    /// The answer to a new transaction.
    static func reply(_ authorization: Authorization, echoing refId: String?) -> PSPReply {
        let reason = AuthorizeNetReason(of: authorization)
        let transId = reason.responseCode == 3 ? "0" : AuthorizeNetNumbers.text(of: authorization)
        let response = response(reason, transId: transId, refTransId: "", about: authorization)
        return AuthorizeNetReply.transaction(response, echoing: refId)
    }

    /// The answer to a capture, a void or a refund.
    ///
    /// What is worked on is approved already: Authorize.Net tells in its reports that it fails at the settlement.
    static func reply(_ operation: Operation, of authorization: Authorization, echoing refId: String?) -> PSPReply {
        let reason =
            operation.status == .failed
            ? AuthorizeNetReason(operation.decline ?? .generic) : AuthorizeNetReason.approved
        let original = AuthorizeNetNumbers.text(of: authorization)
        let own =
            operation.kind == .refund ? AuthorizeNetNumbers.text(of: operation, in: authorization) : original
        let transId = reason.responseCode == 3 ? "0" : own
        let response = response(reason, transId: transId, refTransId: original, about: authorization)
        return AuthorizeNetReply.transaction(response, echoing: refId)
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
