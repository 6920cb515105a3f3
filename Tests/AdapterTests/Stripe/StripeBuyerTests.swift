import AdapterKit
import Domain
import Foundation
import Testing

@Suite("What Stripe is told of the buyer")
struct StripeBuyerTests {
    /// The form's fields, `name=value`.
    private static func fields(_ call: Call) throws -> Set<String> {
        let body = String(decoding: try StripeRequestTests.request(call).body, as: UTF8.self)
        return Set(body.split(separator: "&").map { String($0).removingPercentEncoding ?? "" })
    }

    /// What a call says beyond one that says nothing, which it says as well.
    private static func told(_ call: Call, _ credential: Credential) throws -> Set<String> {
        let silent = try fields(Sample.silent(credential))
        let all = try fields(call)
        #expect(silent.isSubset(of: all))
        return all.subtracting(silent)
    }

    private static let shared: Set<String> = [
        "shipping[name]=Bo Kvist", "shipping[phone]=+4915112345678", "shipping[address][line1]=Storgatan 9",
        "shipping[address][city]=Malmo", "shipping[address][postal_code]=21142", "shipping[address][country]=SE",
        "payment_details[customer_reference]=shopper-77", "statement_descriptor_suffix=HARBOURSEA",
        "amount_details[enforce_arithmetic_validation]=false",
        "amount_details[line_items][0][product_name]=Window seat", "amount_details[line_items][0][quantity]=2",
        "amount_details[line_items][0][unit_cost]=3000", "amount_details[line_items][0][tax][total_tax_amount]=500",
        "amount_details[line_items][0][product_code]=SEAT-1",
        "amount_details[line_items][0][payment_method_options][card][commodity_code]=78111500",
        "amount_details[line_items][1][product_name]=Meal", "amount_details[line_items][1][quantity]=1",
        "amount_details[line_items][1][unit_cost]=1250",
    ]

    private static let billing: Set<String> = [
        "payment_method_data[billing_details][name]=Anna Maria Kvist",
        "payment_method_data[billing_details][email]=anna.kvist@shop.example",
        "payment_method_data[billing_details][phone]=+4915112345678",
        "payment_method_data[billing_details][address][line1]=Hafenstrasse 4",
        "payment_method_data[billing_details][address][line2]=Hinterhaus",
        "payment_method_data[billing_details][address][city]=Hamburg",
        "payment_method_data[billing_details][address][state]=HH",
        "payment_method_data[billing_details][address][postal_code]=20459",
        "payment_method_data[billing_details][address][country]=DE",
    ]

    @Test(
        "is all that a PaymentIntent takes, with billing details where it makes a payment method",
        arguments: [
            (.pspToken(Secret("tok_visa")), true), (.networkToken(Sample.networkToken()), true),
            (.pspToken(Secret("pm_1sample")), false), (.pspToken(Secret("ctoken_1sample")), false),
        ] as [(Credential, Bool)]
    )
    func everything(credential: Credential, makesMethod: Bool) throws {
        let call = try Sample.told(credential)
        #expect(try Self.told(call, credential) == (makesMethod ? Self.shared.union(Self.billing) : Self.shared))
        let violations = try StripeSpecTests.violations(call)
        #expect(violations.filter { !StripeSpecTests.unpublished.contains($0) } == [])
    }

    @Test("has what of the amount is shipping, with items or without")
    func shippingAmount() throws {
        let token = Credential.pspToken(Secret("pm_1sample"))
        let call = try Sample.told(token) { $0.shipping = 1250 }
        #expect(try Self.fields(call).contains("amount_details[shipping][amount]=1250"))
        #expect(try StripeSpecTests.violations(call).filter { !StripeSpecTests.unpublished.contains($0) } == [])
        let alone = try Sample.told(token) { ($0.shipping, $0.lineItems) = (1250, []) }
        let details = try Self.fields(alone).filter { $0.hasPrefix("amount_details") }
        #expect(
            details == [
                "amount_details[enforce_arithmetic_validation]=false", "amount_details[shipping][amount]=1250",
            ]
        )
    }

    @Test("names a shipment for the buyer if it names nobody, and is none without a name")
    func shipping() throws {
        let token = Credential.pspToken(Secret("pm_1sample"))
        let unnamed = try Sample.told(token) { $0.buyer?.shippingAddress?.name = nil }
        #expect(try Self.fields(unnamed).contains("shipping[name]=Anna Maria Kvist"))
        let nameless = try Sample.told(token) { authorization in
            authorization.buyer?.shippingAddress?.name = nil
            authorization.buyer?.name = nil
        }
        #expect(try !Self.fields(nameless).contains { $0.hasPrefix("shipping") })
    }

    @Test(
        "has the statement's suffix without what Stripe refuses",
        arguments: [
            ("Seats", "Seats"), ("O'Hara \"7\" <b>", "OHara 7 b"), ("0123456789 A", nil), ("2026-11-23", nil),
        ] as [(String, String?)]
    )
    func suffix(_ descriptor: String, expected: String?) throws {
        let call = try Sample.told(.pspToken(Secret("pm_1sample"))) { $0.statementDescriptor = descriptor }
        let found = try Self.fields(call).filter { $0.hasPrefix("statement_descriptor_suffix") }
        #expect(found == Set(expected.map { ["statement_descriptor_suffix=\($0)"] } ?? []))
    }

    @Test("has items in Stripe's unit, or none, and no code that is too long")
    func items() throws {
        let token = Credential.pspToken(Secret("pm_1sample"))
        let long = try Sample.told(token) { authorization in
            authorization.lineItems[0].productCode = "SEAT-1234-5678"
            authorization.lineItems[0].commodityCode = "7811150012345"
        }
        #expect(try !Self.fields(long).contains { $0.contains("code]=") && $0.contains("line_items") })
        let yen = try Sample.told(token, currency: "JPY")
        #expect(try Self.fields(yen).contains("amount_details[line_items][0][unit_cost]=3000"))
        // Stripe knows two digits of the dinar's three.
        let dinars = try Sample.told(token, currency: "KWD") { $0.lineItems[0].unitAmount = 3001 }
        #expect(try !Self.fields(dinars).contains { $0.hasPrefix("amount_details") })
    }
}
