import Domain
import StrictJSON
import Testing
import WalletOrders
import WalletTwins

@Suite("What a device makes of two versions")
struct OrderChangeTests {
    private static func document(_ change: (inout WalletOrderInput) -> Void) throws -> JSON {
        var input = try TestOrder.full()
        change(&input)
        return try WalletOrderDocument(input).document
    }

    @Test("Of two that differ in their time only, nothing")
    func same() throws {
        let old = try Self.document { _ in }
        let new = try Self.document { $0.updatedAt = $0.updatedAt.adding(milliseconds: 1000) }
        #expect(old != new)
        #expect(OrderChange.all(from: old, to: new).isEmpty)
    }

    @Test("Each change by its name")
    func changes() throws {
        let old = try Self.document { input in
            input.payments[1].refunds = []
            input.status = .open
        }
        let new = try Self.document { input in
            input.status = .completed
            input.paymentStatus = .refunded
            input.orderNumber = "2"
            input.fulfillments.removeLast()
            input.returns[0].status = .completed
            input.fulfillments.append(
                .init(externalIdentifier: "ship-2", details: .shipping(.init(status: .processing)))
            )
            if case .shipping(var shipping) = input.fulfillments[0].details {
                shipping.status = .delivered
                input.fulfillments[0].details = .shipping(shipping)
            }
        }
        #expect(
            OrderChange.all(from: old, to: new) == [
                .status(from: "open", to: "completed"), .payment(from: "paid", to: "refunded"),
                .transaction(type: "refund", status: "completed", amount: "25.00 EUR"),
                .fulfillment(identifier: "ship-1", from: "onTheWay", to: "delivered"),
                .fulfillmentAdded(identifier: "ship-2", status: "processing"),
                .fulfillmentRemoved(identifier: "pick-1"), .return(identifier: "return-1", status: "completed"),
                .other(member: "orderNumber"),
            ]
        )
    }
}
