import Crypto
import HTTPTransport
import StrictJSON
import Synchronization
import WireFormats

/// Authorize.Net's API: one address, JSON whose members stand in the order of the XML schema, and its webhooks.
///
/// Written from Authorize.Net's schema (`AnetApiSchema.xsd`, 2026-02), its reference of the API and its table of
/// response codes (developer.authorize.net, read 2026), apart from the adapter, so that the two check each other. It
/// has no idempotency: a transaction like another one of the last two minutes is refused instead.
package struct AuthorizeNetDialect: PSPDialect {
    /// How many hexadecimal digits a Signature Key has.
    private static let signatureKeyDigits = 128

    private let transactions: AuthorizeNetTransactions

    /// Makes the dialect.
    ///
    /// - Parameter clock: the time in milliseconds since 1970.
    package init(clock: @escaping @Sendable () -> Int64 = SimulatorClock.system) {
        transactions = AuthorizeNetTransactions(clock: clock)
    }

    package let serverError = AuthorizeNetAnswer.failure(
        "E00001",
        "An error occurred during processing. Please try again.",
        status: 500
    )

    package var routes: [DialectRoute] {
        [
            DialectRoute(.post, "xml/v1/request.api") { request throws(Refusal) in
                let envelope = try AuthorizeNetRequest(request)
                return switch envelope.method {
                case .authenticateTest: .answer(AuthorizeNetAnswer.success([], echoing: envelope.refId))
                case .createTransaction: try transactions.ask(envelope)
                case .getTransactionDetails: AuthorizeNetInquiries.details(envelope)
                case .getUnsettledTransactionList: AuthorizeNetInquiries.unsettled(envelope)
                case .getSettledBatchList: try AuthorizeNetInquiries.batches(envelope)
                case .getTransactionList: try AuthorizeNetInquiries.batch(envelope)
                case .getCustomerProfile: try transactions.profiles.find(envelope)
                case .deleteCustomerPaymentProfile: try transactions.profiles.forget(envelope)
                }
            }
        ]
    }

    package func reply(
        refusing refusal: Refusal,
        to request: PSPRequest,
        about authorization: Authorization?
    ) -> PSPReply {
        AuthorizeNetRefusal(refusal, of: request).reply(about: authorization)
    }

    package func notices(of event: BookEvent, origin: String) -> [WebhookNotice] {
        AuthorizeNetEvents.notices(of: event)
    }

    /// A Signature Key: 128 hexadecimal digits.
    package func accepts(secret: String) -> Bool {
        secret.utf8.count == Self.signatureKeyDigits && Hexadecimal.decode(secret) != nil
    }

    /// The Signature Key is used as the text that it is, not as the bytes that its digits stand for.
    package func post(_ notice: WebhookNotice, to endpoint: WebhookEndpoint, at seconds: Int64) -> WebhookPost {
        let body = notice.document.bytes
        let key = SymmetricKey(data: Array(endpoint.secret.utf8))
        let code = HMAC<SHA512>.authenticationCode(for: body, using: key)
        return WebhookPost(
            headers: [
                HTTPHeader("Content-Type", "application/json; charset=utf-8"),
                HTTPHeader("X-ANET-Signature", "sha512=\(Hexadecimal.encode(code).uppercased())"),
            ],
            body: body
        )
    }
}

/// Draws the digits that Authorize.Net calls a transaction by.
///
/// They are a number that grows and the last four digits of what pays, so that a refund can be compared with them.
final class AuthorizeNetNumbers: Sendable {
    /// 2024-01-01, in milliseconds since 1970.
    private static let epoch: Int64 = 1_704_067_200_000

    private let last = Mutex<Int64>(0)

    /// The `transId` of a new transaction.
    func draw(last4: String, at now: Int64) -> String {
        let number = last.withLock { last in
            last = max(last + 1, now - Self.epoch)
            return last
        }
        return "\(number)\(last4)"
    }

    /// The `transId` of a refund: its transaction's, and the number of the operation in two digits or more.
    static func text(of operation: BookedOperation, in authorization: Authorization) -> String {
        let number = PSPNumber(operation.id)?.operation ?? 0
        return text(of: authorization) + (number < 10 ? "0" : "") + "\(number)"
    }

    /// The `transId` of a transaction.
    static func text(of authorization: Authorization) -> String { authorization.command.identifier ?? "0" }

    /// The transaction that a refund's `transId` may belong to, for each way to part the digits.
    static func candidates(refund transId: String) -> [String] {
        (2...3).map { String(transId.dropLast($0)) }
    }

    /// The six characters that a processor approves with; none if it has not.
    static func authorizationCode(_ authorization: Authorization) -> String {
        guard authorization.authorized > 0 else { return "" }
        return String(String(authorization.createdAt, radix: 36).uppercased().suffix(6))
    }
}

/// Authorize.Net's answers: HTTP 200 and JSON in UTF-8 behind a byte order mark, `messages` last.
enum AuthorizeNetAnswer {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The request was processed.
    static func success(
        _ members: [JSON.Member],
        echoing refId: String?,
        _ code: String = "I00001",
        _ text: String = "Successful."
    ) -> PSPReply {
        reply(200, members, refId, "Ok", code, text)
    }

