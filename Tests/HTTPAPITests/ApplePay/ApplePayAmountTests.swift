import StrictJSON
import Testing

@Suite("Apple Pay request: amounts")
struct ApplePayAmountTests {
    private func errors(_ amount: String, currency: String) -> [String] {
        var request = ApplePaySample.setting(ApplePaySample.request, "currencyCode", .string(currency))
        request = ApplePaySample.setting(request, "lineItems", [["label": "x", "amount": .string(amount)]])
        return ApplePaySample.findings(request).errors
    }

    @Test(
        "takes digits with no decimal digits or exactly two",
        arguments: [
            "0", "00", "1", "12.50", "-1", "-0.01", "0.00", "007.00", "92233720368547758.07", "-92233720368547758.08",
        ]
    )
    func takes(amount: String) {
        #expect(errors(amount, currency: "USD").isEmpty)
    }

    @Test(
        "refuses every other form",
        arguments: [
            "", "-", ".50", "1.", "1.5", "1.500", "+1", "1,50", "1.50 ", " 1", "1e2", "--1", "1.-5", "1.5.0", "１", "$1",
            "1 000", "NaN", "1.٥٠", "0x10", "1_0",
        ]
    )
    func refuses(amount: String) {
        #expect(errors(amount, currency: "USD") == ["/lineItems/0/amount malformed_amount"])
    }

    @Test(
        "refuses more than 64 bits hold",
        arguments: [
            "92233720368547758.08", "-92233720368547758.09", "99999999999999999999", "100000000000000000",
        ]
    )
    func overflows(amount: String) {
        #expect(errors(amount, currency: "USD") == ["/lineItems/0/amount amount_overflow"])
    }

    @Test("a currency without decimal digits takes only zeros behind the point", arguments: ["JPY", "KRW", "CLP"])
    func zeroDigits(currency: String) {
        #expect(errors("10", currency: currency).isEmpty)
        #expect(errors("10.00", currency: currency).isEmpty)
        #expect(errors("10.50", currency: currency) == ["/lineItems/0/amount too_precise"])
        #expect(errors("-10.01", currency: currency) == ["/lineItems/0/amount too_precise"])
    }

    @Test("a currency of three decimal digits cannot be written with the third", arguments: ["KWD", "BHD", "TND"])
    func threeDigits(currency: String) {
        #expect(errors("1.25", currency: currency).isEmpty)
        #expect(errors("1.250", currency: currency) == ["/lineItems/0/amount malformed_amount"])
    }

    @Test("an unknown currency is one error; amounts are still checked for their form")
    func unknownCurrency() {
        #expect(errors("10.50", currency: "XXX") == ["/currencyCode not_allowed"])
        #expect(
            errors("10.5", currency: "XXX") == ["/currencyCode not_allowed", "/lineItems/0/amount malformed_amount"]
        )
    }
}
