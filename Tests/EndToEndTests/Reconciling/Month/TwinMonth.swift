import Domain
import Gateway
import PSPSimulator
import Simulation
import Testing
import TributaryTestKit

/// A month of orders that a gateway places over HTTP at the twins of five PSPs, which keep books of their own.
struct TwinMonth {
    /// What the PSPs report of the month.
    let told: SettledBooks
    /// What they report when each of them has given the first order back, in its dashboard and without a word to us.
    let betrayed: SettledBooks

    /// The order that is given back behind our back.
    static let betrayedOrder = name(0)

    private static let day: Int64 = 86_400_000

    /// The twins, and the accounts that merchants have there: one where a report names it, one that is paid itself.
    private static let twins = SettledPSP.allCases.compactMap { psp in
        var twin = PSPTwin.all.first { "\($0)" == psp.rawValue }
        if [.adyen, .square].contains(psp) { twin?.merchantAccount = psp.merchantAccount }
        twin?.settlesTo = psp.settlesTo
        return twin
    }

    private static func name(_ number: Int) -> String { "order-\(number)" }

    /// Plays it beside a migrated database, which has our side of it afterwards.
    init(beside location: DatabaseLocation) async throws {
        var books: [SettledBooks] = []
        let clock = ManualClock(at: MonthOrder.month[0].at, .flows)
        try await TwinStage.with(Self.twins, location, clock) { stage in
            var ids: [OrderID] = []
            for (number, order) in MonthOrder.month.enumerated() {
                ids.append(try await Self.play(order, number, on: stage))
            }
            let (orders, complaints) = try await stage.settled(ids)
            try #require(complaints == [])
            books.append(try await Self.books(of: orders, on: stage))
            try await Self.betray(orders[0], on: stage)
            books.append(try await Self.books(of: orders, on: stage))
        }
        try #require(books.count == 2)
        (told, betrayed) = (books[0], books[1])
    }

    private static func play(_ order: MonthOrder, _ number: Int, on stage: TwinStage) async throws -> OrderID {
        stage.clock.advance(to: order.at)
        let codes = stage.twins.enumerated().compactMap { place, twin in
            SettledPSP(rawValue: "\(twin)").flatMap { order.codes[$0] }.map { (place, $0) }
        }
        let id = try await stage.place(
            Dictionary(uniqueKeysWithValues: codes),
            policy: order.policy,
            key: name(number),
            part: 4_000 + 713 * Int64(number),
            capture: order.capture
        )
        _ = try await stage.atRest([id])
        switch order.story {
        case .left: break
        case .canceled: try await ask(.cancel, of: id, on: stage)
        case .captured(let percent):
            let items = try await held(id, on: stage).map { payment in
                CaptureRequest.Item(payment: payment.id, amount: payment.held * percent / 100)
            }
            try await ask(.capture(.items(items)), of: id, on: stage)
        case .refunded(let percents):
            for percent in percents { try await refund(percent, of: id, on: stage) }
        case .disputed(let percent, let isWon):
            if percent > 0 { try await refund(percent, of: id, on: stage) }
            stage.clock.advance(milliseconds: day)
            try await act(.dispute, on: id, until: .opened, on: stage)
            stage.clock.advance(milliseconds: day / 2)
            try await act(isWon ? .win : .lose, on: id, until: isWon ? .won : .lost, on: stage)
        }
        return id
    }

    private static func held(_ id: OrderID, on stage: TwinStage) async throws -> [Payment] {
        try await stage.load([id]).flatMap(\.payments)
    }

    /// Gives a share of what was taken back, a day later.
    private static func refund(_ percent: Int64, of id: OrderID, on stage: TwinStage) async throws {
        stage.clock.advance(milliseconds: day)
        let items = try await held(id, on: stage).map { payment in
            Refund.Item(payment: payment.id, amount: payment.captured * percent / 100)
        }
        try await ask(.refund(RefundRequest(.items(items))), of: id, on: stage)
    }

    private static func ask(_ request: OrderRequest, of id: OrderID, on stage: TwinStage) async throws {
        let order = try #require(try await stage.load([id]).first)
        _ = try #require(try await stage.gateway.request(request, of: .init(id, of: order.marketplace)))
        _ = try await stage.atRest([id])
    }

    /// Does something to an order's payments in the dashboards of all PSPs, and waits until our books have heard of it.
    private static func act(
        _ deed: DashboardAction.Kind,
        on id: OrderID,
        until state: DisputeNotice.State,
        on stage: TwinStage
    ) async throws {
        let order = try #require(try await stage.load([id]).first)
        try await act(deed, on: order, on: stage)
        let end = ContinuousClock.now + .patience
        while true {
            let order = try #require(try await stage.load([id]).first)
            // Adyen tells that a defense is over, which is not that it is lost; the amount stays taken either way.
            let heard = order.payments.filter { payment in
                let isLeftOpen = state == .lost && payment.externalIdentifier == SettledPSP.adyen.rawValue
                return payment.disputes.map(\.state) == [isLeftOpen ? .opened : state]
            }
            if heard.count == order.payments.count { return }
            guard ContinuousClock.now < end else {
                let history = try await stage.history(of: order)
                throw HarnessFailure.neverCame("\(deed): \(HarnessFailure.text(order))\n\(history)")
            }
            try await Task.sleep(for: .milliseconds(25))
        }
    }

    private static func act(_ deed: DashboardAction.Kind, on order: Order, on stage: TwinStage) async throws {
        let attempts = Set(order.payments.map(\.attempt.id.text))
        for (twin, server) in zip(stage.twins, stage.servers) {
            let own = await server.authorizations(of: twin.account).filter { authorization in
                attempts.contains(twin.attempt(authorization.command.reference))
            }
            try #require(own.count == 1, "\(twin)")
            try await server.act(DashboardAction(deed, to: .id(own[0].id)))
        }
    }

    /// Gives an order back in every PSP's dashboard, of which our gateway hears nothing.
    private static func betray(_ order: Order, on stage: TwinStage) async throws {
        let nobody = try await FreePort.find()
        for (twin, server) in zip(stage.twins, stage.servers) {
            try await server.sendWebhooks(to: TwinStage.endpoint(of: twin, at: nobody))
        }
        try await act(.refund, on: order, on: stage)
    }

    /// The PSPs' side of the month.
    private static func books(of orders: [Order], on stage: TwinStage) async throws -> SettledBooks {
        var lines: [SettledPSP: [ReportLine]] = [:]
        for (twin, server) in zip(stage.twins, stage.servers) {
            let psp = try #require(SettledPSP(rawValue: "\(twin)"))
            let layout = try #require(psp.dialect.reportLayout)
            let authorizations = await server.authorizations(of: twin.account)
            lines[psp] = authorizations.flatMap { ReportLine.lines(of: $0, in: layout) }.map(\.withFee).inOrder
        }
        return SettledBooks(
            orders: Dictionary(uniqueKeysWithValues: orders.map { ($0.reference ?? "", $0) }),
            lines: lines
        )
    }
}
