import AdapterKit
import Crypto
import Foundation
import PSPSimulator
import StrictJSON
import Testing
import WireFormats

/// Speaks Braintree's GraphQL API (graphql.braintreepayments.com, version 2019-01-01).
struct BraintreeDriver: TwinDriver {
    static let secrets = (right: "pub_shop:pri_key_shop", wrong: "pub_shop:pri_key_thief")
    static let hasKeys = false
    static let worksLater = false

    /// What is asked of every transaction.
    static let transaction = "id status orderId amount { value currencyCode } processorResponse { legacyCode }"

    let account = "shop"
    let client: RawClient
    var keys = "pub_shop:pri_key_shop"

    init(_ client: RawClient) {
        var client = client
        client.key = ""
        self.client = client
    }

    /// Sends a document and its variables.
    func send(_ query: String, _ variables: JSON = .object([]), headers: [String]? = nil) async throws -> RawReply {
        let usual = [
            "Authorization: Basic \(Data(keys.utf8).base64EncodedString())", "Braintree-Version: 2019-01-01",
            "Content-Type: application/json",
        ]
        let body: JSON = ["query": .string(query), "variables": variables]
        return try await client.send("POST", "/graphql", headers: headers ?? usual, body: body.text)
    }

    /// Runs a mutation by its name.
    func mutate(_ name: String, _ input: JSON, _ selection: String) async throws -> RawReply {
        let type = name.prefix(1).uppercased() + name.dropFirst() + "Input"
        let query = "mutation ($input: \(type)!) { \(name)(input: $input) { \(selection) } }"
        return try await send(query, ["input": input])
    }

    /// An amount of US dollars.
    static func amount(_ minor: Int64) -> JSON {
        .string("\(minor / 100)." + String(String(100 + minor % 100).dropFirst()))
    }

    /// The input of `tokenizeNetworkToken`.
    static func networkToken(_ number: String) -> JSON {
        [
            "networkToken": [
                "number": .string(number), "cryptogram": "AgAAAAAABk4DWZ4C28yUQAAAAAA=", "eCommerceIndicator": "07",
                "expirationMonth": "12", "expirationYear": "2031", "originDetails": ["origin": "APPLE_PAY"],
            ]
        ]
    }

    /// The input of a transaction.
    static func wish(_ method: String, reference: String = "att_1", amount: Int64 = 1000) -> JSON {
        [
            "paymentMethodId": .string(method),
            "transaction": ["amount": Self.amount(amount), "orderId": .string(reference)],
        ]
    }

    /// The payment method of a network token.
    func tokenize(_ number: String) async throws -> String {
        let reply = try await mutate("tokenizeNetworkToken", Self.networkToken(number), "paymentMethod { id usage }")
        let method = reply.json?["data"]?["tokenizeNetworkToken"]?["paymentMethod"]
        #expect(method?["usage"] == "SINGLE_USE")
        return try #require(method?["id"]?.stringValue)
    }

    func place(
        _ credential: TwinCredential,
        reference: String,
        amount: Int64,
        capture: Bool
    ) async throws -> TwinAnswer? {
        let method: String
        switch credential {
        case .token(let token): method = token
        case .number(let number): method = try await tokenize(number)
        case .wallet: return nil
        }
        let name = capture ? "chargePaymentMethod" : "authorizePaymentMethod"
        let input = Self.wish(method, reference: reference, amount: amount)
        let selection =
            "transaction { \(Self.transaction) statusHistory { ... on GatewayRejectedEvent { "
            + "gatewayRejectionReason } } }"
        return answer(try await mutate(name, input, selection), name, "transaction")
    }

    func capture(_ payment: String, amount: Int64, reference: String) async throws -> TwinAnswer {
        let input: JSON = [
            "clientMutationId": .string(reference), "transactionId": .string(payment),
            "transaction": ["amount": Self.amount(amount)],
        ]
        let reply = try await mutate("captureTransaction", input, "transaction { \(Self.transaction) }")
        return answer(reply, "captureTransaction", "transaction")
    }

    func void(_ payment: String, reference: String) async throws -> TwinAnswer {
        let input: JSON = ["clientMutationId": .string(reference), "transactionId": .string(payment)]
        let selection = "reversal { __typename ... on Transaction { \(Self.transaction) } ... on Refund { id status } }"
        return answer(try await mutate("reverseTransaction", input, selection), "reverseTransaction", "reversal")
    }

    func refund(_ payment: String, amount: Int64, reference: String) async throws -> TwinAnswer {
        let input: JSON = [
            "transactionId": .string(payment),
            "refund": ["amount": Self.amount(amount), "orderId": .string(reference)],
        ]
        let selection = "refund { __typename id status amount { value } refundedTransaction { id } }"
        return answer(try await mutate("refundTransaction", input, selection), "refundTransaction", "refund")
    }

