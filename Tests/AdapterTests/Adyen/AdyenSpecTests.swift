import AdapterKit
import AdyenAdapter
import Domain
import StrictJSON
import Testing

@Suite("Adyen's requests, held against its OpenAPI description,")
struct AdyenSpecTests {
    static func violations(_ call: Call) throws -> [String] {
        try JSONBodySpec.adyen.violations(try AdyenRequestTests.request(call), baseURL: "https://psp.example/v72")
    }

    static let credentials: [Credential] =
        [
            .pspToken(Secret("shopper-7/8416038790273850")), .networkToken(Sample.networkToken(source: .googlePay)),
            .networkToken(Sample.networkToken(eci: nil, source: .network)),
        ] + Sample.credentials.filter { $0.kind != .pspToken }

    @Test("break nothing for any credential, capture and split", arguments: credentials)
    func payments(credential: Credential) throws {
        for account in [nil, AdyenSample.balanceAccount, "\(AdyenSample.balanceAccount)/harbour"] {
            for returnURL in ["https://shop.example/back", nil] {
                for capture in [false, true] {
                    var call = try Sample.call(.authorize, merchantAccount: account)
                    call.kind = .authorize(
                        Call.Authorization(
                            credential: credential,
                            capture: capture,
                            applicationFee: 500,
                            returnURL: returnURL,
                            description: "Cart 17"
                        )
                    )
                    #expect(try Self.violations(call) == [])
                }
            }
        }
    }

    @Test("of later operations break nothing", arguments: [SampleOperation.capture, .void, .refund])
    func laterOperations(operation: SampleOperation) throws {
        for account in [nil, AdyenSample.balanceAccount, "\(AdyenSample.balanceAccount)/harbour"] {
            let call = try Sample.call(
                operation,
                reference: AdyenSample.payment,
                merchantAccount: account,
                applicationFee: 500
            )
            #expect(try Self.violations(call) == [])
        }
    }

    @Test("to cancel by our reference break nothing")
    func cancelByReference() throws {
        #expect(try Self.violations(try Sample.call(.void)) == [])
    }

    @Test(
        "would be found out",
        arguments: [
            ("merchantAccount", nil, ["merchantAccount is missing"]), ("tip", 1, ["tip is unknown"]),
            ("amount", ["value": "1", "currency": "USD"], ["amount.value has the wrong type"]),
            ("amount", ["value": 1, "currency": "US"], ["amount.currency is shorter than 3"]),
            ("reference", .string(String(repeating: "r", count: 81)), ["reference is longer than 80"]),
            ("shopperInteraction", "Sometimes", ["shopperInteraction is none of its words"]),
            ("captureDelayHours", "0", ["captureDelayHours has the wrong type"]),
            ("paymentMethod", ["type": "applepay"], ["paymentMethod.applePayToken is missing"]),
            ("paymentMethod", ["type": "scheme", "pan": "1"], ["paymentMethod.pan is unknown"]),
            ("splits", [["type": "Merchant"]], ["splits[0].type is none of its words"]),
            ("splits", [["type": "Commission", "amount": [:]]], ["splits[0].amount.value is missing"]),
            ("additionalData", ["manualCapture": true], ["additionalData.manualCapture has the wrong type"]),
            ("mpiData", ["authenticationResponse": "X"], ["mpiData.authenticationResponse is none of its words"]),
        ] as [(String, JSON?, [String])]
    )
    func validatorFinds(member: String, value: JSON?, expected: [String]) throws {
        var request = try AdyenRequestTests.request(
            try Sample.call(.authorize, credential: Sample.credential(.encryptedApplePay))
        )
        let body = try JSON.parse(request.body)
        request.body = (value.map { body.setting(member, $0) } ?? body.removing(member)).bytes
        let found = try JSONBodySpec.adyen.violations(request, baseURL: "https://psp.example/v72")
        #expect(found == expected)
    }
}
