import AdapterKit
import CheckoutAdapter
import Domain
import StrictJSON
import Testing

@Suite("Checkout.com's allocations")
struct CheckoutSplitTests {
    /// A case: who is paid, the commission, and what is allocated.
    struct Row: Sendable, CustomTestStringConvertible {
        let entity: String?
        let settlesToMerchant: Bool
        let fee: Int64?
        let allocated: JSON?
        var testDescription: String { "\(entity ?? "nobody") \(settlesToMerchant) \(fee.map { "\($0)" } ?? "no fee")" }
    }

    static let entity = "ent_w4jelhppmfiufdnatam37wrfc4"

    static func allocation(_ amount: Int64, commission: Int64? = nil) -> JSON {
        let json = JSON.object(omittingAbsent: [
            "id": .string(entity), "amount": .integer(amount),
            "commission": commission.map { ["amount": .integer($0)] },
        ])
        return .array([json])
    }

    static func allocations(
        _ operation: SampleOperation,
        _ row: Row,
        settings: AdapterSettings = CheckoutSample.settings()
    ) throws -> JSON {
        var call = try Sample.call(
            operation,
            credential: Sample.credential(.networkToken),
            reference: operation == .authorize ? nil : CheckoutSample.payment,
            amount: 6000,
            merchantAccount: row.entity,
            applicationFee: row.fee
        )
        call.settlesToMerchant = row.settlesToMerchant
        return try CheckoutSample.body(CheckoutSample.request(call, settings: settings))
    }

    @Test(
        "of an authorization and a refund pay the sub-entity less the commission, if there is one",
        arguments: [SampleOperation.authorize, .refund],
        [
            Row(entity: entity, settlesToMerchant: true, fee: 500, allocated: allocation(6000, commission: 500)),
            Row(entity: entity, settlesToMerchant: true, fee: 0, allocated: allocation(6000)),
            Row(entity: entity, settlesToMerchant: true, fee: nil, allocated: allocation(6000)),
            Row(entity: entity, settlesToMerchant: false, fee: 500, allocated: nil),
            Row(entity: nil, settlesToMerchant: true, fee: 500, allocated: nil),
        ]
    )
    func authorization(operation: SampleOperation, row: Row) throws {
        #expect(try Self.allocations(operation, row)["amount_allocations"] == row.allocated)
    }

    @Test(
        "of a capture state the commission again, a commission of 0 included",
        arguments: [
            Row(entity: entity, settlesToMerchant: true, fee: 300, allocated: allocation(6000, commission: 300)),
            Row(entity: entity, settlesToMerchant: true, fee: 0, allocated: allocation(6000, commission: 0)),
            Row(entity: entity, settlesToMerchant: true, fee: nil, allocated: allocation(6000)),
            Row(entity: entity, settlesToMerchant: false, fee: 300, allocated: nil),
            Row(entity: nil, settlesToMerchant: true, fee: 300, allocated: nil),
        ]
    )
    func capture(row: Row) throws {
        #expect(try Self.allocations(.capture, row)["amount_allocations"] == row.allocated)
    }

    @Test("on a lite account only say whose sale it is", arguments: [SampleOperation.authorize, .capture, .refund])
    func lite(operation: SampleOperation) throws {
        let settings = CheckoutSample.settings(["account_type": "lite"])
        let row = Row(entity: Self.entity, settlesToMerchant: false, fee: 500, allocated: nil)
        let body = try Self.allocations(operation, row, settings: settings)
        #expect(body["amount_allocations"] == Self.allocation(6000))
    }

    @Test("on a lite account cannot pay a merchant, so that no such payment is requested")
    func litePaysNobody() throws {
        let call = try Sample.call(
            .authorize,
            credential: Sample.credential(.networkToken),
            merchantAccount: Self.entity
        )
        let outcome = try CheckoutSample.outcome(of: call, settings: CheckoutSample.settings(["account_type": "lite"]))
        #expect(Expectation(outcome) == .rejected(.unsupported))
    }

    @Test(
        "are named in the metadata, settled or not, so that webhooks tell whose payment it is",
        arguments: [true, false]
    )
    func metadata(settlesToMerchant: Bool) throws {
        for operation in [SampleOperation.authorize, .capture, .void, .refund] {
            let row = Row(entity: Self.entity, settlesToMerchant: settlesToMerchant, fee: nil, allocated: nil)
            let body = try Self.allocations(operation, row)
            #expect(body["metadata"]?["merchant_account"] == .string(Self.entity))
        }
    }

    @Test("with a commission that cannot be counted are not sent")
    func uncountableFee() throws {
        for operation in [SampleOperation.authorize, .capture, .refund] {
            let call = try Sample.call(
                operation,
                credential: Sample.credential(.networkToken),
                reference: operation == .authorize ? nil : CheckoutSample.payment,
                currency: "KWD",
                merchantAccount: Self.entity,
                applicationFee: 5
            )
            #expect(Expectation(try CheckoutSample.outcome(of: call)) == .rejected(.unsupported))
        }
    }
}
