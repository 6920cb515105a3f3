import AdapterKit
import Domain
import StrictJSON
import Testing

@Suite("What Square is told of the buyer")
struct SquareBuyerTests {
    private static let token = Credential.pspToken(Secret("cnon:card-nonce-ok"))

    /// What a payment says with a change, and what Square's description has against it, which is nothing.
    private static func body(_ change: (inout Call.Authorization) -> Void = { _ in }) throws -> JSON {
        let request = try SquareSample.request(Sample.told(token, change))
        #expect(try SquareSpec().violations(request, baseURL: Sample.settings.baseURL) == [])
        return try SquareSample.body(request)
    }

    @Test("is all that a payment takes")
    func everything() throws {
        let expected: JSON = [
            "buyer_email_address": "anna.kvist@shop.example", "buyer_phone_number": "+4915112345678",
            "billing_address": [
                "address_line_1": "Hafenstrasse 4", "address_line_2": "Hinterhaus", "locality": "Hamburg",
                "administrative_district_level_1": "HH", "postal_code": "20459", "country": "DE",
                "first_name": "Anna Maria", "last_name": "Kvist",
            ],
            "shipping_address": [
                "address_line_1": "Storgatan 9", "locality": "Malmo", "postal_code": "21142", "country": "SE",
                "first_name": "Bo", "last_name": "Kvist",
            ],
            "statement_description_identifier": "HARBOUR*SEATS 77",
        ]
        let silent = try SquareSample.body(SquareSample.request(Sample.silent(Self.token)))
        let told = try Self.body()
        #expect(told.members(beyond: silent) == expected)
        #expect(silent.members(beyond: told) == .object([]))
    }

    @Test("has no phone number that Square takes for none, and a statement of 20 characters at most")
    func limits() throws {
        #expect(try Self.body { $0.buyer?.phone = "+35412345" }["buyer_phone_number"] == nil)
        #expect(try Self.body { $0.buyer?.phone = "+354123456" }["buyer_phone_number"] == "+354123456")
        let long = try Self.body { $0.statementDescriptor = "ABCDEFGHIJKLMNOPQRSTUV" }
        #expect(long["statement_description_identifier"] == "ABCDEFGHIJKLMNOPQRST")
    }
}
