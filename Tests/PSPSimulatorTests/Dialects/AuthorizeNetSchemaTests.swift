import PSPSimulator
import StrictJSON
import Testing

@Suite("Authorize.Net's dialect reads by the schema", .serialized, .timeLimit(.minutes(10)))
struct AuthorizeNetSchemaTests {
    private static let usual = AuthorizeNetDriver.transaction(AuthorizeNetDriver.nonce("tok_approve"))

    /// The usual transaction with members changed, or added at the end.
    private static func transaction(_ changes: JSON) -> JSON {
        let changed = changes.objectValue ?? []
        let kept = (usual.objectValue ?? []).map { member in
            changed.first { $0.key == member.key } ?? member
        }
        let added = changed.filter { change in !kept.contains { $0.key == change.key } }
        return .object((kept + added).filter { $0.value != "-" })
    }

    /// What is wrong with a transaction, and the code that it is refused with.
    static let refusals: [(changes: JSON, code: String)] = [
        (["authCode": "ABC123"], "E00003"), (["colour": "red"], "E00003"), (["transactionType": "-"], "E00003"),
        (["amount": "ten"], "E00003"), (["amount": ["value": 1]], "E00003"), (["amount": "10.001"], "5"),
        (["amount": "0.00"], "5"), (["amount": "-1.00"], "5"), (["amount": "-"], "5"),
        (["amount": "10000000000.01"], "49"), (["currencyCode": "JPY"], "39"), (["payment": "-"], "33"),
        (["transactionType": "sale"], "174"), (["order": ["invoiceNumber": "123456789012345678901"]], "E00003"),
        (["order": ["description": "a", "invoiceNumber": "b"]], "E00003"),
        (["payment": ["creditCard": ["cardNumber": "4111111111111111"]]], "E00003"),
        (["payment": ["creditCard": ["expirationDate": "2031-12", "cardNumber": "4111111111111111"]]], "E00003"),
        (["payment": ["creditCard": ["cardNumber": "41111111111111112", "expirationDate": "2031-12"]]], "E00003"),
        (["payment": ["creditCard": ["cardNumber": "411111111111", "expirationDate": "2031-12"]]], "6"),
        (["payment": ["creditCard": ["cardNumber": "4111111111111111", "expirationDate": "2031-13"]]], "7"),
        (
            [
                "payment": [
                    "creditCard": [
                        "cardNumber": "4111111111111111", "expirationDate": "1231", "isPaymentToken": true,
                    ]
                ]
            ], "153"
        ),
        (["payment": ["opaqueData": ["dataDescriptor": "COMMON.APPLE.INAPP.PAYMENT", "dataValue": "%"]]], "153"),
        (["payment": ["opaqueData": ["dataValue": "a", "dataDescriptor": "b"]]], "E00003"),
        (["payment": ["bankAccount": ["routingNumber": "1"]]], "18"),
        (["userFields": ["userField": ["value": "a", "name": "b"]]], "E00003"),
        (["transactionSettings": ["setting": ["settingName": "duplicateWindow", "settingValue": "x"]]], "E00013"),
        (["billTo": ["zip": "123456789012345678901"]], "E00003"),
    ]

    @Test("and refuses what does not follow it", arguments: refusals)
    func refusal(_ wrong: (changes: JSON, code: String)) async throws {
        try await withSimulator(dialect: .authorizeNet) { simulator, client in
            let driver = AuthorizeNetDriver(client)
            let reply = try await driver.transact(Self.transaction(wrong.changes), refId: "r")
            #expect(reply.status == 200 && AuthorizeNetDriver.reason(reply) == wrong.code)
            let messages = AuthorizeNetDriver.json(reply)?["messages"]
            #expect(messages?["resultCode"] == "Error")
            #expect(await simulator.settled("shop").isEmpty)
        }
    }

    @Test("and names what could have come")
    func expectation() async throws {
        try await withSimulator(dialect: .authorizeNet) { _, client in
            let driver = AuthorizeNetDriver(client)
            let misplaced = try await driver.transact(Self.transaction(["refTransId": "1"]), refId: "r")
            let text = AuthorizeNetDriver.json(misplaced)?["messages"]?["message"]?[0]?["text"]?.stringValue
            let namespace = "in namespace 'AnetApi/xml/v1/schema/AnetApiSchema.xsd'"
            #expect(
                text?.hasPrefix(
                    "The element 'transactionRequest' \(namespace) has invalid child element 'refTransId' "
                        + "\(namespace). List of possible elements expected: 'lineItems, tax, duty, shipping, "
                ) == true
            )
            let long = String(repeating: "r", count: 21)
            let tooLong = try await driver.transact(Self.usual, refId: long)
            #expect(AuthorizeNetDriver.reason(tooLong) == "E00003" && !tooLong.text.contains(long))
            let body = JSON.Member("transactionRequest", Self.usual)
            let late = try await driver.call("createTransactionRequest", [body, JSON.Member("refId", "r")])
            #expect(AuthorizeNetDriver.reason(late) == "E00003")
        }
    }

    @Test("and answers behind a byte order mark, whatever it is asked")
    func envelope() async throws {
        try await withSimulator(dialect: .authorizeNet) { _, client in
            let driver = AuthorizeNetDriver(client)
            let test = try await driver.call("authenticateTestRequest", [JSON.Member("refId", "r")])
            #expect(test.body.unicodeScalars.first == "\u{FEFF}")
            let json = AuthorizeNetDriver.json(test)
            #expect(json?["messages"]?["resultCode"] == "Ok" && json?["refId"] == "r")
            #expect(AuthorizeNetDriver.reason(try await driver.call("createCustomerRequest", [])) == "E00004")
            #expect(AuthorizeNetDriver.reason(try await driver.post([])) == "E00003")
            #expect(AuthorizeNetDriver.reason(try await driver.post(["authenticateTestRequest": [:]])) == "E00003")
            var stranger = driver
            stranger.login = "anet_invalid"
            #expect(AuthorizeNetDriver.reason(try await stranger.call("authenticateTestRequest", [])) == "E00007")
        }
    }

    @Test("and takes numbers as text, and text as numbers")
    func scalars() async throws {
        try await withSimulator(dialect: .authorizeNet) { simulator, client in
            let driver = AuthorizeNetDriver(client)
            let card: JSON = ["cardNumber": 4_111_111_111_111_111, "expirationDate": "12/31", "cardCode": 123]
            let payment: JSON = ["creditCard": card]
            for (number, amount) in ([12, .number("12.0"), .number("12.00"), "12", "12.0", ".5"] as [JSON]).enumerated()
            {
                let transaction = AuthorizeNetDriver.transaction(payment, reference: "att_\(number)", amount: amount)
                let reply = try await driver.transact(transaction, refId: "r")
                #expect(AuthorizeNetDriver.reason(reply) == "1")
            }
            #expect(await simulator.settled("shop").map(\.held) == [1200, 1200, 1200, 1200, 1200, 50])
        }
    }
}
