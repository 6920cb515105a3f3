import AdapterKit
import BraintreeAdapter
import Domain
import Testing

@Suite("Braintree's unit of a currency")
struct BraintreeUnitTests {
    static let withoutDigits = "BIF CLP DJF GNF ISK JPY KMF KRW LAK PYG RWF UGX VND VUV XAF XOF XPF"
    static let notTaken = """
        AFN ALL BHD BOV BTN CDF CHE CHW CLF COU CUP ERN IQD IRR JOD KPW KWD LYD MGA MMK MRU MXV OMR SDG SLE SSP STN TMT \
        TND USN UYI UYW VED XAD XCG ZMW ZWG
        """

    static func expectedExponent(_ code: String) -> Int? {
        let isListed = { (list: String) in list.split(separator: " ").contains { $0 == code } }
        return isListed(notTaken) ? nil : isListed(withoutDigits) ? 0 : 2
    }

    @Test("is known for every currency of ISO 4217, or known not to exist", arguments: Currency.all)
    func everyCurrency(currency: Currency) {
        #expect(BraintreeUnit(currency)?.exponent == Self.expectedExponent(currency.code))
    }

    @Test("is what the capabilities declare", arguments: Currency.all)
    func capabilities(currency: Currency) {
        let declared = BraintreeAdapter.capabilities.exponents[currency.code]
        #expect(declared ?? currency.exponent == BraintreeUnit(currency)?.exponent)
        if let declared { #expect(declared != currency.exponent) }
    }

    @Test("gives text that reads as the same amount", arguments: Currency.all)
    func roundTrip(currency: Currency) throws {
        guard let unit = BraintreeUnit(currency) else { return }
        for minorUnits in [Int64(0), 100, 12_300, 999_999_900] {
            let money = try Money(minorUnits: minorUnits, currency: currency)
            let text = try #require(unit.text(money))
            #expect(try Money(decimal: text, currency: currency) == money)
            #expect(text.contains(".") == (unit.exponent == 2))
        }
    }

    @Test(
        "expresses what it has digits for",
        arguments: [
            ("USD", 1, "0.01"), ("USD", 10_000, "100.00"), ("USD", .max, "92233720368547758.07"), ("JPY", 500, "500"),
            ("LAK", 100, "1"), ("LAK", 150, nil), ("LAK", 0, "0"),
        ] as [(String, Int64, String?)]
    )
    func texts(code: String, minorUnits: Int64, text: String?) throws {
        let currency = try #require(Currency(code: code))
        let unit = try #require(BraintreeUnit(currency))
        #expect(unit.text(try Money(minorUnits: minorUnits, currency: currency)) == text)
        #expect(unit.text(try Money(minorUnits: 100, currency: try #require(Currency(code: "EUR")))) == nil)
    }
}
