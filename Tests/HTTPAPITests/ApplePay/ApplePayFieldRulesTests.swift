import StrictJSON
import Testing

@Suite("Apple Pay request: fields")
struct ApplePayFieldRulesTests {
    @Test("a sound request has neither errors nor warnings")
    func sound() {
        let found = ApplePaySample.findings(ApplePaySample.request)
        #expect(found.errors.isEmpty)
        #expect(found.warnings.isEmpty)
    }

    @Test("what is no object is refused")
    func noObject() {
        #expect(ApplePaySample.findings([]).errors == [" wrong_type"])
    }

    @Test("every required field is missed at once")
    func missing() {
        #expect(
            ApplePaySample.findings([:]).errors == [
                "/countryCode missing_field", "/currencyCode missing_field", "/merchantCapabilities missing_field",
                "/supportedNetworks missing_field", "/total missing_field",
            ]
        )
    }

    @Test("fields that Apple may add are left alone")
    func unknownFields() {
        var request = ApplePaySample.setting(ApplePaySample.divided, "newField", ["x": 1])
        request = ApplePaySample.setting(request, "total.newField", 1)
        request = ApplePaySample.setting(request, "multiTokenContexts.0.newField", 1)
        #expect(ApplePaySample.findings(request).errors.isEmpty)
    }

    static let errors: [(String, JSON?, [String])] = [
        ("countryCode", "us", ["/countryCode not_allowed"]),
        ("countryCode", "UK", ["/countryCode not_allowed"]),
        ("countryCode", "USA", ["/countryCode not_allowed"]),
        ("countryCode", 840, ["/countryCode wrong_type"]),
        ("currencyCode", "usd", ["/currencyCode not_allowed"]),
        ("currencyCode", "XAU", ["/currencyCode not_allowed"]),
        ("merchantCapabilities", [], ["/merchantCapabilities empty"]),
        ("merchantCapabilities", ["supportsCredit"], ["/merchantCapabilities missing_capability"]),
        ("merchantCapabilities", ["supports3ds"], ["/merchantCapabilities missing_capability"]),
        ("merchantCapabilities", "supports3DS", ["/merchantCapabilities wrong_type"]),
        ("supportedNetworks", [], ["/supportedNetworks empty"]),
        ("supportedNetworks", ["visa", 1], ["/supportedNetworks/1 wrong_type"]),
        ("supportedNetworks", [""], ["/supportedNetworks/0 empty"]),
        ("supportedCountries", ["US", "XX"], ["/supportedCountries/1 not_allowed"]),
        ("total", "500.00", ["/total wrong_type"]),
        ("total.label", nil, ["/total/label missing_field"]),
        ("total.label", "", ["/total/label empty"]),
        ("total.amount", nil, ["/total/amount missing_field"]),
        ("total.amount", 500, ["/total/amount wrong_type"]),
        ("total.amount", "-0.01", ["/total/amount negative_amount"]),
        ("total.amount", "100000000.01", ["/total/amount out_of_range"]),
        ("total.type", "exact", ["/total/type not_allowed"]),
        ("lineItems", [["label": "Tax"]], ["/lineItems/0/amount missing_field"]),
        ("lineItems", [["label": "", "amount": "1"]], ["/lineItems/0/label empty"]),
        ("lineItems", [:], ["/lineItems wrong_type"]),
        ("shippingMethods", [["label": "Air", "amount": "-1"]], ["/shippingMethods/0/amount negative_amount"]),
        ("shippingMethods", [["amount": "1"]], ["/shippingMethods/0/label missing_field"]),
        ("shippingType", 1, ["/shippingType wrong_type"]),
        ("requiredShippingContactFields", "name", ["/requiredShippingContactFields wrong_type"]),
        ("billingContact", "me", ["/billingContact wrong_type"]),
        ("supportsCouponCode", "yes", ["/supportsCouponCode wrong_type"]),
        ("couponCode", 5, ["/couponCode wrong_type"]),
        ("applicationData", 5, ["/applicationData wrong_type"]),
        ("merchantCategoryCode", "12", ["/merchantCategoryCode too_short"]),
        ("version", "14", ["/version wrong_type"]),
    ]

    @Test("refuses a field that will not do, at its place", arguments: errors)
    func refuses(path: String, value: JSON?, expected: [String]) {
        let found = ApplePaySample.findings(ApplePaySample.setting(ApplePaySample.request, path, value))
        #expect(found.errors == expected)
    }

    static let soundFields: [(String, JSON?)] = [
        ("total.amount", "0"), ("total.amount", "100000000.00"), ("total.type", "pending"),
        ("lineItems", [["label": "Discount", "amount": "-5.00", "type": "final"]]), ("lineItems", []),
        ("shippingMethods", [["label": "Air", "detail": "Fast", "amount": "0", "identifier": "air"]]),
        ("shippingType", "storePickup"), ("requiredShippingContactFields", ["name", "postalAddress"]),
        ("supportedCountries", ["US", "DE"]), ("applicationData", "bm9uY2U="), ("applicationData", ""),
        ("version", 3), ("supportsCouponCode", true), ("couponCode", ""), ("shippingContact", ["givenName": "A"]),
        ("merchantCapabilities", ["supports3DS", "supportsDebit"]),
    ]

    @Test("takes a field as Apple documents it", arguments: soundFields)
    func takes(path: String, value: JSON?) {
        let found = ApplePaySample.findings(ApplePaySample.setting(ApplePaySample.request, path, value))
        #expect(found.errors.isEmpty)
        #expect(found.warnings.isEmpty)
    }

    static let warnings: [(String, JSON, [String])] = [
        ("supportedNetworks", ["visa", "newNetwork"], ["/supportedNetworks/1 unknown_value"]),
        ("merchantCapabilities", ["supports3DS", "supportsX"], ["/merchantCapabilities/1 unknown_value"]),
        ("merchantCapabilities", ["supports3DS", "supportsEMV"], ["/merchantCapabilities capability_without_network"]),
        ("shippingType", "drone", ["/shippingType unknown_value"]),
        ("shippingContactEditingMode", "locked", ["/shippingContactEditingMode unknown_value"]),
        ("requiredBillingContactFields", ["name", "fax"], ["/requiredBillingContactFields/1 unknown_value"]),
        ("applicationData", "not base 64", ["/applicationData not_base64"]),
        ("applicationData", "YQ=a", ["/applicationData not_base64"]),
        ("applicationData", "abc", ["/applicationData not_base64"]),
    ]

    @Test("warns of what a sheet may not like, and refuses it when strict", arguments: warnings)
    func warns(path: String, value: JSON, expected: [String]) {
        let request = ApplePaySample.setting(ApplePaySample.request, path, value)
        let lenient = ApplePaySample.findings(request)
        #expect(lenient.errors.isEmpty)
        #expect(lenient.warnings == expected)
        let strict = ApplePaySample.findings(request, strict: true)
        #expect(strict.errors == expected)
        #expect(strict.warnings.isEmpty)
    }

    @Test("supportsEMV is welcome beside UnionPay")
    func unionPay() {
        var request = ApplePaySample.setting(ApplePaySample.request, "supportedNetworks", ["chinaUnionPay"])
        request = ApplePaySample.setting(request, "merchantCapabilities", ["supports3DS", "supportsEMV"])
        #expect(ApplePaySample.findings(request).warnings.isEmpty)
    }

    @Test("knows the 249 countries of ISO 3166-1")
    func countries() {
        let letters = (0x41...0x5A).map { String(UnicodeScalar(UInt8($0))) }
        let known = letters.flatMap { first in letters.map { first + $0 } }.filter { code in
            let request = ApplePaySample.setting(ApplePaySample.request, "countryCode", .string(code))
            return ApplePaySample.findings(request).errors.isEmpty
        }
        #expect(known.count == 249)
        #expect(Set(["US", "GB", "DE", "JP", "BQ", "SS", "CW"]).isSubset(of: known))
        #expect(Set(["UK", "EU", "XK", "AN", "SU", "ZZ"]).isDisjoint(with: known))
    }
}
