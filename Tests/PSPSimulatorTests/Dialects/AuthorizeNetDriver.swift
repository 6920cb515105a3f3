import AdapterKit
import Crypto
import Foundation
import PSPSimulator
import StrictJSON
import Testing
import WireFormats

/// Speaks Authorize.Net's API (developer.authorize.net/api/reference, read 2026).
struct AuthorizeNetDriver: TwinDriver {
    static let secrets = (right: String(repeating: "A1", count: 64), wrong: String(repeating: "B2", count: 64))
    static let hasKeys = false
    static let worksLater = false
    /// The reasons of errors that are about the card, though the response code is not 2.
    private static let cardErrors: Set<String> = ["6", "7", "8", "19", "37", "315", "316", "317"]

    let account = "shop"
    let client: RawClient
    var login = "anet_key_shop"

    init(_ client: RawClient) {
        var client = client
        client.key = ""
        self.client = client
    }

    /// Calls a method; the members follow the credentials, in the schema's order.
    func call(_ method: String, _ members: [JSON.Member]) async throws -> RawReply {
        let credentials: JSON = ["name": .string(login), "transactionKey": "Simon Secret Key"]
        return try await post([method: .object([JSON.Member("merchantAuthentication", credentials)] + members)])
    }

    /// Posts a document as it is.
    func post(_ body: JSON) async throws -> RawReply {
        try await client.send(
            "POST",
            "/xml/v1/request.api",
            headers: ["Content-Type: application/json"],
            body: body.text
        )
    }

    /// Calls `createTransactionRequest`.
    func transact(_ transaction: JSON, refId: String) async throws -> RawReply {
        try await call(
            "createTransactionRequest",
            [JSON.Member("refId", .string(refId)), JSON.Member("transactionRequest", transaction)]
        )
    }

    /// A new transaction.
    static func transaction(
        _ payment: JSON,
        reference: String = "att_1",
        amount: JSON = "10.00",
        type: String = "authOnlyTransaction"
    ) -> JSON {
        [
            "transactionType": .string(type), "amount": amount, "currencyCode": "USD", "payment": payment,
            "order": ["invoiceNumber": .string(reference)],
        ]
    }

    /// A nonce of Accept.
    static func nonce(_ token: String) -> JSON {
        ["opaqueData": ["dataDescriptor": "COMMON.ACCEPT.INAPP.PAYMENT", "dataValue": .string(token)]]
    }

    /// A network token.
    static func networkToken(_ number: String) -> JSON {
        [
            "creditCard": [
                "cardNumber": .string(number), "expirationDate": "2031-12", "isPaymentToken": true,
                "cryptogram": "AgAAAAAABk4DWZ4C28yUQAAAAAA=",
            ]
        ]
    }

    /// Apple Pay's data, encrypted, in base 64.
    static func wallet(_ token: String) -> JSON {
        let wallet: JSON = ["version": "EC_v1", "data": .string(Data(token.utf8).base64EncodedString())]
        return [
            "opaqueData": [
                "dataDescriptor": "COMMON.APPLE.INAPP.PAYMENT",
                "dataValue": .string(Data(wallet.bytes).base64EncodedString()),
            ]
        ]
    }

    func place(
        _ credential: TwinCredential,
        reference: String,
        amount: Int64,
        capture: Bool
    ) async throws -> TwinAnswer? {
        let payment =
            switch credential {
            case .token(let token): Self.nonce(token)
            case .number(let number): Self.networkToken(number)
            case .wallet(let token): Self.wallet(token)
            }
        let transaction = Self.transaction(
            payment,
            reference: String(reference.prefix(20)),
            amount: .string(Self.decimal(amount)),
            type: capture ? "authCaptureTransaction" : "authOnlyTransaction"
        )
        let reply = try await transact(transaction, refId: String(reference.prefix(20)))
        return answer(reply, capture ? .captured : .authorized)
    }

    func capture(_ payment: String, amount: Int64, reference: String) async throws -> TwinAnswer {
        let transaction: JSON = [
            "transactionType": "priorAuthCaptureTransaction", "amount": .string(Self.decimal(amount)),
            "refTransId": .string(payment),
        ]
        return answer(try await transact(transaction, refId: reference), .captured)
    }

    func void(_ payment: String, reference: String) async throws -> TwinAnswer {
        let transaction: JSON = ["transactionType": "voidTransaction", "refTransId": .string(payment)]
        return answer(try await transact(transaction, refId: reference), .voided)
    }

