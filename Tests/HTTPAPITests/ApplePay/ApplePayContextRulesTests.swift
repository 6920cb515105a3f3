import StrictJSON
import Testing

@Suite("Apple Pay request: token contexts")
struct ApplePayContextRulesTests {
    private func findings(_ amounts: [String], total: String = "500.00") -> (errors: [String], warnings: [String]) {
        var request = ApplePaySample.setting(ApplePaySample.request, "total.amount", .string(total))
        request = ApplePaySample.setting(request, "multiTokenContexts", ApplePaySample.contexts(amounts))
        return ApplePaySample.findings(request)
    }

    @Test(
        "contexts that sum to the total are sound",
        arguments: [
            ["300.00", "150.00", "50"], ["500"], ["499.99", "0.01"],
        ]
    )
    func sound(amounts: [String]) {
        let found = findings(amounts)
        #expect(found.errors.isEmpty)
        #expect(found.warnings.isEmpty)
    }

    @Test("a sum above the total is an error, to the hundredth")
    func above() {
        #expect(findings(["300", "200.01"]).errors == ["/multiTokenContexts sum_exceeds_total"])
        #expect(findings(["300", "200"]).errors.isEmpty)
    }

    @Test("a sum below the total is a warning, to the hundredth")
    func below() {
        let found = findings(["300", "199.99"])
        #expect(found.errors.isEmpty)
        #expect(found.warnings == ["/multiTokenContexts sum_below_total"])
    }

    @Test("a sum that does not fit 64 bits is an error, not a crash")
    func overflow() {
        let found = findings(["92233720368547758.07", "0.01"])
        #expect(found.errors == ["/multiTokenContexts amount_overflow"])
    }

    @Test("each amount is more than zero and no finer than the currency")
    func amounts() {
        #expect(findings(["0", "500"]).errors == ["/multiTokenContexts/0/amount not_positive"])
        #expect(findings(["500", "-1.00"]).errors == ["/multiTokenContexts/1/amount not_positive"])
        #expect(findings(["500", "0.1"]).errors == ["/multiTokenContexts/1/amount malformed_amount"])
        var request = ApplePaySample.setting(ApplePaySample.divided, "currencyCode", "JPY")
        #expect(ApplePaySample.findings(request).errors.isEmpty)
        request = ApplePaySample.setting(request, "multiTokenContexts.2.amount", "50.50")
        #expect(ApplePaySample.findings(request).errors == ["/multiTokenContexts/2/amount too_precise"])
    }

    static let fields: [(String, JSON?, [String])] = [
        ("multiTokenContexts", [], ["/multiTokenContexts empty"]),
        ("multiTokenContexts", [:], ["/multiTokenContexts wrong_type"]),
        ("multiTokenContexts", [1], ["/multiTokenContexts/0 wrong_type"]),
        ("multiTokenContexts.1.merchantIdentifier", "", ["/multiTokenContexts/1/merchantIdentifier empty"]),
        ("multiTokenContexts.1.merchantIdentifier", nil, ["/multiTokenContexts/1/merchantIdentifier missing_field"]),
        ("multiTokenContexts.1.externalIdentifier", "", ["/multiTokenContexts/1/externalIdentifier empty"]),
        ("multiTokenContexts.1.externalIdentifier", 7, ["/multiTokenContexts/1/externalIdentifier wrong_type"]),
        ("multiTokenContexts.2.merchantName", nil, ["/multiTokenContexts/2/merchantName missing_field"]),
        ("multiTokenContexts.2.merchantName", "", ["/multiTokenContexts/2/merchantName empty"]),
        ("multiTokenContexts.0.amount", nil, ["/multiTokenContexts/0/amount missing_field"]),
        ("multiTokenContexts.0.amount", 300, ["/multiTokenContexts/0/amount wrong_type"]),
        ("multiTokenContexts.0.merchantDomain", "", ["/multiTokenContexts/0/merchantDomain empty"]),
        ("multiTokenContexts.0.merchantDomain", 1, ["/multiTokenContexts/0/merchantDomain wrong_type"]),
        ("multiTokenContexts.0.merchantDomain", "a.example", []),
        ("version", 13, ["/version version_too_low"]),
        ("version", 14, []),
        (
            "multiTokenContexts.1.externalIdentifier", "a-1",
            [
                "/multiTokenContexts/1/externalIdentifier duplicate_external_identifier",
                "/multiTokenContexts/1/merchantName conflicting_merchant_name",
            ]
        ),
    ]

