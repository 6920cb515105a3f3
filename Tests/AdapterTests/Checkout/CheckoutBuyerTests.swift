import AdapterKit
import Domain
import StrictJSON
import Testing

@Suite("What Checkout.com is told of the buyer")
struct CheckoutBuyerTests {
    private static let token = Credential.pspToken(Secret("tok_ubfj2q76miwundwlk72vxt2i7q"))

    /// The body of a payment, which breaks nothing.
    private static func body(_ call: Call) throws -> JSON {
        let request = try CheckoutSample.request(call)
        #expect(try CheckoutSchema().violations(request, baseURL: "https://psp.example") == [])
        return try CheckoutSample.body(request)
    }

    @Test("is all that a payment takes")
    func everything() throws {
        let phone: JSON = ["country_code": "+49", "number": "15112345678"]
        let expected: JSON = [
            "source": [
                "type": "token", "token": "tok_ubfj2q76miwundwlk72vxt2i7q",
                "billing_address": [
                    "address_line1": "Hafenstrasse 4", "address_line2": "Hinterhaus", "city": "Hamburg",
                    "state": "HH", "zip": "20459", "country": "DE",
                ],
                "phone": phone,
            ],
            "customer": ["email": "anna.kvist@shop.example", "name": "Anna Maria Kvist", "phone": phone],
            "shipping": [
                "first_name": "Bo", "last_name": "Kvist",
                "address": ["address_line1": "Storgatan 9", "city": "Malmo", "zip": "21142", "country": "SE"],
                "phone": phone,
            ],
            "risk": [
                "enabled": true,
                "device": [
                    "user_agent": "Mozilla/5.0 (X11; Linux)", "network": ["ipv4": "203.0.113.7"], "timezone": "-120",
                    "java_enabled": false, "javascript_enabled": true, "language": "de-DE", "color_depth": "24",
                    "screen_height": "1080", "screen_width": "1920",
                ],
            ],
            "items": [
                [
                    "name": "Window seat", "quantity": 2, "unit_price": 3000, "reference": "SEAT-1",
                    "commodity_code": "78111500", "total_amount": 6000, "tax_amount": 500,
                ], ["name": "Meal", "quantity": 1, "unit_price": 1250, "total_amount": 1250],
            ],
        ]
        let silent = try Self.body(Sample.silent(Self.token))
        let told = try Self.body(Sample.told(Self.token))
        #expect(told.members(beyond: silent) == expected)
        #expect(silent.members(beyond: told) == ["source": silent["source"] ?? .null])
    }

    @Test(
        "is there for every source",
        arguments: [
            Credential.pspToken(Secret("src_wmlfc3zyhqzehihu7giusaaawu")), .networkToken(Sample.networkToken()),
        ]
    )
    func sources(credential: Credential) throws {
        let source = try Self.body(Sample.told(credential))["source"]
        #expect(source?["billing_address"]?["zip"] == "20459" && source?["phone"]?["country_code"] == "+49")
    }

    @Test("leaves the customer of a stored source who they are")
    func customer() throws {
        let stored = Credential.pspToken(Secret("src_wmlfc3zyhqzehihu7giusaaawu"), customer: Secret("cus_1"))
        #expect(try Self.body(Sample.told(stored))["customer"] == ["id": "cus_1"])
        let unknown = try Sample.told(Self.token) { $0.buyer?.email = "a@b" }
        #expect(try Self.body(unknown)["customer"] == nil)
    }

    @Test("has addresses on the network of either version, and what is short enough")
    func device() throws {
        let call = try Sample.told(Self.token) { authorization in
            authorization.buyer?.ip = "2001:db8::7"
            authorization.buyer?.browser?.language = "sr-Latn-RS-x-1"
            authorization.buyer?.phone = "+35412345"
        }
        let body = try Self.body(call)
        #expect(body["risk"]?["device"]?["network"] == ["ipv6": "2001:db8::7"])
        #expect(body["risk"]?["device"]?["language"] == nil)
        #expect(body["source"]?["phone"] == nil)
        let address = try Sample.told(Self.token) { $0.buyer?.browser = nil }
        #expect(try Self.body(address)["risk"]?["device"] == ["network": ["ipv4": "203.0.113.7"]])
    }
}
