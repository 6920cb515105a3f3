import AdapterKit
import Domain
import StripeAdapter
import Testing

@Suite("Stripe's unit of a currency")
struct StripeUnitTests {
    static let withoutDigits = "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF"
    static let withThreeDigits = "BHD JOD KWD OMR TND"
    static let notTaken = """
        BOV BTN CHE CHW CLF COU CUP ERN GHS IQD IRR KPW LYD MRU MXV SDG SSP STN SVC SYP TMT USN UYI UYW VED \
        VES XAD ZWG
        """

    static func expectedExponent(_ code: String) -> Int? {
        let isListed = { (list: String) in list.split(separator: " ").contains { $0 == code } }
        if isListed(notTaken) { return nil }
        return isListed(withoutDigits) ? 0 : isListed(withThreeDigits) ? 3 : 2
    }

    @Test("is known for every currency of ISO 4217, or known not to exist", arguments: Currency.all)
    func everyCurrency(currency: Currency) {
        let unit = StripeUnit(currency)
        #expect(unit?.exponent == Self.expectedExponent(currency.code))
        #expect(unit == nil || unit?.code == currency.code.lowercased())
    }

    @Test("is what the capabilities declare", arguments: Currency.all)
    func capabilities(currency: Currency) {
        let declared = StripeAdapter.capabilities.exponents[currency.code]
        #expect(declared ?? currency.exponent == StripeUnit(currency)?.exponent)
        if let declared { #expect(declared != currency.exponent) }
    }

    @Test("gives an amount back as it was", arguments: Currency.all)
    func roundTrip(currency: Currency) throws {
        guard let unit = StripeUnit(currency) else { return }
        for minorUnits in [Int64(0), 100, 1000, 12_300, 999_999_900] {
            let amount = try #require(unit.amount(minorUnits))
            #expect(unit.minorUnits(amount) == minorUnits)
        }
    }

    @Test(
        "translates amounts",
        arguments: [
            ("USD", 1050, 1050), ("EUR", 1, 1), ("HUF", 1045, 1045), ("TWD", 80_045, 80_045), ("JPY", 500, 500),
            ("ISK", 5, 500), ("UGX", 5, 500), ("MGA", 50_000, 500), ("MGA", 50_050, nil), ("KWD", 5120, 5120),
            ("KWD", 5124, nil), ("KWD", 10, 10), ("BHD", 1, nil), ("USD", Int64.max, Int64.max),
            ("ISK", Int64.max / 100, Int64.max / 100 * 100), ("ISK", Int64.max / 100 + 1, nil), ("USD", -1, nil),
            ("USD", 0, 0),
        ] as [(String, Int64, Int64?)]
    )
    func translates(code: String, minorUnits: Int64, amount: Int64?) throws {
        let unit = try #require(Currency(code: code).flatMap(StripeUnit.init))
        #expect(unit.amount(minorUnits) == amount)
    }

    @Test(
        "reads amounts",
        arguments: [
            ("ISK", 500, 5), ("ISK", 550, nil), ("MGA", 500, 50_000), ("MGA", Int64.max, nil), ("USD", -1, nil),
        ]
            as [(String, Int64, Int64?)]
    )
    func reads(code: String, amount: Int64, minorUnits: Int64?) throws {
        let unit = try #require(Currency(code: code).flatMap(StripeUnit.init))
        #expect(unit.minorUnits(amount) == minorUnits)
    }
}