    @Test("refuses a context that will not do, at its place", arguments: fields)
    func refuses(path: String, value: JSON?, expected: [String]) {
        #expect(ApplePaySample.findings(ApplePaySample.setting(ApplePaySample.divided, path, value)).errors == expected)
    }

    @Test("a repeated external identifier is one error each time after the first")
    func repeated() {
        var request = ApplePaySample.divided
        for index in 0...2 {
            request = ApplePaySample.setting(request, "multiTokenContexts.\(index).externalIdentifier", "a-1")
            request = ApplePaySample.setting(request, "multiTokenContexts.\(index).merchantName", "Shop a")
        }
        #expect(
            ApplePaySample.findings(request).errors == [
                "/multiTokenContexts/1/externalIdentifier duplicate_external_identifier",
                "/multiTokenContexts/2/externalIdentifier duplicate_external_identifier",
            ]
        )
    }

    @Test("equal amounts are ambiguous once they are signed, however they are written")
    func ambiguous() {
        let found = findings(["100", "200.00", "100.00", "100"])
        #expect(found.errors.isEmpty)
        #expect(
            found.warnings == [
                "/multiTokenContexts/2/amount ambiguous_if_signed", "/multiTokenContexts/3/amount ambiguous_if_signed",
            ]
        )
    }

    @Test("several merchant identifiers are reported to fail")
    func merchantIdentifiers() {
        var request = ApplePaySample.divided
        for index in 1...2 {
            request = ApplePaySample.setting(
                request,
                "multiTokenContexts.\(index).merchantIdentifier",
                "merchant.other"
            )
        }
        let found = ApplePaySample.findings(request)
        #expect(found.errors.isEmpty)
        #expect(found.warnings == ["/multiTokenContexts/1/merchantIdentifier several_merchant_identifiers"])
    }

    @Test("one name under two external identifiers is suspicious")
    func twoIdentifiers() {
        let request = ApplePaySample.setting(ApplePaySample.divided, "multiTokenContexts.1.merchantName", "Shop a")
        let found = ApplePaySample.findings(request)
        #expect(found.errors.isEmpty)
        #expect(found.warnings == ["/multiTokenContexts/1/externalIdentifier merchant_under_two_identifiers"])
    }

    @Test("an element that is no object does not shift the places of the others")
    func places() {
        var request = ApplePaySample.setting(ApplePaySample.divided, "multiTokenContexts.0", 5)
        request = ApplePaySample.setting(request, "multiTokenContexts.2.externalIdentifier", "b-1")
        let found = ApplePaySample.findings(request)
        #expect(
            found.errors == [
                "/multiTokenContexts/0 wrong_type",
                "/multiTokenContexts/2/externalIdentifier duplicate_external_identifier",
                "/multiTokenContexts/2/merchantName conflicting_merchant_name",
            ]
        )
    }

    @Test("reports everything at once in a fixed order, and warnings behind errors when strict")
    func everything() {
        var request = ApplePaySample.setting(ApplePaySample.divided, "countryCode", "XX")
        request = ApplePaySample.setting(request, "total.label", nil)
        request = ApplePaySample.setting(request, "multiTokenContexts.1.amount", "300")
        request = ApplePaySample.setting(request, "recurringPaymentRequest", ApplePaySample.recurring)
        let errors = [
            "/countryCode not_allowed", "/total/label missing_field",
            "/recurringPaymentRequest conflicting_request_kinds", "/multiTokenContexts sum_exceeds_total",
        ]
        let warnings = ["/multiTokenContexts/1/amount ambiguous_if_signed"]
        #expect(ApplePaySample.findings(request) == (errors, warnings))
        #expect(ApplePaySample.findings(request, strict: true) == (errors + warnings, []))
    }
}
