import Domain
import Gateway
import PSPSimulator
import SQL
import Simulation
import Storage
import Testing
import TributaryTestKit

/// PSPs whose events do not name the merchant's account, or name the platform's because it is paid, on routes that
/// have a merchant account.
@Suite("What happens at a merchant's account by itself", .timeLimit(.minutes(10)), .serialized)
struct MerchantAccountTests {
    /// Each PSP that takes a merchant account on a route that settles to the marketplace, and such an account.
    static let accounts = [
        "adyen": "BA32272223222B5CTDQPM6W2H", "checkout": "ent_w4jelhppmfiufdnatam37wrfc4", "square": "LSHOP2",
        "worldpay": "Bakery 12", "authorize-net": "bakery",
    ]

    private static var twins: [PSPTwin] {
        PSPTwin.all.compactMap { twin in
            accounts["\(twin)"].map { account in
                var twin = twin
                twin.merchantAccount = account
                return twin
            }
        }
    }

    @Test(
        "is booked at every PSP that tells of it: a dispute, and a refund in its portal",
        arguments: DatabaseEngine.allCases
    )
    func booked(engine: DatabaseEngine) async throws {
        try await DatabaseLocation.with(engine, prepare: .migrated) { location in
            try await TwinStage.with(Self.twins, location, ManualClock(.flows)) { stage in
                let id = try await stage.place([:], policy: .bestEffort, key: "one")
                let paid = try #require(try await stage.atRest([id]).first)
                let before = try await stage.history(of: paid)
                #expect(paid.status == .paid, "\(before)")
                for (twin, server) in zip(stage.twins, stage.servers) {
                    let booked = try #require(await server.authorizations(of: twin.account).first)
                    for deed in [DashboardAction.Kind.refund, .dispute] {
                        var action = DashboardAction(deed, to: .reference(booked.command.reference))
                        action.amount = deed == .refund ? Self.refunded : 2500
                        _ = try await server.act(action)
                    }
                }
                let told = try await stage.told(id) { order in
                    order.payments.allSatisfy { $0.refunded >= Self.refunded && $0.chargedBack >= Self.taken($0) }
                }
                let inbox = try await stage.database.read { session in
                    try WebhookTable.list(.init(marketplace: nil), limit: 200, in: session)
                }
                #expect(inbox.compactMap(\.problem) == [])
                let history = try await stage.history(of: told)
                for payment in told.payments {
                    let name = payment.externalIdentifier
                    #expect(payment.refunded == Self.refunded, "\(name) \(history)")
                    #expect(payment.chargedBack == Self.taken(payment), "\(name) \(history)")
                }
                #expect(told.attention.filter { $0.reason == .webhookProblem } == [])
            }
        }
    }

    private static let refunded: Int64 = 1500

    /// Authorize.Net does not tell of disputes.
    private static func taken(_ payment: Payment) -> Int64 { payment.externalIdentifier == "authorize-net" ? 0 : 2500 }
}

extension TwinStage {
    /// The order once it is as wanted, or after thirty seconds.
    func told(_ id: OrderID, _ isTold: (Order) -> Bool) async throws -> Order {
        let end = ContinuousClock.now + .patience
        while true {
            guard let order = try await load([id]).first else { throw HarnessFailure.noOrder(id) }
            if isTold(order) || ContinuousClock.now > end { return order }
            clock.advance(milliseconds: 60_000)
            try await Task.sleep(for: .milliseconds(200))
        }
    }
}
