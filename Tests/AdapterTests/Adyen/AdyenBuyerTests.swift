import AdapterKit
import Domain
import StrictJSON
import Testing

@Suite("What Adyen is told of the buyer")
struct AdyenBuyerTests {
    private static let token = Credential.networkToken(Sample.networkToken())

    /// What a payment says with a change, and what Adyen's description has against it, which is nothing.
    private static func body(_ change: (inout Call.Authorization) -> Void = { _ in }) throws -> JSON {
        let call = try Sample.told(token, change)
        #expect(try AdyenSpecTests.violations(call) == [])
        return try AdyenRequestTests.body(call)
    }

    @Test("is all that a payment takes")
    func everything() throws {
        let expected: JSON = [
            "shopperReference": "shopper-77",
            "shopperName": ["firstName": "Anna Maria", "lastName": "Kvist"],
            "shopperEmail": "anna.kvist@shop.example", "shopperIP": "203.0.113.7",
            "telephoneNumber": "+4915112345678", "countryCode": "DE",
            "billingAddress": [
                "street": "Hafenstrasse 4", "houseNumberOrName": "Hinterhaus", "postalCode": "20459",
                "city": "Hamburg", "stateOrProvince": "HH", "country": "DE",
            ],
            "deliveryAddress": [
                "firstName": "Bo", "lastName": "Kvist", "street": "Storgatan 9", "houseNumberOrName": "NA",
                "postalCode": "21142", "city": "Malmo", "country": "SE",
            ],
            "browserInfo": [
                "acceptHeader": "text/html", "userAgent": "Mozilla/5.0 (X11; Linux)", "language": "de-DE",
                "colorDepth": 24, "screenHeight": 1080, "screenWidth": 1920, "timeZoneOffset": -120,
                "javaEnabled": false, "javaScriptEnabled": true,
            ],
            "shopperStatement": "HARBOUR*SEATS 77",
            "lineItems": [
                [
                    "description": "Window seat", "quantity": 2, "amountExcludingTax": 3000, "taxAmount": 250,
                    "amountIncludingTax": 3250, "sku": "SEAT-1",
                ], ["description": "Meal", "quantity": 1, "amountExcludingTax": 1250],
            ],
        ]
        let silent = try AdyenRequestTests.body(Sample.silent(Self.token))
        let told = try Self.body()
        #expect(told.members(beyond: silent) == expected)
        #expect(silent.members(beyond: told) == .object([]))
    }

    @Test("leaves the shopper of a stored payment method who they are")
    func stored() throws {
        let call = try Sample.told(.pspToken(Secret("8416038790273850"), customer: Secret("shop/shopper-7")))
        #expect(try AdyenRequestTests.body(call)["shopperReference"] == "shop/shopper-7")
        #expect(try AdyenSpecTests.violations(call) == [])
        let short = try Self.body { $0.buyer?.reference = "ab" }
        #expect(short["shopperReference"] == nil)
    }

    @Test("has no address that lacks what Adyen demands")
    func addresses() throws {
        let states: [(String, String?, Bool)] = [("US", "WA", true), ("US", nil, false), ("CA", nil, false)]
        for (country, state, isThere) in states {
            let body = try Self.body { authorization in
                authorization.buyer?.billingAddress?.country = country
                authorization.buyer?.billingAddress?.state = state
                authorization.buyer?.billingAddress?.postalCode = "98101-1234"
            }
            #expect((body["billingAddress"] != nil) == isThere, "\(country)")
            #expect(body["billingAddress"]?["postalCode"] == (isThere ? "98101" : nil))
        }
        #expect(try Self.body { $0.buyer?.billingAddress?.city = nil }["billingAddress"] == nil)
        #expect(try Self.body { $0.buyer?.billingAddress?.postalCode = "12345678901" }["billingAddress"] == nil)
        let county = try Self.body { $0.buyer?.billingAddress?.state = "Hamburg" }["billingAddress"]
        #expect(county != nil && county?["stateOrProvince"] == nil)
    }

    @Test("has a browser that is whole, or none")
    func browser() throws {
        #expect(try Self.body { $0.buyer?.browser?.isJavaScriptEnabled = nil }["browserInfo"] != nil)
        #expect(try Self.body { $0.buyer?.browser?.language = nil }["browserInfo"] == nil)
        #expect(try Self.body { $0.buyer?.browser?.timeZoneOffset = nil }["browserInfo"] == nil)
    }

    @Test("has a statement of what Adyen allows, names in two parts, and taxes of one piece")
    func parts() throws {
        #expect(try Self.body { $0.statementDescriptor = "Caf#e & \"Bar\"" }["shopperStatement"] == "Cafe  Bar")
        #expect(try Self.body { $0.statementDescriptor = "###" }["shopperStatement"] == nil)
        #expect(try Self.body { $0.buyer?.name = "Anna" }["shopperName"] == nil)
        let odd = try Self.body { $0.lineItems[0].taxAmount = 501 }["lineItems"]?[0]
        #expect(odd?["taxAmount"] == nil && odd?["amountIncludingTax"] == nil && odd?["amountExcludingTax"] == 3000)
    }
}
