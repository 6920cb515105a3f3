import PSPSimulator
import StrictJSON
import Testing

@Suite("Braintree's dialect refuses", .serialized, .timeLimit(.minutes(10)))
struct BraintreeErrorTests {
    /// Changes to the usual transaction, and the error that they lead to.
    static let transactions: [(member: String, value: JSON, code: String)] = [
        ("amount", "0", "81531"), ("amount", "-1.00", "81501"), ("amount", "1.000", "81503"),
        ("amount", "99999999999999", "81528"), ("orderId", .string(String(repeating: "o", count: 256)), "91501"),
        ("descriptor", ["name": "a descriptor without a star"], "92201"),
    ]

    @Test("transactions that it validates, with their number and place", arguments: transactions)
    func validation(member: String, value: JSON, code: String) async throws {
        try await withBraintree { driver, simulator in
            let usual: [JSON.Member] = [JSON.Member("amount", "10.00"), JSON.Member("orderId", "att_1")]
            let members = usual.filter { $0.key != member } + [JSON.Member(member, value)]
            let wish: JSON = ["paymentMethodId": "tok_approve", "transaction": .object(members)]
            let reply = try await driver.mutate("chargePaymentMethod", wish, "transaction { id }")
            let error = try #require(reply.json?["errors"]?[0])
            #expect(reply.status == 200 && reply.json?["data"] == ["chargePaymentMethod": .null])
            #expect(error["path"] == ["chargePaymentMethod"] && error["message"]?.stringValue?.isEmpty == false)
            #expect(error["extensions"]?["errorClass"] == "VALIDATION")
            #expect(error["extensions"]?["legacyCode"]?.stringValue == code)
            let path = error["extensions"]?["inputPath"]?.arrayValue
            #expect(path?.starts(with: ["input", "transaction", .string(member)]) == true)
            #expect(reply.json?["extensions"]?["requestId"]?.stringValue?.utf8.count == 36)
            #expect(await simulator.settled("shop").isEmpty)
        }
    }

    @Test(
        "network tokens that are none",
        arguments: [
            ("number", "4111111111111112", "81715"), ("number", "41111111111", "81716"), ("cryptogram", "", nil),
            ("expirationMonth", "13", nil), ("expirationYear", "31", nil), ("eCommerceIndicator", "7", nil),
            ("originDetails", ["origin": "SAMSUNG_PAY"], nil), ("colour", "red", nil),
        ] as [(String, JSON, String?)]
    )
    func networkTokens(member: String, value: JSON, code: String?) async throws {
        try await withBraintree { driver, _ in
            let token = BraintreeDriver.networkToken("4111111111111111")["networkToken"]?.objectValue ?? []
            let members = token.filter { $0.key != member } + [JSON.Member(member, value)]
            let input: JSON = ["networkToken": .object(members)]
            let reply = try await driver.mutate("tokenizeNetworkToken", input, "paymentMethod { id }")
            let error = try #require(reply.json?["errors"]?[0])
            #expect(error["extensions"]?["legacyCode"]?.stringValue == code)
            #expect(!reply.text.contains("4111111111111112"))
        }
    }

    private static let usual = "($input: ChargePaymentMethodInput!)"
    private static let method = "paymentMethodId: \"tok_approve\""

    /// A document that charges a payment method, or would, but for the part that is given.
    private static func charge(
        _ variables: String,
        _ arguments: String = "(input: $input)",
        _ selection: String = "transaction { id }"
    ) -> String {
        "mutation \(variables) { chargePaymentMethod\(arguments) { \(selection) } }"
    }

    /// Documents that do not go with the usual variables, or with the schema.
    static let wrongDocuments: [String] = variables + selections + others

    private static let variables: [String] = [
        charge("($input: ChargePaymentMethodInput)"), charge("($input: AuthorizePaymentMethodInput!)"), charge(""),
        charge("($input: ChargePaymentMethodInput!, $x: ID)"), charge("", ""), charge(usual, "(wish: $input)"),
        charge("", "(input: {\(method)})"), charge("", "(input: {\(method), transaction: {amount: 10.00}})"),
        charge("", "(input: {\(method), transaction: {amount: \"10.0\"}})"),
        charge("", "(input: {\(method), transaction: {amount: null}})"),
        charge("", "(input: {\(method), transaction: {amount: \"10.00\", colour: \"red\"}})"),
        charge("", "(input: {\(method), transaction: \"10.00\"})"),
    ]

