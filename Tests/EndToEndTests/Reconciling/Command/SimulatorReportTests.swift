import Domain
import Gateway
import HTTPTransport
import PSPSimulator
import Simulation
import StrictJSON
import Testing
import TributaryTestKit

/// What simulators answer of orders that a gateway placed at them, handed to the program as it came.
@Suite("The settlement report of a simulator", .timeLimit(.minutes(10)))
struct SimulatorReportTests {
    /// A twin with the report that it answered.
    private struct Answer: Sendable {
        let twin: PSPTwin
        let reply: HTTPReply

        var name: String { "\(twin).\(twin.dialect.reportLayout?.fileExtension ?? "")" }
        var text: String { String(decoding: reply.body, as: UTF8.self) }
        /// The report with a dollar less in the first order's sale.
        var tampered: String {
            text.replacing("47.11", with: "46.11").replacing("\"amount\":4711", with: "\"amount\":4611")
        }
    }

    /// The dialects whose adapters read a report: of an account that the marketplace is paid to, and of one that merchants
    /// are paid to as far as such reports tell the commission.
    private static func twins(_ settlesTo: RouteSnapshot.SettlesTo) -> [PSPTwin] {
        guard settlesTo == .merchant else {
            return (PSPTwin.all + [.simulator]).filter { $0.dialect.reportLayout != nil }
        }
        var simulator = PSPTwin.simulator
        simulator.merchantAccount = "skyways"
        simulator.settlesTo = .merchant
        return PSPTwin.payingMerchants.filter { [.stripe, .square].contains($0.dialect) } + [simulator]
    }

    /// Sells an order and half of another, which is given back in part a day later, and fetches the reports.
    private static func reports(of twins: [PSPTwin], beside location: DatabaseLocation) async throws -> [Answer] {
        var answers: [Answer] = []
        let clock = ManualClock(at: MonthOrder.month[0].at, .flows)
        try await TwinStage.with(twins, location, clock) { stage in
            let sold = try await stage.place([:], policy: .bestEffort, key: "sold", part: 4_711)
            let returned = try await stage.place([:], policy: .bestEffort, key: "returned", part: 5_200)
            _ = try await stage.atRest([sold, returned])
            stage.clock.advance(milliseconds: 86_400_000)
            let order = try #require(try await stage.load([returned]).first)
            let items = order.payments.map { Refund.Item(payment: $0.id, amount: 2_080) }
            let refund = OrderRequest.refund(RefundRequest(.items(items)))
            _ = try #require(try await stage.gateway.request(refund, of: .init(order.id, of: order.marketplace)))
            let (_, complaints) = try await stage.settled([sold, returned])
            try #require(complaints == [])
            for (twin, server) in zip(stage.twins, stage.servers) {
                let url = "\(server.baseURL)/reports/settlement?account=\(twin.account)"
                answers.append(Answer(twin: twin, reply: try await HTTPCall(.get, url, key: "any").reply()))
            }
        }
        return answers
    }

    @Test(
        "is taken by reconcile as it comes and differs in nothing, and is a break where an amount was changed",
        arguments: DatabaseEngine.allCases,
        [RouteSnapshot.SettlesTo.marketplace, .merchant]
    )
    func reconciled(_ engine: DatabaseEngine, _ settlesTo: RouteSnapshot.SettlesTo) async throws {
        try await DatabaseLocation.with(engine, prepare: .migrated) { location in
            let answers = try await Self.reports(of: Self.twins(settlesTo), beside: location)
            try await ReconcilingPlace.with(location, SettledBooks(orders: [:], lines: [:])) { place in
                for answer in answers { try await Self.expect(answer, in: place) }
                try await place.expectSound()
                let balances = try await place.balances()
                // Braintree's report tells no payouts, and Worldpay's statement no payments.
                for answer in answers where ![.braintree, .worldpay].contains(answer.twin.dialect) {
                    for account in ["psp/\(answer.twin)/clearing", "suspense/\(answer.twin)"] {
                        #expect(balances[account] == nil, "\(account)")
                    }
                }
            }
        }
    }

