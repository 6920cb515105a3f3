import HTTPTransport
import PSPSimulator
import StrictJSON
import Testing
import TributaryTestKit

@Suite("A database whose disk is full", .timeLimit(.minutes(10)))
struct DiskFullTests {
    /// How many orders fit into what pages of the database have left, at most.
    private static let mostOrders = 400

    @Test(
        "refuses orders and says why, tells readiness, loses nothing it acknowledged, and goes on once there is room",
        .enabled(Comment(rawValue: SmallDisk.want)) { await SmallDisk.canBeMounted() },
        arguments: DatabaseEngine.allCases
    )
    func full(_ engine: DatabaseEngine) async throws {
        try await withSimulators(2) { simulators in
            let bazaar = Bazaar(baseURLs: simulators.map(\.baseURL))
            try await SmallDisk.with(mebibytes: engine == .sqlite ? 128 : 256) { disk in
                try await DatabaseLocation.with(engine, in: disk.path) { location in
                    try await location.withOpen { try await bazaar.template().prepare($0) }
                    try await Fleet.with(1, of: bazaar, on: location) { fleet in
                        try await CheckoutClient.with { client in
                            let receipts = try await Self.shop(bazaar, fleet.url(0), disk, client)
                            try await BooksAtRest.check(receipts, location, simulators)
                        }
                    }
                }
            }
        }
    }

    /// Places orders before the disk is full, while it is, and afterwards, the one that was refused among them.
    private static func shop(
        _ bazaar: Bazaar,
        _ url: String,
        _ disk: SmallDisk,
        _ client: CheckoutClient
    ) async throws -> [String: Crowd.Receipt] {
        var receipts: [String: Crowd.Receipt] = [:]
        func place(_ key: String) async throws -> CheckoutClient.Reply {
            let body = Basket("tok_approve", "tok_approve").body(in: bazaar, reference: key)
            let reply = try await client.place(body, key: key, at: url)
            #expect([201, 202, 503].contains(reply.status), "\(key): \(reply.status) \(reply.json.text)")
            if reply.status < 300, let id = reply.id {
                receipts[key] = Crowd.Receipt(id: id, decision: reply.status == 201 ? reply.decision : nil)
            }
            return reply
        }
        #expect(try await place("before").status == 201)
        #expect(try await readiness(url).status == 200)
        try disk.fill()
        var key = "full-0"
        var refused = try await place(key)
        for number in 1...mostOrders where refused.status < 300 {
            key = "full-\(number)"
            refused = try await place(key)
        }
        try #require(refused.status == 503)
        #expect(refused.json["code"] == "unavailable")
        #expect(refused.json["detail"]?.stringValue?.contains("no room") == true, "\(refused.json.text)")
        // What fits into a page that there is may be written all the same.
        try await FollowedStory.wait {
            _ = try await place(key)
            let told = try await readiness(url)
            let figure = try await figure("tributary_database_disk_full", at: url)
            return told.failed.contains("disk") && figure == 1
        }
        try disk.makeRoom()
        try await FollowedStory.wait { try await readiness(url).status == 200 }
        #expect(try await place(key).status == 201)
        #expect(try await place("after").status == 201)
        #expect(try await figure("tributary_database_disk_full", at: url) == 0)
        return receipts
    }

    /// What readiness says, and which checks have failed.
    private static func readiness(_ url: String) async throws -> (status: Int, failed: [String]) {
        let reply = try await HTTPCall(.get, url + "/readyz", key: "").reply()
        let pointers = try JSON.parse(reply.body)["errors"]?.arrayValue?.compactMap { $0["pointer"]?.stringValue }
        return (reply.status, (pointers ?? []).map { String($0.dropFirst("/checks/".count)) })
    }

    private static func figure(_ name: String, at url: String) async throws -> Double? {
        let reply = try await HTTPCall(.get, url + "/metrics", key: "").reply()
        let text = try PrometheusText(String(decoding: reply.body, as: UTF8.self))
        return text.families.first { $0.name == name }?.samples.first?.value
    }
}