    func refund(_ payment: String, amount: Int64, reference: String) async throws -> TwinAnswer {
        let details = try await details(payment)["transaction"]
        let number = details?["payment"]?["creditCard"]?["cardNumber"]?.stringValue ?? "0000"
        let transaction: JSON = [
            "transactionType": "refundTransaction", "amount": .string(Self.decimal(amount)),
            "payment": ["creditCard": ["cardNumber": .string(String(number.suffix(4))), "expirationDate": "XXXX"]],
            "refTransId": .string(payment),
        ]
        return answer(try await transact(transaction, refId: reference), .refunded)
    }

    /// Calls `getTransactionDetailsRequest`.
    func details(_ transId: String) async throws -> JSON {
        let reply = try await call("getTransactionDetailsRequest", [JSON.Member("transId", .string(transId))])
        return Self.json(reply) ?? .null
    }

    /// Looks through what is not settled, and then through the batches of the last day.
    func find(reference: String) async throws -> TwinAnswer? {
        var lists = [try await call("getUnsettledTransactionListRequest", [])]
        let batches = Self.json(try await call("getSettledBatchListRequest", []))?["batchList"]?.arrayValue ?? []
        for batch in batches {
            let id = JSON.Member("batchId", batch["batchId"] ?? .null)
            lists.append(try await call("getTransactionListRequest", [id]))
        }
        let transactions = lists.flatMap { Self.json($0)?["transactions"]?.arrayValue ?? [] }
        guard let found = transactions.first(where: { $0["invoiceNumber"]?.stringValue == reference }),
            let id = found["transId"]
        else { return TwinAnswer(word: .nothing, payment: nil, reply: lists[0]) }
        let reply = try await call("getTransactionDetailsRequest", [JSON.Member("transId", id)])
        let word: TwinAnswer.Word =
            switch Self.json(reply)?["transaction"]?["transactionStatus"]?.stringValue {
            case "authorizedPendingCapture": .authorized
            case "capturedPendingSettlement", "settledSuccessfully": .captured
            case "voided": .voided
            case "declined", "generalError": .declined("")
            default: .unknown
            }
        return TwinAnswer(word: word, payment: id.stringValue, reply: reply)
    }

    func intrude() async throws -> TwinAnswer {
        var stranger = self
        stranger.login = "anet_invalid"
        let transaction = Self.transaction(Self.nonce("tok_approve"))
        return stranger.answer(try await stranger.transact(transaction, refId: "att_1"), .authorized)
    }

    func isSigned(_ incoming: IncomingWebhook, with secret: String) throws -> Bool {
        let header = try #require(incoming.header("X-ANET-Signature"))
        try #require(header.hasPrefix("sha512="))
        let key = SymmetricKey(data: Data(secret.utf8))
        let code = HMAC<SHA512>.authenticationCode(for: incoming.body, using: key)
        return Hexadecimal.decode(header.dropFirst("sha512=".count)) == Array(code)
    }

    func words(_ incoming: IncomingWebhook) throws -> String {
        let json = try JSON.parse(incoming.body)
        let type = try #require(json["eventType"]?.stringValue).dropFirst("net.authorize.payment.".count)
        return "\(type) \(json["payload"]?["authAmount"]?.text ?? "")"
    }

    /// The document behind the byte order mark.
    static func json(_ reply: RawReply) -> JSON? {
        let body = Array(reply.body.utf8)
        guard body.starts(with: [0xEF, 0xBB, 0xBF]) else { return nil }
        return try? JSON.parse(Array(body.dropFirst(3)))
    }

    /// The reason that a reply gives: of the transaction, or else of the call.
    static func reason(_ reply: RawReply) -> String? {
        let json = json(reply)
        let response = json?["transactionResponse"]
        return response?["errors"]?[0]?["errorCode"]?.stringValue ?? response?["messages"]?[0]?["code"]?.stringValue
            ?? json?["messages"]?["message"]?[0]?["code"]?.stringValue
    }

    private static func decimal(_ amount: Int64) -> String {
        "\(amount / 100)." + String(100 + amount % 100).dropFirst()
    }

    private func answer(_ reply: RawReply, _ success: TwinAnswer.Word) -> TwinAnswer {
        guard reply.status == 200, let json = Self.json(reply) else {
            return TwinAnswer(word: .unknown, payment: nil, reply: reply)
        }
        let response = json["transactionResponse"]
        let reason = Self.reason(reply) ?? ""
        let word: TwinAnswer.Word =
            switch response?["responseCode"] {
            case "1": success
            case "2": .declined(reason)
            case "3": Self.cardErrors.contains(reason) ? .declined(reason) : .refused(reason)
            case "4": .pending
            default: .refused(reason)
            }
        let transId = success == .refunded ? response?["refTransID"] : response?["transId"]
        return TwinAnswer(word: word, payment: transId?.stringValue, reply: reply)
    }
}
