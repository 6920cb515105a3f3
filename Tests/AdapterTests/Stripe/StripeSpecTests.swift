import AdapterKit
import Domain
import StripeAdapter
import Testing

@Suite("Stripe's requests, held against its OpenAPI description,")
struct StripeSpecTests {
    /// Fields that work but that Stripe's public description does not publish.
    ///
    /// Encrypted Apple Pay tokens and network tokens are opened to accounts on request.
    static let unpublished: Set<String> = [
        "pk_token is unknown", "pk_token_instrument_name is unknown", "pk_token_payment_network is unknown",
        "pk_token_transaction_id is unknown", "payment_method_data[card] is unknown",
        "payment_method_options[card][network_token] is unknown",
    ]

    static func violations(_ call: Call, after exchanges: [Exchange] = []) throws -> [String] {
        let adapter = try StripeAdapter(settings: Sample.settings)
        guard case .send(let request) = adapter.next(for: call, after: exchanges) else {
            Issue.record("nothing is sent")
            return []
        }
        return try OpenAPISpec.stripe.violations(request, baseURL: Sample.settings.baseURL)
    }

    @Test("break nothing but what is known to be unpublished", arguments: try AdapterUnderTest.all.filter(\.isStripe))
    func breakNothing(subject: AdapterUnderTest) throws {
        let spec = try OpenAPISpec.stripe
        for (_, _, request) in try RequestTests.requests(of: subject) {
            let violations = try spec.violations(request, baseURL: Sample.settings.baseURL)
            #expect(violations.filter { !Self.unpublished.contains($0) } == [], "\(request)")
        }
    }

    @Test(
        "break nothing at all with a payment method, a confirmation token and an application fee",
        arguments: ["pm_1sample", "ctoken_1sample", "card_1sample"]
    )
    func publishedOnly(token: String) throws {
        for returnURL in ["https://shop.example/back", nil] {
            let call = try Sample.call(
                .authorize,
                credential: .pspToken(Secret(token)),
                merchantAccount: "acct_1sample",
                applicationFee: 500,
                returnURL: returnURL
            )
            #expect(try Self.violations(call) == [])
        }
    }

    @Test("use only the unpublished fields that their credential needs")
    func unpublishedFields() throws {
        let token = try Sample.call(.authorize, credential: .pspToken(Secret("tok_visa")))
        #expect(try Self.violations(token) == ["payment_method_data[card] is unknown"])
        let network = try Sample.call(.authorize, credential: .networkToken(Sample.networkToken()))
        let expected = [
            "payment_method_data[card] is unknown", "payment_method_options[card][network_token] is unknown",
        ]
        #expect(try Self.violations(network) == expected)
        let applePay = try Sample.call(.authorize, credential: Sample.credential(.encryptedApplePay))
        #expect(try Self.violations(applePay).allSatisfy { $0.hasPrefix("pk_token") })
    }

    @Test("of later operations break nothing", arguments: SampleOperation.allCases.filter { $0 != .authorize })
    func laterOperations(operation: SampleOperation) throws {
        for reference in ["pi_3WvkAZ1DZP9ka1qZKhx5kwGZ", nil] {
            let call = try Sample.call(
                operation,
                reference: reference,
                merchantAccount: "acct_1sample",
                applicationFee: 500
            )
            #expect(try Self.violations(call) == [])
        }
    }

    @Test(
        "would be found out",
        arguments: [
            ("amount=1", ["currency is missing"]), ("currency=usd", ["amount is missing"]),
            ("amount=1.5&currency=usd", ["amount is no integer"]),
            ("amount=1&currency=USD", ["currency is no currency"]),
            ("amount=1&currency=usd&tip=1", ["tip is unknown"]),
            ("amount=1&currency=usd&confirm=yes", ["confirm is no boolean"]),
            ("amount=1&currency=usd&capture_method=later", ["capture_method is none of its words"]),
            ("amount=1&currency=usd&expand[1]=x", ["expand is no array"]),
            ("amount=1&currency=usd&payment_method_types=card", ["payment_method_types has the wrong type"]),
            ("amount=1&currency=usd&metadata[a][b]=c", ["metadata[a] has the wrong type"]),
            (
                "amount=1&currency=usd&statement_descriptor_suffix=12345678901234567890123",
                ["statement_descriptor_suffix is longer than 22"]
            ),
            ("amount=1&currency=usd&payment_method_options[card][request_three_d_secure]=sometimes", []),
        ]
    )
    func validatorFinds(body: String, expected: [String]) throws {
        let request = WireRequest(
            .post,
            "https://psp.example/v1/payment_intents",
            body: Array(body.utf8),
            canMoveMoney: true
        )
        #expect(try OpenAPISpec.stripe.violations(request, baseURL: "https://psp.example") == expected)
    }

    @Test("would be found out in a query")
    func validatorFindsQueries() throws {
        let search = "https://psp.example/v1/payment_intents/search"
        let withoutQuery = WireRequest(.get, "\(search)?limit=1", canMoveMoney: false)
        #expect(
            try OpenAPISpec.stripe.violations(withoutQuery, baseURL: "https://psp.example") == ["query is missing"]
        )
        let unknown = WireRequest(.get, "\(search)?query=a&sort=up", canMoveMoney: false)
        #expect(try OpenAPISpec.stripe.violations(unknown, baseURL: "https://psp.example") == ["sort is unknown"])
    }
}

/// What belongs to Stripe alone.
extension AdapterUnderTest {
    var isStripe: Bool { name == StripeAdapter.name }
}
