import Domain
import PSPSimulator
import Simulation
import StrictJSON
import Testing
import TributaryTestKit

/// What a gateway took, gave back and lost in a month, against reports that come from the PSPs' books and not from ours.
@Suite("A month at PSPs that keep books of their own", .timeLimit(.minutes(10)))
struct TwinMonthTests {
    @Test(
        "is explained to the last line; what a PSP did behind our back is found, and nothing else",
        arguments: DatabaseEngine.allCases
    )
    func reconciled(_ engine: DatabaseEngine) async throws {
        try await DatabaseLocation.with(engine, prepare: .migrated) { location in
            let month = try await TwinMonth(beside: location)
            Self.expectWholeMonth(month.told)
            try await ReconcilingPlace.with(location, month.betrayed) { place in
                let names = try place.writeMonth()
                let (finished, json) = try await place.reconciled(names + ["--dry-run"])
                #expect(finished.status == 1, "\(finished.err)")
                try Self.expectBetrayal(json, place.books)
            }
            try await ReconcilingPlace.with(location, month.told) { place in
                let names = try place.writeMonth(engine == .sqlite ? .mt940 : .camt053)
                let (finished, json) = try await place.reconciled(names)
                #expect(finished.status == 0, "\(finished.out)\(finished.err)")
                #expect(json["breaks"] == [])
                let summary = try #require(json["summary"])
                #expect(summary["met"] == summary["expectations"] && summary["waiting"] == 0, "\(summary)")
                #expect(summary["bank_entries"] == 4 && summary["bank_entries_matched"] == 4, "\(summary)")
                #expect(summary["batches_in_order"] == 4, "\(summary)")
                let balances = try await place.balances()
                for psp in SettledPSP.allCases where psp.tellsPayouts {
                    for account in ["psp/\(psp)/clearing", "psp/\(psp)/reserve", "suspense/\(psp)"] {
                        #expect(balances[account] == nil, "\(account)")
                    }
                }
                try await place.expectSound()
                #expect(try await place.breaks("--state", "all") == [])
            }
        }
    }

    /// Twelve of the orders are sold at five PSPs, and one at four.
    private static func expectWholeMonth(_ books: SettledBooks) {
        let kinds = Dictionary(grouping: books.lines.values.joined(), by: \.kind).mapValues(\.count)
        #expect(
            kinds == [.payment: 64, .refund: 25, .chargeback: 15, .chargebackReversal: 5, .commission: 18],
            "\(books.lines)"
        )
    }

    /// A refund at each PSP that is no refund of ours, and at Square the commission that it takes back with it.
    private static func expectBetrayal(_ json: JSON, _ books: SettledBooks) throws {
        let order = try #require(books.orders[TwinMonth.betrayedOrder])
        let breaks = json["breaks"]?.arrayValue ?? []
        let amount = order.payments[0].amount
        let refunds = breaks.filter { $0["type"]?.stringValue != "split_mismatch" }
        #expect(refunds.count == SettledPSP.allCases.count, "\(json)")
        #expect(refunds.allSatisfy { $0["amount"]?.integerValue.map(abs) == amount }, "\(json)")
        let commissions = breaks.filter { $0["type"]?.stringValue == "split_mismatch" }
        #expect(commissions.map { $0["psp"]?.stringValue } == ["square"], "\(json)")
        #expect(commissions.map { $0["amount"]?.integerValue } == [-amount / 10], "\(json)")
        #expect(breaks.allSatisfy { $0["order"]?.stringValue == order.id.text }, "\(json)")
    }
}
