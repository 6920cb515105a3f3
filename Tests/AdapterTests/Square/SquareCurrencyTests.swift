import AdapterKit
import Domain
import SquareAdapter
import StrictJSON
import Testing

@Suite("The currencies of ISO 4217 at Square")
struct SquareCurrencyTests {
    static let taken: Set<String> = ["AUD", "CAD", "EUR", "GBP", "JPY", "USD"]

    @Test("are those of its sellers' countries, in ISO 4217's unit", arguments: Currency.all)
    func capabilities(currency: Currency) {
        let declared = SquareAdapter.capabilities.exponents[currency.code]
        #expect((declared == nil) == Self.taken.contains(currency.code))
        if let declared { #expect(declared == nil) }
    }

    @Test("are sent as they are, or not at all", arguments: Currency.all)
    func requests(currency: Currency) throws {
        let call = try SquareSample.call(.authorize, amount: 12_345, currency: currency.code)
        guard Self.taken.contains(currency.code) else {
            guard case .rejected(let rejection) = try SquareSample.outcome(call) else {
                Issue.record("no rejection")
                return
            }
            #expect(rejection.reason == .unsupported && rejection.code == "UNSUPPORTED_CURRENCY")
            return
        }
        let body = try SquareSample.body(SquareSample.request(call))
        #expect(body["amount_money"] == ["amount": 12_345, "currency": .string(currency.code)])
    }

    @Test(
        "have the unit that Square documents",
        arguments: [("AUD", 2), ("CAD", 2), ("EUR", 2), ("GBP", 2), ("JPY", 0), ("USD", 2)]
    )
    func units(code: String, exponent: Int) throws {
        #expect(try #require(Currency(code: code)).exponent == exponent)
    }
}