    /// Searches transactions; the selection is of the transaction.
    func search(_ input: JSON, _ selection: String = transaction) async throws -> (nodes: [JSON]?, reply: RawReply) {
        let reply = try await send(
            "query Find($input: TransactionSearchInput!) { search { transactions(input: $input, first: 2) "
                + "{ pageInfo { hasNextPage endCursor } edges { node { \(selection) } } } } }",
            ["input": input]
        )
        let edges = reply.json?["data"]?["search"]?["transactions"]?["edges"]?.arrayValue
        return (edges?.compactMap { $0["node"] }, reply)
    }

    func find(reference: String) async throws -> TwinAnswer? {
        let (nodes, reply) = try await search(["orderId": ["is": .string(reference)]])
        guard reply.status == 200, let nodes else { return TwinAnswer(word: .unknown, payment: nil, reply: reply) }
        guard let first = nodes.first else { return TwinAnswer(word: .nothing, payment: nil, reply: reply) }
        return TwinAnswer(word: Self.word(first), payment: first["id"]?.stringValue, reply: reply)
    }

    func intrude() async throws -> TwinAnswer {
        var stranger = self
        stranger.keys = "pub_shop:pri_invalid"
        return stranger.answer(try await stranger.send("{ ping }"), "ping", "")
    }

    func isSigned(_ incoming: IncomingWebhook, with secret: String) throws -> Bool {
        let form = try FormDocument(incoming.body)
        let keys = secret.split(separator: ":")
        let pairs = try #require(form.value("bt_signature")).split(separator: "&")
        let mine = try #require(pairs.first { $0.hasPrefix(keys[0] + "|") })
        let payload = try #require(form.value("bt_payload"))
        let key = SymmetricKey(data: Insecure.SHA1.hash(data: Data(keys[1].utf8)))
        let code = HMAC<Insecure.SHA1>.authenticationCode(for: Data(payload.utf8), using: key)
        return Hexadecimal.decode(mine.dropFirst(keys[0].count + 1)) == Array(code)
    }

    func words(_ incoming: IncomingWebhook) throws -> String {
        let text = try xml(incoming)
        return ["kind", "status", "amount"].map { Self.tag($0, in: text) ?? "" }.joined(separator: " ")
    }

    /// The document of a webhook.
    func xml(_ incoming: IncomingWebhook) throws -> String {
        let payload = try #require(try FormDocument(incoming.body).value("bt_payload"))
        let data = try #require(Data(base64Encoded: payload, options: .ignoreUnknownCharacters))
        return String(decoding: data, as: UTF8.self)
    }

    /// The text of the first element of that name.
    static func tag(_ name: String, in xml: String) -> String? {
        guard let start = xml.firstRange(of: "<\(name)>") else { return nil }
        return xml[start.upperBound...].firstRange(of: "</\(name)>").map { end in
            String(xml[start.upperBound..<end.lowerBound])
        }
    }

    /// What a reply says.
    func answer(_ reply: RawReply, _ root: String, _ field: String) -> TwinAnswer {
        guard reply.status == 200, let json = reply.json else {
            return TwinAnswer(word: .unknown, payment: nil, reply: reply)
        }
        if let extensions = json["errors"]?[0]?["extensions"] {
            let code = (extensions["legacyCode"] ?? extensions["errorClass"])?.stringValue ?? ""
            return TwinAnswer(word: .refused(code), payment: nil, reply: reply)
        }
        guard let object = json["data"]?[root]?[field] else {
            return TwinAnswer(word: .unknown, payment: nil, reply: reply)
        }
        return TwinAnswer(word: Self.word(object), payment: object["id"]?.stringValue, reply: reply)
    }

    private static func word(_ object: JSON) -> TwinAnswer.Word {
        switch (object["__typename"]?.stringValue, object["status"]?.stringValue) {
        case ("Refund", "SUBMITTED_FOR_SETTLEMENT"), ("Refund", "SETTLED"): .refunded
        case (_, "AUTHORIZED"): .authorized
        case (_, "SUBMITTED_FOR_SETTLEMENT"), (_, "SETTLING"), (_, "SETTLED"): .captured
        case (_, "VOIDED"): .voided
        case (_, "AUTHORIZING"), (_, "SETTLEMENT_PENDING"): .pending
        case (_, "PROCESSOR_DECLINED"), (_, "FAILED"), (_, "GATEWAY_REJECTED"), (_, "SETTLEMENT_DECLINED"):
            .declined(
                object["processorResponse"]?["legacyCode"]?.stringValue
                    ?? object["statusHistory"]?[0]?["gatewayRejectionReason"]?.stringValue ?? ""
            )
        default: .unknown
        }
    }
}

/// Runs `body` against a simulator that speaks Braintree's dialect.
func withBraintree(_ body: (BraintreeDriver, RunningSimulator) async throws -> Void) async throws {
    try await withSimulator(dialect: .braintree) { simulator, client in
        try await body(BraintreeDriver(client), simulator)
    }
}
