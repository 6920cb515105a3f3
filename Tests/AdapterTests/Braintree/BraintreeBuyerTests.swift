import AdapterKit
import Domain
import StrictJSON
import Testing

@Suite("What Braintree is told of the buyer")
struct BraintreeBuyerTests {
    private static let networkToken = Credential.networkToken(Sample.networkToken())
    private static let nonce = Credential.pspToken(Secret("tokencc_bh_sample"))

    /// The transaction of a call, after its token is made if it is of a network token.
    private static func transaction(_ call: Call, isFirst: Bool = true) throws -> JSON {
        let replies = isFirst ? [] : [try Conversation.reply("braintree/authorize/succeeded-network-token.1")]
        let request = try BraintreeRequestTests.request(call, after: replies)
        let variables = try BraintreeRequestTests.variables(request)
        let transaction = try #require(variables["input"]?["transaction"])
        #expect(BraintreeSchemaTests.problems(transaction, "TransactionInput!", at: "transaction") == [])
        return transaction
    }

    @Test("is all that a transaction takes")
    func everything() throws {
        let expected: JSON = [
            "riskData": ["customerBrowser": "Mozilla/5.0 (X11; Linux)", "customerIp": "203.0.113.7"],
            "descriptor": ["name": "HARBOUR*SEATS 77"],
            "shipping": [
                "shippingAddress": [
                    "firstName": "Bo", "lastName": "Kvist", "streetAddress": "Storgatan 9", "locality": "Malmo",
                    "postalCode": "21142", "countryCodeAlpha2": "SE",
                ]
            ],
            "lineItems": [
                [
                    "name": "Window seat", "kind": "DEBIT", "quantity": "2", "unitAmount": "30.00",
                    "totalAmount": "60.00", "taxAmount": "5.00", "productCode": "SEAT-1",
                    "commodityCode": "78111500",
                ],
                [
                    "name": "Meal", "kind": "DEBIT", "quantity": "1", "unitAmount": "12.50", "totalAmount": "12.50",
                ],
            ],
            "customerDetails": ["email": "anna.kvist@shop.example", "phoneNumber": "+4915112345678"],
        ]
        let silent = try Self.transaction(Sample.silent(Self.networkToken), isFirst: false)
        let told = try Self.transaction(Sample.told(Self.networkToken), isFirst: false)
        #expect(told.members(beyond: silent) == expected)
        #expect(silent.members(beyond: told) == .object([]))
        let vaulted = try Self.transaction(Sample.told(Self.nonce))
        let unnamed = try Self.transaction(Sample.silent(Self.nonce))
        #expect(vaulted.members(beyond: unnamed) == expected.removing("customerDetails"))
    }

    @Test(
        "has a descriptor of Braintree's form, or none",
        arguments: [
            ("ABC*123", true), ("ABCDEFG*PRODUCT", true), ("ABCDEFGHIJKL*PRODUCT", true), ("ABCD*PRODUCT", false),
            ("PRODUCT", false), ("ABC*", false), ("ABC*A*B", false), ("ABC*50% OFF", false),
        ]
    )
    func descriptor(_ text: String, isSent: Bool) throws {
        let told = try Self.transaction(Sample.told(Self.nonce) { $0.statementDescriptor = text })
        #expect(told["descriptor"]?["name"] == (isSent ? .string(text) : nil))
    }

    @Test("has short names and codes, and no item for nothing")
    func items() throws {
        let told = try Self.transaction(
            Sample.told(Self.nonce) { authorization in
                authorization.lineItems[0].name = String(repeating: "n", count: 255)
                authorization.lineItems[0].productCode = "SEAT-1234-5678"
                authorization.lineItems[1].unitAmount = 0
                authorization.buyer?.shippingAddress?.postalCode = "1234567890"
                authorization.buyer?.browser?.userAgent = String(repeating: "u", count: 2048)
            }
        )
        #expect(told["lineItems"]?.arrayValue?.count == 1)
        #expect(told["lineItems"]?[0]?["name"]?.stringValue?.count == 35)
        #expect(told["lineItems"]?[0]?["productCode"] == nil)
        #expect(told["shipping"]?["shippingAddress"]?["postalCode"] == nil)
        #expect(told["riskData"]?["customerBrowser"]?.stringValue?.count == 255)
    }
}
