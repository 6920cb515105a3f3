import AdapterKit
import Domain
import StrictJSON
import Testing

@Suite("What Worldpay is told of the buyer")
struct WorldpayBuyerTests {
    private static let token = Credential.networkToken(Sample.networkToken(eci: "05", source: .network))

    /// The instruction of a call, which is as the description has it.
    private static func instruction(_ call: Call) throws -> JSON {
        let request = try WorldpaySample.request(call)
        #expect(try WorldpaySchemaTests.violations(request) == [])
        return try #require(try JSON.parse(request.body)["instruction"])
    }

    private static func told(_ change: (inout Call.Authorization) -> Void = { _ in }) throws -> JSON {
        try instruction(Sample.told(token, change))
    }

    @Test("is all that an instruction takes")
    func everything() throws {
        let expected: JSON = [
            "narrative": ["line1": "HARBOURSEATS 77"],
            "customer": [
                "customerId": "shopper-77", "firstName": "Anna Maria", "lastName": "Kvist",
                "phone": "4915112345678", "email": "anna.kvist@shop.example", "ipAddress": "203.0.113.7",
            ],
            "shipping": [
                "firstName": "Bo", "lastName": "Kvist", "phone": "4915112345678",
                "address": [
                    "address1": "Storgatan 9", "postalCode": "21142", "city": "Malmo", "countryCode": "SE",
                ],
            ],
        ]
        let billing: JSON = [
            "address1": "Hafenstrasse 4", "address2": "Hinterhaus", "postalCode": "20459", "city": "Hamburg",
            "state": "HH", "countryCode": "DE",
        ]
        let silent = try Self.instruction(Sample.silent(Self.token))
        let told = try Self.told()
        #expect(told.removing("paymentInstrument").members(beyond: silent) == expected)
        let instrument = try #require(told["paymentInstrument"])
        #expect(instrument.members(beyond: silent["paymentInstrument"] ?? .null) == ["billingAddress": billing])
        #expect(silent["narrative"] == ["line1": "Sample Shop"])
    }

    @Test("has no billing address for an instrument that takes none")
    func instruments() throws {
        let takes: [(Credential, Bool)] = [
            (.networkToken(Sample.networkToken()), false), (.pspToken(Secret("https://psp.example/tokens/a")), false),
            (.pspToken(Secret("https://psp.example/sessions/a")), true),
        ]
        for (credential, takesAddress) in takes {
            let instrument = try Self.instruction(Sample.told(credential))["paymentInstrument"]
            #expect((instrument?["billingAddress"] != nil) == takesAddress)
        }
    }

    @Test("has whole addresses only, and names of 22 characters")
    func limits() throws {
        let bare = try Self.told { authorization in
            authorization.buyer?.billingAddress?.line1 = nil
            authorization.buyer?.shippingAddress?.postalCode = nil
            authorization.buyer?.name = String(repeating: "f", count: 40) + " " + String(repeating: "l", count: 40)
        }
        #expect(bare["paymentInstrument"]?["billingAddress"] == nil && bare["shipping"] == nil)
        #expect(bare["customer"]?["firstName"]?.stringValue?.count == 22)
        #expect(bare["customer"]?["lastName"]?.stringValue?.count == 22)
        let irish = try Self.told { authorization in
            authorization.buyer?.billingAddress?.country = "IE"
            authorization.buyer?.billingAddress?.postalCode = nil
        }
        #expect(irish["paymentInstrument"]?["billingAddress"]?["countryCode"] == "IE")
        #expect(try Self.told { $0.statementDescriptor = "***" }["narrative"] == ["line1": "Sample Shop"])
    }
}
