import AdapterKit
import Domain
import StrictJSON
import Testing

@Suite("What Authorize.Net is told of the buyer")
struct AuthorizeNetBuyerTests {
    private static let token = Credential.networkToken(Sample.networkToken())

    /// The transaction of a call, which is as the schema has it.
    private static func transaction(_ call: Call) throws -> JSON {
        let request = try AuthorizeNetSample.request(call)
        #expect(try AuthorizeNetSchemaTests.violations(request) == [])
        let body = try JSON.parse(request.body)
        return try #require(body["createTransactionRequest"]?["transactionRequest"])
    }

    @Test("is all that a transaction takes, in the schema's order, and no mail is to be sent")
    func everything() throws {
        let expected: JSON = [
            "lineItems": [
                "lineItem": [
                    [
                        "itemId": "SEAT-1", "name": "Window seat", "quantity": "2", "unitPrice": "30.00",
                        "taxAmount": "5.00", "commodityCode": "78111500", "productCode": "SEAT-1",
                    ], ["itemId": "2", "name": "Meal", "quantity": "1", "unitPrice": "12.50"],
                ]
            ],
            "customer": ["id": "shopper-77", "email": "anna.kvist@shop.example"],
            "billTo": [
                "firstName": "Anna Maria", "lastName": "Kvist", "address": "Hafenstrasse 4, Hinterhaus",
                "city": "Hamburg", "state": "HH", "zip": "20459", "country": "DE", "phoneNumber": "+4915112345678",
            ],
            "shipTo": [
                "firstName": "Bo", "lastName": "Kvist", "address": "Storgatan 9", "city": "Malmo", "zip": "21142",
                "country": "SE",
            ],
            "customerIP": "203.0.113.7",
            "transactionSettings": [
                "setting": [
                    ["settingName": "allowPartialAuth", "settingValue": "false"],
                    ["settingName": "duplicateWindow", "settingValue": "28800"],
                    ["settingName": "emailCustomer", "settingValue": "false"],
                ]
            ],
        ]
        let silent = try Self.transaction(Sample.silent(Self.token))
        let told = try Self.transaction(Sample.told(Self.token))
        #expect(told.members(beyond: silent) == expected)
        let replaced: JSON = ["transactionSettings": silent["transactionSettings"] ?? .null]
        #expect(silent.members(beyond: told) == replaced)
    }

    @Test("is only the items and the address on the network beside a stored profile")
    func profile() throws {
        let stored = Credential.pspToken(Secret("1820"), customer: Secret("905"))
        let request = try AuthorizeNetSample.request(Sample.told(stored))
        let told = try JSON.parse(request.body)["createTransactionRequest"]?["transactionRequest"]
        #expect(told?["lineItems"] != nil && told?["customerIP"] == "203.0.113.7")
        for name in ["customer", "billTo", "shipTo"] { #expect(told?[name] == nil, "\(name)") }
        #expect(told?["transactionSettings"]?["setting"]?.arrayValue?.count == 2)
    }

    @Test("is cut to the schema's lengths, or left out where half of it would be another")
    func lengths() throws {
        let call = try Sample.told(Self.token) { authorization in
            authorization.buyer?.billingAddress?.line1 = String(repeating: "s", count: 200)
            authorization.buyer?.billingAddress?.city = String(repeating: "c", count: 100)
            authorization.buyer?.name = String(repeating: "f", count: 60) + " " + String(repeating: "l", count: 60)
            authorization.buyer?.reference = String(repeating: "r", count: 21)
            authorization.buyer?.ip = "2001:db8::7"
            authorization.lineItems[0].name = String(repeating: "n", count: 255)
            authorization.lineItems[0].productCode = String(repeating: "p", count: 40)
        }
        let told = try Self.transaction(call)
        #expect(told["billTo"]?["address"]?.stringValue?.count == 60)
        #expect(told["billTo"]?["city"]?.stringValue?.count == 40)
        #expect(told["billTo"]?["firstName"]?.stringValue?.count == 50)
        #expect(told["customer"]?["id"] == nil && told["customerIP"] == nil)
        let item = told["lineItems"]?["lineItem"]?[0]
        #expect(item?["itemId"] == "1" && item?["name"]?.stringValue?.count == 31 && item?["productCode"] == nil)
        let many = try Sample.told(Self.token) { authorization in
            authorization.lineItems = Array(repeating: authorization.lineItems[1], count: 31)
        }
        #expect(try Self.transaction(many)["lineItems"] == nil)
    }
}
