import PSPSimulator
import StrictJSON
import Testing

@Suite("Worldpay's dialect", .serialized, .timeLimit(.minutes(10)))
struct WorldpayPaymentTests {
    private static func withWorldpay(_ body: (WorldpayDriver, RunningSimulator) async throws -> Void) async throws {
        try await withSimulator(dialect: .worldpay) { simulator, client in
            try await body(WorldpayDriver(client), simulator)
        }
    }

    @Test(
        "declines with Worldpay's codes, and 201",
        arguments: [
            ("insufficient_funds", "51", "02"), ("expired_card", "54", "01"), ("invalid_card", "14", "03"),
            ("lost_or_stolen", "43", "03"), ("authentication_required", "65", nil), ("not_permitted", "57", "03"),
            ("limit_exceeded", "61", "02"), ("temporary", "91", "02"), ("generic", "5", nil),
        ] as [(String, String, String?)]
    )
    func declines(trigger: String, code: String, advice: String?) async throws {
        try await Self.withWorldpay { driver, _ in
            let answer = try #require(try await driver.hold("tok_decline_\(trigger)"))
            #expect(answer.reply.status == 201 && answer.word == .declined(code))
            #expect(answer.reply.json?["advice"]?["code"]?.stringValue == advice)
            #expect(answer.reply.json?["refusalDescription"]?.stringValue?.isEmpty == false)
            #expect(answer.payment?.utf8.count == 25 && answer.reply.json?["_actions"] == nil)
            #expect(try await driver.find(reference: "att_1")?.payment == answer.payment)
        }
    }

    @Test("stops at a risk rule before there is a payment")
    func fraud() async throws {
        try await Self.withWorldpay { driver, _ in
            let answer = try #require(try await driver.hold("tok_decline_suspected_fraud"))
            #expect(answer.reply.status == 201 && answer.word == .declined("fraudHighRisk") && answer.payment == nil)
            #expect(try await driver.find(reference: "att_1")?.word == .nothing)
        }
    }

    /// What is put where in a payment, and what is wrong with it then.
    static let violations: [(path: [String], value: JSON?, name: String)] = [
        (["transactionReference"], nil, "fieldIsMissing"), (["transactionReference"], "", "fieldIsEmpty"),
        (["transactionReference"], .string(String(repeating: "a", count: 65)), "stringIsTooLong"),
        (["transactionReference"], "a&b", "stringFailedRegexCheck"), (["transactionReference"], 1, "fieldMustBeString"),
        (["colour"], "red", "fieldIsNotAllowed"), (["merchant"], [:], "fieldIsMissing"),
        (["merchant", "entity"], "a-b", "stringFailedRegexCheck"), (["channel"], "pos", "fieldHasInvalidValue"),
        (["instruction", "method"], "card2", "fieldHasInvalidValue"),
        (["instruction", "narrative"], nil, "fieldIsMissing"),
        (["instruction", "narrative", "line1"], "It's", "stringFailedRegexCheck"),
        (["instruction", "narrative", "line1"], "Twenty-five characters is", "stringIsTooLong"),
        (["instruction", "value", "amount"], 0, "numberIsTooSmall"),
        (["instruction", "value", "amount"], 2_147_483_648, "numberIsTooLarge"),
        (["instruction", "value", "amount"], "1000", "fieldMustBeInteger"),
        (["instruction", "value", "currency"], "usd", "stringFailedRegexCheck"),
        (["instruction", "settlement"], [:], "fieldIsMissing"),
        (["instruction", "settlement", "auto"], "true", "fieldMustBeBoolean"),
        (["instruction", "paymentInstrument", "type"], "encrypted", "fieldHasInvalidValue"),
        (["instruction", "paymentInstrument", "cvv"], "123", "fieldIsNotAllowed"),
        (["instruction", "paymentInstrument", "href"], nil, "fieldIsMissing"),
        (["instruction", "paymentInstrument"], ["type": "networkToken"], "fieldIsMissing"),
        (["instruction", "tokenCreation"], ["type": "worldpay"], "fieldIsNotAllowed"),
        (["instruction", "customer"], ["phone": "+4915112345678"], "stringFailedRegexCheck"),
        (["instruction", "customer"], ["lastName": "Twenty-three characters"], "stringIsTooLong"),
        (["instruction", "shipping"], ["address": ["address1": "Kade 1", "city": "Gent"]], "fieldIsMissing"),
    ]

    @Test("refuses what its description does not allow, and says where", arguments: violations)
    func refusals(violation: (path: [String], value: JSON?, name: String)) async throws {
        try await Self.withWorldpay { driver, simulator in
            let usual = WorldpayDriver.payment(WorldpayDriver.token("tok_approve"))
            let reply = try await driver.post("/api/payments", usual.setting(violation.path, violation.value))
            #expect(reply.status == 400 && reply.json?["errorName"] == "bodyDoesNotMatchSchema")
            let error = reply.json?["validationErrors"]?[0]
            #expect(error?["errorName"]?.stringValue == violation.name)
            let path = "$." + violation.path.joined(separator: ".")
            #expect(error?["jsonPath"]?.stringValue?.hasPrefix(path) == true)
            #expect(await simulator.settled("shop").isEmpty)
        }
    }

