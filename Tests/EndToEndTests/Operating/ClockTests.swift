import Foundation
import HTTPTransport
import SQL
import StrictJSON
import Testing
import TributaryTestKit

@Suite("A machine's clock that is set two hours ahead", .timeLimit(.minutes(10)))
struct ClockTests {
    @Test(
        "dates nothing into the future under a server on SQLite, and is noticed; one that is started then follows it",
        .enabled(if: SetClock.library != nil, "there is no libfaketime; install the package libfaketime")
    )
    func ahead() async throws {
        try await Workplace.withDatabase { place in
            try await place.whileServing(["simulate-psp"]) { psp in
                var file = MarketplaceFile()
                file.baseURL = psp
                try place.write(file.text, to: "travel.yaml")
                _ = try await place.json("apply", "travel.yaml")
                let made = try await place.json("keys", "create", "--scope", "checkout")
                let key = try #require(made["key"]?.stringValue)
                let clock = try await SetClock(place.path("clock"))
                var skewed = place
                skewed.environment.merge(clock.environment) { _, own in own }
                let (server, url) = try await Self.serve(skewed)
                try await Self.order(at: url, key, "before")
                try clock.set("+2h")
                try await Self.order(at: url, key, "behind")
                if Operations.areAllTried { try await Self.isNoticed(by: server, at: url) }
                await server.stop()
                #expect(try await Self.future(place) == [])

                // Who finds the clock so takes it for right: what looks for moments to come finds them.
                let (late, lateURL) = try await Self.serve(skewed)
                try await Self.order(at: lateURL, key, "anew")
                await late.stop()
                let found = try await Self.future(place)
                #expect(found.contains("journal_entry.at"), "\(found)")
            }
        }
    }

    /// Starts a server by way of a shell: the library changes the environment of the first program that it is loaded into, by
    /// which Swift finds what was typed.
    private static func serve(_ place: Workplace) async throws -> (RunningProgram, String) {
        let words = ["serve", "--stop-when-stdin-closes", "--port", "0"]
        let program = try BuiltProgram.tributary.url().path
        let server = try place.start("/bin/sh", ["-c", "exec \"$0\" \"$@\"", program] + words)
        let line = try await server.notice(containing: "listening on http", within: .patience)
        return (server, line.split(separator: " ").last.map(String.init) ?? "")
    }

    /// Waits for the log, readiness and a figure to say that the clock was set, which takes up to 30 s.
    private static func isNoticed(by server: RunningProgram, at url: String) async throws {
        let line = try await server.notice(containing: "the database's clock was set", within: .patience)
        #expect(line.contains("ahead_ms="), "\(line)")
        try await FollowedStory.wait {
            let reply = try await HTTPCall(.get, url + "/readyz", key: "").reply()
            return try reply.status == 200 && JSON.parse(reply.body)["checks"]?["clock"] == "warning"
        }
        let reply = try await HTTPCall(.get, url + "/metrics", key: "").reply()
        let text = try PrometheusText(String(decoding: reply.body, as: UTF8.self))
        let ahead = text.families.first { $0.name == "tributary_clock_ahead_seconds" }?.samples.first?.value ?? 0
        #expect((7190...7210).contains(ahead), "\(ahead)")
    }

    private static func order(at url: String, _ key: String, _ name: String) async throws {
        let order: JSON = [
            "currency": "USD", "amount": 30_000, "policy": ["type": "all_or_nothing"],
            "contexts": [
                [
                    "external_identifier": "airline-1", "amount": 30_000,
                    "payment": ["type": "psp_token", "token": "tok_approve", "psp_account": "sim"],
                ]
            ],
        ]
        let reply = try await HTTPCall(.post, url + "/v1/orders", key: key).sending(order, idempotencyKey: name).reply()
        try #require(reply.status == 201, "\(String(decoding: reply.body, as: UTF8.self))")
    }

    /// The columns in which a moment between 1 h 30 min and 2 h 30 min from now stands; nothing is planned for then.
    private static func future(_ place: Workplace) async throws -> [String] {
        let now = Int64(Date.now.timeIntervalSince1970 * 1_000_000)
        let (low, high) = (now + 5_400_000_000, now + 9_000_000_000)
        return try await DatabaseLocation.sqlite(path: place.path("tributary.sqlite")).withOpen { database in
            try await database.read { session in
                let columns = try session.rows(
                    """
                    SELECT m.name AS t, c.name AS c FROM sqlite_master m JOIN pragma_table_info(m.name) c
                    WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY 1, 2
                    """
                ).map { (try $0.text("t"), try $0.text("c")) }
                return try columns.filter { table, column in
                    let counting =
                        "SELECT COUNT(*) AS n FROM \"\(table)\" WHERE \"\(column)\" BETWEEN \(low) AND \(high)"
                    return try session.rows(SQL(stringLiteral: counting))[0].integer("n") > 0
                }
                .map { "\($0).\($1)" }
            }
        }
    }
}
