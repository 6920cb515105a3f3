import Domain
import Testing
import WalletOrders

@Suite("Where an order stands in Wallet")
struct WalletOrderStandingTests {
    /// An order, and what Wallet says of it.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let decision: Decision.State
        let fates: [TestOrder.Fate]
        var refunds: [[Int64]] = []
        var countsOn: [Int]?
        var fulfillments: [WalletFulfillment] = []
        let says: (WalletOrderStatus, WalletPaymentStatus, String?, Int64)

        var testDescription: String { name }

        func order() throws -> Order {
            let payments = fates.enumerated().map { index, fate in
                TestOrder.payment(index, fate, refunds: refunds.indices.contains(index) ? refunds[index] : [])
            }
            return try TestOrder.order(decision, payments, countsOn: countsOn)
        }
    }

    static let onTheWay = shipped(.onTheWay)
    static let delivered = shipped(.delivered)

    static func shipped(_ status: WalletShipping.Status) -> WalletFulfillment {
        WalletFulfillment(
            externalIdentifier: status.rawValue,
            details: .shipping(WalletShipping(status: status))
        )
    }

    static let rows: [Row] = [
        Row(
            name: "undecided",
            decision: .pending,
            fates: [.authorized, .open],
            says: (.open, .pending, WalletOrderStanding.confirming, 20_000)
        ),
        Row(
            name: "waits for the buyer",
            decision: .pending,
            fates: [.actionRequired],
            says: (.open, .pending, WalletOrderStanding.confirming, 10_000)
        ),
        Row(name: "authorized", decision: .accepted, fates: [.authorized], says: (.open, .authorized, nil, 10_000)),
        Row(
            name: "captured in part, the rest is held",
            decision: .accepted,
            fates: [.captured(10_000), .authorized],
            says: (.open, .authorized, nil, 20_000)
        ),
        Row(
            name: "paid, nothing to deliver",
            decision: .accepted,
            fates: [.captured(10_000)],
            says: (.completed, .paid, nil, 10_000)
        ),
        Row(
            name: "paid, on the way",
            decision: .accepted,
            fates: [.captured(10_000)],
            fulfillments: [delivered, onTheWay],
            says: (.open, .paid, nil, 10_000)
        ),
        Row(
            name: "paid, everything there or called off",
            decision: .accepted,
            fates: [.captured(10_000)],
            fulfillments: [delivered, shipped(.cancelled)],
            says: (.completed, .paid, nil, 10_000)
        ),
        Row(
            name: "one left out by the policy",
            decision: .accepted,
            fates: [.captured(10_000), .declined],
            countsOn: [0],
            says: (.completed, .paid, "Not charged: Grand Hotel", 10_000)
        ),
        Row(
            name: "one captured in part for good",
            decision: .accepted,
            fates: [.captured(10_000), .captured(4000)],
            says: (.completed, .paid, "Charged in part: Grand Hotel", 14_000)
        ),
        Row(
            name: "a part given back while goods are on the way",
            decision: .accepted,
            fates: [.captured(10_000), .captured(10_000)],
            refunds: [[2500]],
            fulfillments: [onTheWay],
            says: (.open, .paid, nil, 20_000)
        ),
        Row(
            name: "a part given back while more can be captured",
            decision: .accepted,
            fates: [.captured(10_000), .authorized],
            refunds: [[2500]],
            says: (.open, .paid, nil, 20_000)
        ),
        Row(
            name: "all given back",
            decision: .accepted,
            fates: [.captured(10_000), .captured(10_000)],
            refunds: [[10_000], [4000, 6000]],
            fulfillments: [onTheWay],
            says: (.completed, .refunded, nil, 20_000)
        ),
        Row(
            name: "refused with nothing held",
            decision: .refused,
            fates: [.declined, .notSent],
            says: (.cancelled, .declined, WalletOrderStanding.declined, 20_000)
        ),
        Row(
            name: "refused, released",
            decision: .refused,
            fates: [.voided, .declined],
            says: (.cancelled, .voided, WalletOrderStanding.released, 20_000)
        ),
        Row(
            name: "refused, being released",
            decision: .refused,
            fates: [.voiding, .declined],
            says: (.cancelled, .voided, WalletOrderStanding.released, 20_000)
        ),
        Row(
            name: "canceled",
            decision: .canceled,
            fates: [.voided],
            says: (.cancelled, .voided, WalletOrderStanding.canceled, 10_000)
        ),
    ]

    @Test("Each of the gateway's states has one of Apple's", arguments: rows)
    func standing(row: Row) throws {
        let standing = WalletOrderStanding(
            try row.order(),
            merchantNames: TestOrder.names,
            fulfillments: row.fulfillments
        )
        #expect(standing.status == row.says.0)
        #expect(standing.paymentStatus == row.says.1)
        #expect(standing.statusDescription == row.says.2)
        #expect(standing.total == row.says.3)
    }

    @Test("The rows come to every status that an order can have")
    func complete() throws {
        let statuses = Set(try Self.rows.map { try $0.order().status })
        #expect(statuses == Set(OrderStatus.allCases))
    }

    @Test("A submerchant's own package says how that part stands")
    func parts() throws {
        let order = try TestOrder.order(
            .accepted,
            [
                TestOrder.payment(0, .captured(10_000)), TestOrder.payment(1, .captured(10_000), refunds: [10_000]),
                TestOrder.payment(2, .declined),
            ],
            countsOn: [0, 1]
        )
        func part(_ index: Int) -> WalletOrderStanding {
            WalletOrderStanding(order, of: TestOrder.payments[index], fulfillments: [])
        }
        #expect(part(0).status == .completed)
        #expect(part(0).paymentStatus == .paid)
        #expect(part(0).total == 10_000)
        #expect(part(1).paymentStatus == .refunded)
        #expect(part(2).status == .cancelled)
        #expect(part(2).paymentStatus == .declined)
    }

    @Test(
        "Each of a payment's states has one of Apple's",
        arguments: [
            (TestOrder.Fate.open, WalletTransactionStatus.pending), (.actionRequired, .pending),
            (.authorized, .approved), (.capturing, .approved), (.captured(10_000), .completed),
            (.partlyCaptured(100), .completed), (.declined, .failed), (.notSent, .failed), (.captureFailed, .failed),
            (.voided, .cancelled), (.voiding, .cancelled),
        ]
    )
    func transactions(fate: TestOrder.Fate, status: WalletTransactionStatus) {
        #expect(WalletTransactionStatus(TestOrder.payment(0, fate).state) == status)
    }
}