    private static let selections: [String] = [
        "transaction { colour }", "transaction", "transaction { id { x } }", "...all", "... on Nothing { id }", "",
        "transaction { id } }", "transaction @skip(if: true) { id }",
        "transaction { id } } again: chargePaymentMethod(input: $input) { transaction { id }",
    ].map { charge(usual, "(input: $input)", $0) }

    private static let others: [String] = [
        "fragment all on TransactionPayload { ...all } " + charge(usual, "(input: $input)", "...all"),
        "subscription { ping }", "", "{ ping ", "query A { ping } query B { ping }", "{ ping(\"\"\"a\"\"\") }",
        "{ ping \"a }",
    ]

    @Test("documents and variables that its schema does not know", arguments: wrongDocuments)
    func documents(document: String) async throws {
        try await withBraintree { driver, simulator in
            let reply = try await driver.send(document, ["input": BraintreeDriver.wish("tok_approve")])
            let error = try #require(reply.json?["errors"]?[0])
            #expect(reply.status == 200 && error["extensions"] == nil && reply.json?["data"] == nil)
            #expect(error["message"]?.stringValue?.isEmpty == false)
            #expect(await simulator.settled("shop").isEmpty)
        }
    }

    @Test("documents without bounds")
    func bounds() async throws {
        try await withBraintree { driver, _ in
            let deep = String(repeating: "{ node ", count: 2000)
            let wide = "{ " + String(repeating: "ping ", count: 1001) + "}"
            let long = "{ " + String(repeating: "ping ", count: 4001) + "}"
            let doubled = (0..<20).map { "fragment f\($0) on Query { ...f\($0 + 1) ...f\($0 + 1) } " }.joined()
            for document in [deep, wide, long, doubled + "fragment f20 on Query { ping } { ...f0 }"] {
                let reply = try await driver.send(document)
                #expect(reply.json?["errors"]?[0]?["message"]?.stringValue?.isEmpty == false)
            }
        }
    }

    @Test("requests without its version, with an old one, or of another type")
    func headers() async throws {
        try await withBraintree { driver, _ in
            let key = "Authorization: Basic cHViOnByaV9rZXlfc2hvcA=="
            let json = "Content-Type: application/json; charset=utf-8"
            let answers: [([String], String?)] = [
                ([key, json], "UNSUPPORTED_CLIENT"),
                ([key, json, "Braintree-Version: 2018-09-09"], "UNSUPPORTED_CLIENT"),
                ([key, json, "Braintree-Version: today"], "UNSUPPORTED_CLIENT"),
                (["Authorization: Bearer pri_key_shop", json, "Braintree-Version: 2019-01-01"], "AUTHENTICATION"),
                ([key, "Content-Type: text/plain", "Braintree-Version: 2019-01-01"], nil),
            ]
            for (headers, errorClass) in answers {
                let reply = try await driver.send("{ ping }", headers: headers)
                #expect(reply.json?["errors"]?[0]?["extensions"]?["errorClass"]?.stringValue == errorClass)
                #expect(reply.status == 200 && reply.json?["data"]?["ping"] == nil)
            }
            let right = try await driver.send("{ ping }", headers: [key, json, "Braintree-Version: 2019-01-01"])
            #expect(right.json?["data"] == ["ping": "pong"])
        }
    }

    @Test("triggers of its own kinds")
    func triggers() async throws {
        try await withBraintree { driver, _ in
            #expect(try await driver.hold("tok_reject_configuration")?.word == .refused("AUTHORIZATION"))
            #expect(try await driver.hold("tok_reject_unsupported")?.word == .refused("91517"))
            #expect(try await driver.hold("tok_nonsense")?.word == .refused("91565"))
            let payment = try #require(try await driver.hold("tok_approve+capture_reject_unsupported")?.payment)
            let capture = try await driver.capture(payment, amount: 1000, reference: "op_1")
            #expect(capture.word == .refused("NOT_IMPLEMENTED"))
        }
    }
}
