import AdapterKit
import CheckoutAdapter
import Domain
import Testing

@Suite("Checkout.com's unit of a currency")
struct CheckoutUnitTests {
    /// The lists of "Format the amount value".
    static let withoutDigits = "BIF DJF GNF ISK JPY KMF KRW PYG RWF UGX VUV VND XAF XOF XPF"
    static let withThreeDigits = "BHD IQD JOD KWD LYD OMR TND"
    static let notTaken = "BOV CHE CHW CLF COU MXV SLE SSP USN UYI UYW VED VES XAD XCG ZWG"

    static func expectedExponent(_ code: String) -> Int? {
        let isListed = { (list: String) in list.split(separator: " ").contains { $0 == code } }
        if isListed(notTaken) { return nil }
        return isListed(withoutDigits) ? 0 : isListed(withThreeDigits) ? 3 : 2
    }

    @Test("is known for every currency of ISO 4217, or known not to exist", arguments: Currency.all)
    func everyCurrency(currency: Currency) {
        let unit = CheckoutUnit(currency)
        #expect(unit?.exponent == Self.expectedExponent(currency.code))
        #expect(unit == nil || unit?.code == currency.code)
    }

    @Test("is what the capabilities declare", arguments: Currency.all)
    func capabilities(currency: Currency) {
        let declared = CheckoutAdapter.capabilities.exponents[currency.code]
        #expect(declared ?? currency.exponent == CheckoutUnit(currency)?.exponent)
        if let declared { #expect(declared != currency.exponent) }
    }

    @Test("gives an amount back as it was", arguments: Currency.all)
    func roundTrip(currency: Currency) throws {
        guard let unit = CheckoutUnit(currency) else { return }
        for minorUnits in [Int64(0), 100, 1000, 12_300, 9_999_990] {
            let amount = try #require(unit.amount(minorUnits))
            #expect(unit.minorUnits(amount) == minorUnits)
        }
    }

    @Test(
        "translates amounts of up to nine digits",
        arguments: [
            ("USD", 1050, 1050), ("USD", 999_999_999, 999_999_999), ("USD", 1_000_000_000, nil), ("JPY", 500, 500),
            ("CLP", 1234, 123_400), ("CLP", 9_999_999, 999_999_900), ("CLP", 10_000_000, nil), ("CLP", Int64.max, nil),
            ("ISK", 5, 5), ("KWD", 5120, 5120), ("KWD", 5124, nil), ("MGA", 50, 50), ("USD", -1, nil), ("USD", 0, 0),
        ] as [(String, Int64, Int64?)]
    )
    func translates(code: String, minorUnits: Int64, amount: Int64?) throws {
        let unit = try #require(Currency(code: code).flatMap(CheckoutUnit.init))
        #expect(unit.amount(minorUnits) == amount)
    }

    @Test("reads amounts", arguments: [("CLP", 123_400, 1234), ("CLP", 123_401, nil), ("USD", -1, nil), ("USD", 5, 5)])
    func reads(code: String, amount: Int64, minorUnits: Int64?) throws {
        let unit = try #require(Currency(code: code).flatMap(CheckoutUnit.init))
        #expect(unit.minorUnits(amount) == minorUnits)
    }
}
