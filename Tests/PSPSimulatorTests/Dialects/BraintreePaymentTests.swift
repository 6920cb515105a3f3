import PSPSimulator
import StrictJSON
import Testing

@Suite("Braintree's dialect", .serialized, .timeLimit(.minutes(10)))
struct BraintreePaymentTests {
    @Test(
        "declines with Braintree's statuses and codes, and 200",
        arguments: [
            ("insufficient_funds", "PROCESSOR_DECLINED", "2001"), ("expired_card", "PROCESSOR_DECLINED", "2004"),
            ("invalid_card", "PROCESSOR_DECLINED", "2005"), ("lost_or_stolen", "PROCESSOR_DECLINED", "2053"),
            ("suspected_fraud", "GATEWAY_REJECTED", "FRAUD"),
            ("authentication_required", "PROCESSOR_DECLINED", "2099"),
            ("not_permitted", "PROCESSOR_DECLINED", "2015"), ("limit_exceeded", "PROCESSOR_DECLINED", "2002"),
            ("temporary", "FAILED", "3000"), ("generic", "PROCESSOR_DECLINED", "2000"),
        ]
    )
    func declines(trigger: String, status: String, code: String) async throws {
        try await withBraintree { driver, _ in
            let answer = try #require(try await driver.hold("tok_decline_\(trigger)"))
            #expect(answer.word == .declined(code) && answer.reply.json?["errors"] == nil)
            let transaction = answer.reply.json?["data"]?["authorizePaymentMethod"]?["transaction"]
            #expect(transaction?["status"]?.stringValue == status)
        }
    }

    @Test("tells apart declines that may be tried again", arguments: [("generic", "SOFT"), ("expired_card", "HARD")])
    func declineType(trigger: String, type: String) async throws {
        try await withBraintree { driver, _ in
            let history =
                "transaction { statusHistory { __typename terminal ... on ProcessorDeclinedEvent "
                + "{ declineType processorResponse { legacyCode message } } } }"
            let input = BraintreeDriver.wish("tok_decline_\(trigger)")
            let reply = try await driver.mutate("authorizePaymentMethod", input, history)
            let event = reply.json?["data"]?["authorizePaymentMethod"]?["transaction"]?["statusHistory"]?[0]
            #expect(event?["__typename"] == "ProcessorDeclinedEvent" && event?["terminal"] == true)
            #expect(event?["declineType"]?.stringValue == type)
            #expect(event?["processorResponse"]?["message"]?.stringValue?.isEmpty == false)
        }
    }

    @Test("uses a single-use payment method once, and only for its own account")
    func singleUse() async throws {
        try await withBraintree { driver, simulator in
            let method = try await driver.tokenize("4111111111111111")
            var stranger = driver
            stranger.keys = "pub_other:pri_key_other"
            let stolen = try await stranger.mutate(
                "authorizePaymentMethod",
                BraintreeDriver.wish(method),
                "transaction { id }"
            )
            #expect(stolen.json?["errors"]?[0]?["extensions"]?["legacyCode"] == "91565")
            let selection =
                "transaction { paymentMethod { id } paymentMethodSnapshot { __typename "
                + "... on CreditCardTransactionDetails { creditCard { brandCode last4 origin { type } } } } }"
            let first = try await driver.mutate("chargeCreditCard", BraintreeDriver.wish(method), selection)
            let transaction = try #require(first.json?["data"]?["chargeCreditCard"]?["transaction"])
            let card: JSON = ["brandCode": "VISA", "last4": "1111", "origin": ["type": "APPLE_PAY"]]
            #expect(transaction["paymentMethodSnapshot"]?["creditCard"] == card)
            #expect(transaction["paymentMethod"] == .null)
            let second = try await driver.mutate("chargeCreditCard", BraintreeDriver.wish(method), selection)
            #expect(second.json?["errors"]?[0]?["extensions"]?["legacyCode"] == "91564")
            #expect(try await simulator.settledOnly("shop").captured == 1000)
            #expect(try await driver.client.get("/books").text.contains("411111111111") == false)
        }
    }

    @Test("keeps a payment method that no transaction came of")
    func unconsumed() async throws {
        try await withBraintree { driver, _ in
            let method = try await driver.tokenize("9999990000000101")
            for _ in 0..<2 {
                let reply = try await driver.mutate(
                    "authorizePaymentMethod",
                    BraintreeDriver.wish(method),
                    "transaction { id }"
                )
                #expect(reply.json?["errors"]?[0]?["extensions"]?["errorClass"] == "AUTHORIZATION")
            }
        }
    }

    @Test("knows the nonces of the sandbox")
    func nonces() async throws {
        try await withBraintree { driver, _ in
            let words: [(String, TwinAnswer.Word)] = [
                ("fake-apple-pay-visa-nonce", .authorized), ("fake-processor-declined-visa-nonce", .declined("2000")),
                ("fake-gateway-rejected-fraud-nonce", .declined("FRAUD")), ("fake-consumed-nonce", .refused("91564")),
                ("fake-nonsense-nonce", .refused("91565")),
            ]
            for (number, (nonce, word)) in words.enumerated() {
                let answer = try await driver.hold(nonce, reference: "att_\(number)")
                #expect(answer?.word == word)
            }
        }
    }

    @Test("takes the currency from the merchant account, and its decimals from then on")
    func currencies() async throws {
        try await withBraintree { driver, simulator in
            let wish: JSON = [
                "paymentMethodId": "tok_approve",
                "transaction": ["amount": "1000", "merchantAccountId": "shop_JPY", "orderId": "att_1"],
            ]
            let made = try await driver.mutate("authorizePaymentMethod", wish, "transaction { id amount { value } }")
            let transaction = try #require(made.json?["data"]?["authorizePaymentMethod"]?["transaction"])
            #expect(transaction["amount"]?["value"] == "1000")
            let capture: JSON = ["transactionId": .optional(transaction["id"]), "transaction": ["amount": "400"]]
            let selection = "transaction { amount { value currencyIsoCode } merchantAccountId }"
            let taken = try await driver.mutate("captureTransaction", capture, selection)
            let expected: JSON = [
                "amount": ["value": "400", "currencyIsoCode": "JPY"], "merchantAccountId": "shop_JPY",
            ]
            #expect(taken.json?["data"]?["captureTransaction"]?["transaction"] == expected)
            let books = try await simulator.settledOnly("shop")
            #expect(books.command.currency == "JPY" && books.captured == 400)
        }
    }

    @Test("approves less than was asked, and says so")
    func partly() async throws {
        try await withBraintree { driver, _ in
            let selection =
                "transaction { amount { value } initialRequestedAuthorizationAmount { value } "
                + "partiallyAuthorized processorResponse { legacyCode } }"
            let reply = try await driver.mutate(
                "authorizePaymentMethod",
                BraintreeDriver.wish("tok_partial"),
                selection
            )
            let expected: JSON = [
                "amount": ["value": "5.00"], "initialRequestedAuthorizationAmount": ["value": "10.00"],
                "partiallyAuthorized": true, "processorResponse": ["legacyCode": "1004"],
            ]
            #expect(reply.json?["data"]?["authorizePaymentMethod"]?["transaction"] == expected)
        }
    }
}
