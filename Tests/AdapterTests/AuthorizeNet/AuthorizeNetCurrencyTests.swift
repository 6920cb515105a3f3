import AdapterKit
import AuthorizeNetAdapter
import Domain
import Testing

@Suite("Authorize.Net's unit of a currency")
struct AuthorizeNetCurrencyTests {
    static let taken: Set<String> = [
        "AUD", "CAD", "CHF", "DKK", "EUR", "GBP", "NOK", "NZD", "PLN", "SEK", "USD",
    ]

    @Test("is ISO 4217's, for the currencies that it takes and no other", arguments: Currency.all)
    func everyCurrency(currency: Currency) {
        let declared = AuthorizeNetAdapter.capabilities.exponents[currency.code]
        if Self.taken.contains(currency.code) {
            #expect(declared == nil)
            #expect(currency.exponent == 2)
            #expect(AccountCurrency.currency(currency.code) == currency)
        } else {
            #expect(declared == .some(nil))
            #expect(AccountCurrency.currency(currency.code) == nil)
        }
    }

    @Test(
        "is written as a decimal, and read as one in any of JSON's ways",
        arguments: [
            (1, "0.01", ["0.01", "1e-2"]), (99, "0.99", ["0.990", "\"0.99\""]), (100, "1.00", ["1", "1.0", "\"1\""]),
            (10_000, "100.00", ["100", "100.0", "100.0000"]),
            (999_999_999_999, "9999999999.99", ["9999999999.99"]),
        ] as [(Int64, String, [String])]
    )
    func amounts(minorUnits: Int64, decimal: String, readings: [String]) throws {
        let call = try AuthorizeNetSample.call(.capture, amount: minorUnits)
        let body = String(decoding: try AuthorizeNetSample.request(call).body, as: UTF8.self)
        #expect(body.contains(#""amount":"\#(decimal)""#))
        let sample = try AuthorizeNetSample.reply("inquire-capture/succeeded")
        for text in readings {
            let json = String(decoding: sample.body, as: UTF8.self)
                .replacing(#""settleAmount": 100.00"#, with: #""settleAmount": \#(text)"#)
            let reply = WireReply(status: 200, headers: sample.headers, body: Array(json.utf8))
            let inquiry = try AuthorizeNetSample.call(.inquireCapture, amount: minorUnits)
            let outcome = try AuthorizeNetSample.outcome(of: inquiry, after: [reply])
            #expect(Expectation(outcome) == (text.contains("e") ? .unknown : .succeeded), "\(text)")
        }
    }
}