    @Test("takes every kind of instrument with the method that it belongs to")
    func instruments() async throws {
        let expiry: JSON = ["month": 12, "year": 2031]
        let google: JSON = ["signedMessage": #"{"encryptedMessage":"dG9rX2FwcHJvdmU="}"#, "signature": "MEQ="]
        let cases: [(method: String, instrument: JSON)] = [
            ("card", ["type": "plain", "cardNumber": "4000000000002701", "expiryDate": expiry, "cvc": "123"]),
            (
                "card",
                [
                    "type": "networkToken", "tokenNumber": "4000000000002701", "expiryDate": expiry,
                    "cryptogram": "MAAAAAAAAAAAAAAAAAAAAAAAAAB=", "eci": "07",
                ]
            ),
            ("card", ["type": "checkout", "sessionHref": "https://try.access.worldpay.com/sessions/tok_approve"]),
            ("applepay", WorldpayDriver.decrypted("5200000000002235")),
            ("applepay", WorldpayDriver.encrypted("tok_approve")),
            ("googlepay", ["type": "decrypted", "number": "340000000002708", "expiryDate": expiry]),
            ("googlepay", ["type": "encrypted", "walletToken": .string(google.text)]),
        ]
        try await Self.withWorldpay { driver, simulator in
            for (number, (method, instrument)) in cases.enumerated() {
                let body = WorldpayDriver.payment(instrument, method: method, reference: "att_\(number)")
                let reply = try await driver.post("/api/payments", body)
                #expect(reply.status == 201 && reply.json?["outcome"] == "authorized", "\(reply.text)")
                let other = WorldpayDriver.payment(instrument, method: method == "card" ? "applepay" : "card")
                #expect(try await driver.post("/api/payments", other).status == 400)
            }
            let apple = WorldpayDriver.payment(["type": "encrypted", "walletToken": "e30="], method: "applepay")
            #expect(try await driver.post("/api/payments", apple).status == 400)
            #expect(await simulator.settled("shop").count == cases.count)
            #expect(try await driver.client.get("/books").text.contains("2708"))
            #expect(try await driver.client.get("/books").text.contains("340000000002708") == false)
        }
    }

    @Test("asks for its headers")
    func headers() async throws {
        try await Self.withWorldpay { driver, _ in
            var old = driver
            old.version = "2023-01-01"
            let body = WorldpayDriver.payment(WorldpayDriver.token("tok_approve"))
            let version = try await old.post("/api/payments", body)
            #expect(version.status == 406 && version.json?["headerName"] == "WP-Api-Version")
            let basic = "Authorization: Basic YWNjZXNzX2tleV9zaG9wOnNlY3JldA=="
            let plain = ["Content-Type: text/plain", "WP-Api-Version: 2024-06-01", basic]
            let type = try await driver.client.send("POST", "/api/payments", headers: plain, body: body.text)
            #expect(type.status == 415 && type.json?["errorName"] == "headerHasInvalidValue")
            let query = try await driver.client.send(
                "GET",
                "/paymentQueries/payments?transactionReference=a",
                headers: [basic]
            )
            #expect(query.status == 406 && query.json?["headerName"] == "Accept")
            #expect(try await driver.client.send("POST", "/api/payments", body: body.text).status == 401)
            let empty = try await driver.post("/api/payments", .null)
            #expect(empty.json?["validationErrors"]?[0]?["errorName"] == "fieldIsNull")
        }
    }

    @Test("gives links that are opaque, long, and of one use each")
    func links() async throws {
        try await Self.withWorldpay { driver, simulator in
            let payment = try #require(try await driver.hold("tok_approve")?.payment)
            let cancel = driver.links.path("cancelPayment", of: payment)
            #expect(cancel.utf8.count > 400 && cancel.contains("%3A") && !cancel.contains("auth_"))
            let settle = cancel.split(separator: "/").dropLast().joined(separator: "/")
            for path in ["/\(settle)/settlements", "/\(settle)", "/api/payments/eyJrIjoxfQ%3D%3D/settlements"] {
                #expect(try await driver.post(path, nil).status == 404)
            }
            var stranger = driver
            stranger.credentials = "access_key_other:secret"
            #expect(try await stranger.post(cancel, nil).status == 404)
            #expect(try await simulator.settledOnly("shop").held == 1000)
            #expect(try await driver.post(cancel, nil).json?["outcome"] == "sentForCancellation")
            #expect(try await simulator.settledOnly("shop").status == .voided)
        }
    }
}

extension JSON {
    /// The document with something else, or nothing, where the path of members leads.
    fileprivate func setting(_ path: [String], _ value: JSON?) -> JSON {
        guard let name = path.first, let members = objectValue else { return self }
        let inside = path.count == 1 ? value : self[name]?.setting(Array(path.dropFirst()), value)
        guard let inside else { return .object(members.filter { $0.key != name }) }
        let isThere = members.contains { $0.key == name }
        let changed = members.map { $0.key == name ? Member(name, inside) : $0 }
        return .object(isThere ? changed : changed + [Member(name, inside)])
    }
}
