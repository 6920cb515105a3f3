import Domain
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("What an order's life tells others", .timeLimit(.minutes(10)))
struct CallbackStoryTests {
    private static func types(_ payloads: [JSON]) -> [String] { payloads.compactMap { $0["type"]?.stringValue } }

    /// Each series of numbers goes from 1 without gaps, and envelope and row agree.
    private static func checkEnvelopes(_ outsiders: Outsiders, _ merchant: String?, of subject: String) async throws {
        let heard = try await outsiders.heard(merchant)
        let payloads = try await outsiders.payloads(merchant)
        #expect(heard.map(\.content.sequence) == Array(1...Int64(max(1, heard.count))), "\(merchant ?? "agency")")
        for (row, payload) in zip(heard, payloads) {
            #expect(payload.objectValue?.map(\.key) == ["type", "livemode", "timestamp", "sequence", "data"])
            #expect(payload["type"]?.stringValue == row.content.type)
            #expect(payload["sequence"]?.integerValue == row.content.sequence)
            #expect(payload["timestamp"]?.stringValue == row.content.at.description)
            #expect(payload["data"]?[subject]?.objectValue != nil)
            #expect(row.state == .waiting && row.attempts == 0)
        }
        #expect(heard.map(\.id) == heard.map(\.id).sorted())
    }

    @Test(
        "is told once, in order, numbered, to whom it concerns, with the state as it is then",
        arguments: DatabaseEngine.allCases
    )
    func paidAndRefunded(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let outsiders = try await Outsiders(api)
            let stage = try await OrderStage(api, OrderStage.manual)
            #expect(try await stage.ask("capture").status == 200)
            #expect(try await stage.ask("refunds", stage.items(1_000, nil), key: "r").json["status"] != nil)
            let end = ContinuousClock.now + .patience
            while try await stage.now()["refunded_amount"] != 1_000 { try #require(ContinuousClock.now < end) }

            let order = try await stage.now()
            let told = try await outsiders.payloads()
            let types = Self.types(told)
            #expect(types.first == "order.accepted" || types.first == "payment.authorized")
            #expect(types.count { $0 == "payment.authorized" } == 2)
            #expect(types.count { $0 == "payment.captured" } == 2)
            for once in ["order.accepted", "order.paid", "order.refunded", "payment.refunded"] {
                #expect(types.count { $0 == once } == 1, "\(once) in \(types)")
            }
            let last = try #require(told.last { $0["data"]?["order"] != nil })
            #expect(last["data"]?["order"] == order, "the last thing told is what GET shows")
            let captured = try #require(told.first { $0["type"] == "payment.captured" }?["data"])
            #expect(
                captured.objectValue?.map(\.key) == ["audience", "order", "payment", "merchant", "external_identifier"]
            )
            let index = stage.payments.firstIndex(of: captured["payment"]?.stringValue ?? "") ?? 0
            #expect(captured["external_identifier"] == order.at("payments/\(index)/external_identifier"))
            #expect(captured["merchant"] == order.at("payments/\(index)/merchant"))

            #expect(
                Self.types(try await outsiders.payloads("airline"))
                    == ["payment.authorized", "payment.captured", "payment.refunded"]
            )
            #expect(Self.types(try await outsiders.payloads("hotel")) == ["payment.authorized", "payment.captured"])
            try await Self.checkEnvelopes(outsiders, nil, of: "order")
            for (number, name) in ["airline", "hotel"].enumerated() {
                try await Self.checkEnvelopes(outsiders, name, of: "payment")
                let mine = try await outsiders.payloads(name)
                let client = try await api.client("operator")
                let shown = try await client.get("/v1/payments/\(stage.payments[number])").json
                #expect(shown["order_reference"] == .null)
                #expect(mine.last?["data"]?["payment"] == shown.with("order_reference", nil))
                #expect(mine.allSatisfy { $0["data"]?["audience"] == "merchant" })
                let text = mine.map(\.text).joined()
                #expect(!text.contains(stage.payments[1 - number]) && !text.contains(number == 0 ? "hotel" : "airline"))
            }
        }
    }

    @Test("is nothing to merchants where the order is refused", arguments: DatabaseEngine.allCases)
    func refused(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let outsiders = try await Outsiders(api)
            await api.psp.script("tok_hotel", .authorize, .decline)
            let stage = try await OrderStage(api)
            let end = ContinuousClock.now + .patience
            while try await stage.now()["status"] != "failed" { try #require(ContinuousClock.now < end) }
            let types = Self.types(try await outsiders.payloads())
            #expect(types.contains("order.refused") && types.contains("payment.voided"))
            #expect(!types.contains("order.accepted") && !types.contains("payment.captured"))
            try await Self.checkEnvelopes(outsiders, nil, of: "order")
            for name in ["airline", "hotel"] { #expect(try await outsiders.heard(name).isEmpty) }
        }
    }
}