    /// The request was not processed.
    static func failure(
        _ code: String,
        _ text: String,
        _ members: [JSON.Member] = [],
        echoing refId: String? = nil,
        status: Int = 200
    ) -> PSPReply {
        reply(status, members, refId, "Error", code, text)
    }

    /// A transaction that was processed, or was not because of an error.
    static func transaction(_ response: JSON, _ profile: JSON? = nil, echoing refId: String?) -> PSPReply {
        var members = [JSON.Member("transactionResponse", response)]
        if let profile { members.append(JSON.Member("profileResponse", profile)) }
        guard response["responseCode"] == "3" else { return success(members, echoing: refId) }
        return failure("E00027", "The transaction was unsuccessful.", members, echoing: refId)
    }

    private static func reply(
        _ status: Int,
        _ members: [JSON.Member],
        _ refId: String?,
        _ result: String,
        _ code: String,
        _ text: String
    ) -> PSPReply {
        let messages: JSON = [
            "resultCode": .string(result), "message": [["code": .string(code), "text": .string(text)]],
        ]
        let echo = refId.map { [JSON.Member("refId", .string($0))] } ?? []
        let json = JSON.object(members + echo + [JSON.Member("messages", messages)])
        return PSPReply(status, contentType: "application/json; charset=utf-8", body: byteOrderMark + json.bytes)
    }
}

/// Authorize.Net's webhooks (developer.authorize.net/api/reference/features/webhooks.html, read 2026).
///
/// There is none of a decline, an expiry, a settlement or a dispute. A refund has an identifier of its own; a capture
/// and a void have the payment's.
private enum AuthorizeNetEvents {
    /// The notification of a change in the books, if Authorize.Net sends one.
    static func notices(of event: BookEvent) -> [WebhookNotice] {
        guard let word = word(of: event) else { return [] }
        let id = identifier("notification \(event.id)")
        let document: JSON = [
            "notificationId": .string(id), "eventType": .string("net.authorize.payment.\(word)"),
            "eventDate": .string(AuthorizeNetDate.text(event.at)),
            "webhookId": .string(identifier("webhook \(event.authorization.account)")), "payload": payload(event),
        ]
        return [WebhookNotice(id: id, document)]
    }

    private static func payload(_ event: BookEvent) -> JSON {
        let authorization = event.authorization
        let refund = event.operation.flatMap { $0.kind == .refund ? $0 : nil }
        let details = event.operation?.details ?? authorization.command.details
        return .object(omittingAbsent: [
            "responseCode": .integer(event.operation == nil ? AuthorizeNetReason(of: authorization).responseCode : 1),
            "authCode": .string(AuthorizeNetNumbers.authorizationCode(authorization)),
            "avsResponse": "P",
            "authAmount": AuthorizeNetAmount.json(amount(of: event)),
            "merchantReferenceId": details["refId"].map(JSON.string),
            "invoiceNumber": (details["invoiceNumber"] ?? authorization.command.details["invoiceNumber"])
                .map(JSON.string),
            "entityName": "transaction",
            "id": .string(
                refund.map { AuthorizeNetNumbers.text(of: $0, in: authorization) }
                    ?? AuthorizeNetNumbers.text(of: authorization)
            ),
        ])
    }

    /// What follows `net.authorize.payment.`.
    ///
    /// A transaction that was held for review is told of as it is held and as that is decided. What is worked on is
    /// told of as it is taken, and not again.
    private static func word(of event: BookEvent) -> String? {
        let isLate = event.at > event.authorization.createdAt
        return switch event.type {
        case "authorization.pending", "authorization.requires_action": "fraud.held"
        case "authorization.authorized": isLate ? "fraud.approved" : "authorization.created"
        case "authorization.captured": isLate ? "fraud.approved" : "authcapture.created"
        case "authorization.declined": isLate ? "fraud.declined" : nil
        case "capture.pending", "capture.succeeded": isToldAlready(event) ? nil : "priorAuthCapture.created"
        case "void.pending", "void.succeeded": isToldAlready(event) ? nil : "void.created"
        case "refund.pending", "refund.succeeded": isToldAlready(event) ? nil : "refund.created"
        default: nil
        }
    }

    /// Whether an operation is done that was worked on for a while.
    private static func isToldAlready(_ event: BookEvent) -> Bool {
        event.type.hasSuffix(".succeeded") && event.at > event.operation?.at ?? event.at
    }

    private static func amount(of event: BookEvent) -> Int64 {
        if let operation = event.operation, operation.kind != .void { return operation.amount }
        return event.authorization.authorized > 0 ? event.authorization.authorized : event.authorization.command.amount
    }

    /// An identifier in the form of a UUID, the same whenever it is made again.
    private static func identifier(_ text: String) -> String {
        let digits = Hexadecimal.encode(SHA256.hash(data: Array(text.utf8))).prefix(32)
        var rest = digits[...]
        return [8, 4, 4, 4, 12].map { count in
            defer { rest = rest.dropFirst(count) }
            return String(rest.prefix(count))
        }.joined(separator: "-")
    }
}