    @Test(
        "has the first payment of an agreement and its charges like any order's, and each of them is proven",
        arguments: DatabaseEngine.allCases
    )
    func charges(_ engine: DatabaseEngine) async throws {
        try await DatabaseLocation.with(engine, prepare: .migrated) { location in
            var (answers, orders): ([Answer], [String: [Order]]) = ([], [:])
            let clock = ManualClock(at: MonthOrder.month[0].at, .flows)
            let twins = PSPTwin.all.filter { $0.dialect.reportLayout != nil }
            try await TwinStage.with(twins, location, clock, pspTimeoutMilliseconds: 8000) { stage in
                for twin in twins {
                    let id = try await AgreementsTests.make(at: twin, on: stage)
                    let first = try await AgreementsTests.first(of: id, at: twin, on: stage)
                    let charge = try await AgreementsTests.charge(
                        id,
                        20_000,
                        .recurring,
                        key: "\(twin) charge",
                        on: stage
                    )
                    orders["\(twin)"] = [first, charge]
                }
                let (_, complaints) = try await stage.settled(orders.values.joined().map(\.id))
                try #require(complaints == [])
                stage.clock.advance(milliseconds: 86_400_000)
                for (twin, server) in zip(stage.twins, stage.servers) {
                    let url = "\(server.baseURL)/reports/settlement?account=\(twin.account)"
                    answers.append(Answer(twin: twin, reply: try await HTTPCall(.get, url, key: "any").reply()))
                }
            }
            try await ReconcilingPlace.with(location, SettledBooks(orders: [:], lines: [:])) { place in
                for answer in answers {
                    try place.work.write(answer.text, to: answer.name)
                    let (finished, json) = try await place.reconciled([answer.name])
                    #expect(finished.status == 0, "\(answer.twin): \(finished.out)\(finished.err)\n\(answer.text)")
                    let summary = try #require(json["summary"])
                    #expect(summary["expectations"] == 2, "\(answer.twin): \(summary)")
                    let met: Set<Int64> = answer.twin.dialect != .worldpay ? [2] : [0, 2]
                    #expect(met.contains(summary["met"]?.integerValue ?? -1), "\(answer.twin): \(summary)")
                    for order in orders["\(answer.twin)"] ?? [] {
                        let proof = try await place.work.json("orders", "proof", order.id.text)
                        #expect(proof["agrees"] == true, "\(answer.twin): \(proof)")
                    }
                }
                try await place.expectSound()
            }
        }
    }

    private static func expect(_ answer: Answer, in place: ReconcilingPlace) async throws {
        #expect(answer.reply.status == 200)
        let disposition = answer.reply.header("Content-Disposition") ?? ""
        #expect(disposition.hasPrefix("attachment; filename=\"settlement-\(answer.twin.account)-"), "\(disposition)")
        let tellsPayments = answer.twin.dialect != .worldpay
        if tellsPayments {
            #expect(answer.tampered != answer.text, "\(answer.text)")
            try place.work.write(answer.tampered, to: "tampered-" + answer.name)
            let (wrong, found) = try await place.reconciled(["tampered-" + answer.name, "--dry-run"])
            #expect(wrong.status == 1, "\(answer.twin): \(wrong.err)")
            #expect(ReconcilingPlace.types(found).contains("amount_mismatch"), "\(answer.twin): \(found)")
        }
        try place.work.write(answer.text, to: answer.name)
        let (finished, json) = try await place.reconciled([answer.name])
        #expect(finished.status == 0, "\(answer.twin): \(finished.out)\(finished.err)\n\(answer.text)")
        let summary = try #require(json["summary"])
        // Two sales and a refund, of which Worldpay's statement tells no more than sums.
        let met: Set<Int64> = tellsPayments ? [3] : [0, 3]
        #expect(summary["expectations"] == 3, "\(answer.twin): \(summary)")
        #expect(met.contains(summary["met"]?.integerValue ?? -1), "\(answer.twin): \(summary)")
        guard tellsPayments, answer.twin.dialect.reportLayout?.tellsPayouts == true else { return }
        #expect((summary["batches_in_order"]?.integerValue ?? 0) >= 2, "\(answer.twin): \(summary)")
    }
}
