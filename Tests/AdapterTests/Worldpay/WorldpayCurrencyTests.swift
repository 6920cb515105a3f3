import AdapterKit
import Domain
import StrictJSON
import Testing
import WorldpayAdapter

@Suite("Worldpay's currencies")
struct WorldpayCurrencyTests {
    static let withoutDigits = "JPY KRW"
    static let withThreeDigits = "BHD KWD OMR TND"
    static let notTaken = """
        BIF BOV CHE CHW CLF CLP COU DJF GNF HUF IDR IQD ISK JOD KMF LYD MGA MRU MXV PYG RSD RWF UGX USN UYI UYW VND \
        VUV XAD XAF XOF XPF
        """

    static func expectedExponent(_ code: String) -> Int? {
        let isListed = { (list: String) in list.split(separator: " ").contains { $0 == code } }
        if isListed(notTaken) { return nil }
        return isListed(withoutDigits) ? 0 : isListed(withThreeDigits) ? 3 : 2
    }

    @Test("of ISO 4217 are taken in its minor unit or not at all", arguments: Currency.all)
    func everyCurrency(currency: Currency) {
        let expected = Self.expectedExponent(currency.code)
        #expect(WorldpayCurrencies.takes(currency) == (expected != nil))
        if let expected { #expect(currency.exponent == expected) }
    }

    @Test("are what the capabilities declare", arguments: Currency.all)
    func capabilities(currency: Currency) {
        let declared = WorldpayAdapter.capabilities.exponents[currency.code] ?? currency.exponent
        #expect(declared == Self.expectedExponent(currency.code))
    }

    @Test("that are not taken are never sent", arguments: ["HUF", "CLP", "JOD"])
    func refused(code: String) throws {
        let credential = Credential.networkToken(Sample.networkToken())
        let call = try Sample.call(.authorize, credential: credential, currency: code)
        let expected = Rejection(.unsupported, code: "currencyIsNotSupported", message: "\(code) is not taken.")
        #expect(try WorldpaySample.outcome(call) == .rejected(expected))
    }

    @Test("are sent in whole minor units", arguments: [("JPY", 500), ("KWD", 5124), ("EUR", 1)] as [(String, Int64)])
    func sent(code: String, amount: Int64) throws {
        let credential = Credential.networkToken(Sample.networkToken())
        let call = try Sample.call(.authorize, credential: credential, amount: amount, currency: code)
        let body = try WorldpayRequestTests.body(try WorldpaySample.request(call))
        #expect(body["instruction"]?["value"] == ["currency": .string(code), "amount": .integer(amount)])
    }
}
