import AdapterKit
import Domain
import StatementFiles
import StrictJSON
import Testing
import TributaryTestKit

@testable import HTTPAPI

@Suite("Statements as camt.053", .timeLimit(.minutes(10)))
struct StatementCamtTests {
    private static func items(_ bytes: [UInt8]) throws -> [BankItem] {
        let reader = CamtReader()
        let items = try reader.read(bytes[...])
        return try items + reader.finish().items
    }

    @Test("are read back by our own reader as what they say", arguments: DatabaseEngine.allCases)
    func readBack(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await StatementStage(api)
            try await api.rename("airline", to: "Sky <ways> & \"Söhne\" ' ]]>")
            let reply = try await stage.airline("&format=camt053&time_zone=Europe/Berlin")
            #expect(reply.header("Content-Type") == "application/xml")
            #expect(reply.header("Content-Disposition")?.contains(".xml\"") == true)
            let items = try Self.items(reply.bytes)
            let head = try #require(items.compactMap { if case .head(let head) = $0 { head } else { nil } }.first)
            #expect(head.kind == .statement)
            #expect(head.account?.identifier == stage.payout.merchant.text)
            #expect(head.account?.currency?.code == "USD")
            #expect(head.account?.owner == "Sky <ways> & \"Söhne\" ' ]]>")
            let end = try #require(items.compactMap { if case .end(let end) = $0 { end } else { nil } }.first)
            #expect(end.balances.map { "\($0.kind.rawValue) \($0.amount)" } == ["OPBD 0.00 USD", "CLBD 125.96 USD"])
            #expect(!end.checks.isEmpty && end.checks.allSatisfy(\.agrees), "\(end.checks)")
            let entries = items.compactMap { if case .entry(let entry) = $0 { entry } else { nil } }
            #expect(entries.map { "\($0.signedAmount)" } == ["263.94 USD", "-87.98 USD", "-50.00 USD"])
            #expect(entries.map { $0.bankTransactionCode?.family } == ["MCRD", "MCRD", "ICDT"])
            #expect(entries.map { $0.bankTransactionCode?.proprietary } == ["capture", "refund", "payout"])
            let sale = try #require(entries.first?.transactions.first)
            #expect(sale.references.endToEnd == "seat, \"12A\"")
            #expect(sale.references.transaction == stage.trip.payments[0])
            #expect(sale.references.others.contains { $0.type == "ORDER" && $0.value == stage.trip.order })
            #expect(entries.last?.transactions.first?.references.endToEnd == "SEPA-1")
            #expect(entries.first?.additionalInformation == "gross 300.00, commission -30.30, commission_tax -5.76")
        }
    }

    @Test("leave out what a PSP pays directly, which is not in the balance")
    func direct() async throws {
        try await APIHarness.with(.sqlite) { api in
            let stage = try await StatementStage(api)
            let path = "/v1/merchants/hotel/statement?currency=USD&format=camt053"
            let items = try Self.items(try await stage.trip.client.get(path).bytes)
            #expect(items.count { if case .entry = $0 { true } else { false } } == 0)
            #expect(items.count { if case .end = $0 { true } else { false } } == 1)
        }
    }

    @Test("write what XML cannot hold as spaces, and nothing else otherwise than it is")
    func escaping() {
        #expect(XMLWriter.escaped("a<b>&'\"]]>", limit: 99) == "a&lt;b&gt;&amp;&apos;&quot;]]&gt;")
        #expect(XMLWriter.escaped("\u{0}\u{8}\u{FFFE}\n\u{85}é日", limit: 99) == "     é日")
        #expect(XMLWriter.escaped("&&&&", limit: 2) == "&amp;&amp;")
    }
}
