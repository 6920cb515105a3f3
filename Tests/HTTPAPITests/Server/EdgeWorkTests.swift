import Domain
import HTTPTypes
import Hummingbird
import StrictJSON
import Testing
import TributaryTestKit
import WireFormats

@testable import HTTPAPI

/// What is done to a request before anybody has shown a key costs no more than as much ASCII.
@Suite("The edge, in front of marks without end,", .serialized, .timeLimit(.minutes(10)))
struct EdgeWorkTests {
    private static let run = HostileText.marks.text(60_001)
    private static let plain = HostileText.marks.ascii(60_001)

    /// What the edge does with text from outside.
    static let entrances: [(name: String, enter: @Sendable (String) -> Void)] = [
        ("a header's value", { text in _ = text.boundedASCII?.lowercased() == "bearer" }),
        ("a target", { text in _ = TargetGuard<RouterResponder<APIContext>>.isTarget("/" + text) }),
        ("a part of the path", { text in _ = PercentEncoding.decoded(text) == "airline" }),
        ("a key in a body", { text in _ = try? JSON.parse(text: "{\"\(text)\":1,\"\(text)1\":2}", runs: .refused) }),
        ("a value in a body", { text in _ = try? JSON.parse(text: "[\"\(text)\"]", runs: .refused) }),
        (
            "an order",
            { text in
                let body = JSON.object(
                    ["currency", "reference", "capture", "return_url", text].map { JSON.Member($0, .string(text)) }
                )
                _ = try? OrderDraftReader(limits: APILimits()).draft(JSON.parse(body.bytes))
            }
        ),
        (
            "a merchant",
            { text in
                let body = JSON.object(["external_identifier", "name", "domain"].map { .init($0, .string(text)) })
                _ = try? MerchantReader(JSON.parse(body.bytes))
            }
        ),
        ("an identifier", { text in for rule in TextRule.allCases { _ = rule.allows(text) } }),
    ]

    @Test("does linear work at every entrance")
    func linear() {
        for entrance in Self.entrances {
            let ratio = ProcessorWork.ratio(of: { entrance.enter(Self.run) }, to: { entrance.enter(Self.plain) })
            #expect(ratio < HostileText.bound, "\(entrance.name): \(ratio)")
        }
    }

    @Test("refuses more than thirty marks in a row in a body, with the place")
    func body() async throws {
        try await APIHarness.with(.sqlite) { api in
            let client = try await api.client("checkout")
            let marks = String(repeating: "\u{301}", count: 31)
            let reply = try await client.post("/v1/orders", OrderBody.trip.with("reference", .string(marks)), key: "a")
            #expect((reply.status, reply.errors) == (400, ["/reference combining_run"]))
            #expect(await api.psp.calls.isEmpty)
        }
    }

    @Test("takes canonical equivalents for two names, and neither for one")
    func equivalents() async throws {
        try await APIHarness.with(.sqlite) { api in
            let client = try await api.client("operator")
            for (name, place) in [("caf\u{E9}", "U+00E9 at character 4"), ("cafe\u{301}", "U+0301 at character 5")] {
                let merchant: JSON = [
                    "external_identifier": .string(name), "name": "Café", "routes": [["psp_account": "sim-a"]],
                ]
                let reply = try await client.post("/v1/merchants", merchant)
                #expect((reply.status, reply.errors) == (422, ["/external_identifier invalid_character"]))
                #expect(reply.json["detail"]?.stringValue?.contains(place) == true, "\(reply)")
            }
            let read = try await client.get("/v1/merchants/cafe%CC%81")
            #expect((read.status, read.errors) == (422, ["?{id} invalid_character"]))
            let listed = try await client.get("/v1/orders?reference=caf%C3%A9")
            #expect((listed.status, listed.errors) == (422, ["?reference invalid_character"]))
        }
    }

    @Test("names a hundred violations and counts the rest")
    func many() async throws {
        try await APIHarness.with(.sqlite) { api in
            let unknown = (0..<250).map { JSON.Member("unknown\($0)", 1) }
            let body = JSON.object((OrderBody.trip.objectValue ?? []) + unknown)
            let reply = try await api.client("checkout").post("/v1/orders", body, key: "a")
            #expect(reply.errors.count == 100)
            #expect((reply.status, reply.json["more_errors"]) == (422, 150))
            #expect(reply.json["detail"] == "250 things are wrong with the request.")
        }
    }

    @Test("takes null for no way to leave a field out", arguments: ["reference", "metadata", "payment", "residual"])
    func null(field: String) async throws {
        try await APIHarness.with(.sqlite) { api in
            let reply = try await api.client("checkout").post("/v1/orders", OrderBody.trip.with(field, .null), key: "a")
            #expect(reply.errors.contains("/\(field) wrong_type"), "\(reply)")
        }
    }
}
