import AdapterKit
import AdyenAdapter
import Domain
import Testing

@Suite("Adyen's unit of a currency")
struct AdyenUnitTests {
    static let withoutDigits = "CVE DJF GNF IDR JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"
    static let withThreeDigits = "BHD JOD KWD LYD OMR TND"
    static let notTaken = """
        AFN BIF BOV BTN CDF CHE CHW CLF COU ERN IQD IRR KPW LRD LSL MGA MRU MXV SDG SRD SSP SYP TJS TMT USN UYI UYW \
        VED XAD ZWG
        """

    static func expectedExponent(_ code: String) -> Int? {
        let isListed = { (list: String) in list.split(separator: " ").contains { $0 == code } }
        if isListed(notTaken) { return nil }
        return isListed(withoutDigits) ? 0 : isListed(withThreeDigits) ? 3 : 2
    }

    @Test("is known for every currency of ISO 4217, or known not to exist", arguments: Currency.all)
    func everyCurrency(currency: Currency) {
        let unit = AdyenUnit(currency)
        #expect(unit?.exponent == Self.expectedExponent(currency.code))
        #expect(unit == nil || unit?.code == currency.code)
    }

    @Test("is what the capabilities declare", arguments: Currency.all)
    func capabilities(currency: Currency) {
        let declared = AdyenAdapter.capabilities.exponents[currency.code]
        #expect(declared ?? currency.exponent == AdyenUnit(currency)?.exponent)
        if let declared { #expect(declared != currency.exponent) }
    }

    @Test("gives an amount back as it was", arguments: Currency.all)
    func roundTrip(currency: Currency) throws {
        guard let unit = AdyenUnit(currency) else { return }
        for minorUnits in [Int64(0), 100, 12_300, 999_999_900] {
            let amount = try #require(unit.amount(minorUnits))
            #expect(unit.minorUnits(amount) == minorUnits)
        }
    }

    @Test(
        "translates amounts",
        arguments: [
            ("USD", 1050, 1050), ("JPY", 500, 500), ("CLP", 5, 500), ("ISK", 5, 500), ("IDR", 50_000, 500),
            ("IDR", 50_050, nil), ("CVE", 100, 1), ("CVE", 1, nil), ("KWD", 5124, 5124), ("UGX", 5, 5),
            ("USD", Int64.max, Int64.max), ("CLP", Int64.max / 100 + 1, nil), ("USD", -1, nil), ("USD", 0, 0),
        ] as [(String, Int64, Int64?)]
    )
    func translates(code: String, minorUnits: Int64, amount: Int64?) throws {
        let unit = try #require(Currency(code: code).flatMap(AdyenUnit.init))
        #expect(unit.amount(minorUnits) == amount)
    }

    @Test(
        "reads amounts",
        arguments: [("CLP", 550, nil), ("CLP", 500, 5), ("IDR", 5, 500), ("USD", -1, nil)] as [(String, Int64, Int64?)]
    )
    func reads(code: String, amount: Int64, minorUnits: Int64?) throws {
        let unit = try #require(Currency(code: code).flatMap(AdyenUnit.init))
        #expect(unit.minorUnits(amount) == minorUnits)
    }
}
