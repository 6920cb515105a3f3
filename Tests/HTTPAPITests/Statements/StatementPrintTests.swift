import Domain
import Printing
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Statements for print", .timeLimit(.minutes(10)))
struct StatementPrintTests {
    @Test("are a page of their own, with text from outside escaped", arguments: DatabaseEngine.allCases)
    func page(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await StatementStage(api)
            try await api.rename("airline", to: "Sky <script> & \"Söhne\"/GmbH")
            let reply = try await stage.airline("&format=html")
            #expect(reply.header("Content-Type") == "text/html")
            #expect(reply.header("Content-Security-Policy") == HTMLPage.contentSecurityPolicy)
            let disposition = try #require(reply.header("Content-Disposition"))
            #expect(
                disposition.hasPrefix("inline; filename=\"statement-Sky-script-S-hne-GmbH-USD-2027"),
                "\(disposition)"
            )
            #expect(disposition.contains("filename*=UTF-8''statement-Sky_-script-_%26_-S%C3%B6hne--GmbH-USD-"))
            let text = String(decoding: reply.bytes, as: UTF8.self)
            #expect(text.contains("Sky &lt;script&gt; &amp; &quot;Söhne&quot;/GmbH"))
            #expect(!text.contains("<script"))
            for amount in ["300.00", "-36.06", "263.94", "125.96"] {
                #expect(text.contains(">\(amount)<"), "\(amount)")
            }
            #expect(text.contains("seat, &quot;12A&quot;"))
        }
    }

    @Test("are PDF files too, which a merchant's own key gets of itself alone")
    func file() async throws {
        try await APIHarness.with(.sqlite) { api in
            let stage = try await StatementStage(api)
            let own = try await api.client("merchant:airline")
            let reply = try await stage.airline("&format=pdf", by: own)
            #expect((reply.status, reply.header("Content-Type")) == (200, "application/pdf"))
            #expect(reply.bytes.starts(with: "%PDF-".utf8))
            #expect(reply.bytes.count > 1_000)
            let other = try await own.get("/v1/merchants/hotel/statement?currency=USD&format=pdf")
            #expect(other.status == 404)
        }
    }

    @Test("have the days of the merchant's time zone, else the marketplace's")
    func zones() async throws {
        try await APIHarness.with(.sqlite) { api in
            let stage = try await StatementStage(api)
            try await api.profile(of: "airline", BusinessProfile(timeZone: "Asia/Tokyo"))
            #expect(try await stage.airline().json["time_zone"] == "Asia/Tokyo")
            #expect(try await stage.airline().json["from"] == "2026-12-31T15:00:00.000Z")
            try await api.profile(of: "airline", BusinessProfile())
            try await api.profile(BusinessProfile(timeZone: "America/New_York"))
            #expect(try await stage.airline().json["from"] == "2027-01-01T05:00:00.000Z")
            #expect(try await stage.airline("&time_zone=UTC").json["from"] == "2027-01-01T00:00:00.000Z")
        }
    }
}

/// What papers say of the harness's merchants.
extension APIHarness {
    /// Gives a merchant another name.
    func rename(_ merchant: String, to name: String) async throws {
        try await change(merchant) { $0.name = name }
    }

    /// Declares what a merchant's papers say.
    func profile(of merchant: String, _ profile: BusinessProfile) async throws {
        try await change(merchant) { $0.profile = profile }
    }

    /// Declares what the marketplace's papers say.
    func profile(_ profile: BusinessProfile) async throws {
        let now = clock.now()
        try await database.write { session in
            try MarketplaceTable.save(.init(id: "travel", name: "travel", profile: profile), at: now, in: session)
        }
    }

    private func change(_ merchant: String, _ edit: @escaping @Sendable (inout Merchant) -> Void) async throws {
        let now = clock.now()
        try await database.write { session in
            var found = try #require(try MerchantTable.find([merchant], of: "travel", in: session).first)
            edit(&found)
            try MerchantTable.save(found, at: now, in: session)
        }
    }
}
