import StrictJSON
import Testing
import TributaryTestKit

@Suite("Callbacks between processes", .timeLimit(.minutes(10)))
struct DeliveryTests {
    @Test("tell a receiver with made and declared secrets what an order comes to", arguments: DatabaseEngine.allCases)
    func story(engine: DatabaseEngine) async throws {
        try await Hooks.with(engine) { place, psp in
            let (own, ownURL) = try await Self.receiver(place, "env:HOOK_SECRET")
            try place.write(Hooks.declaration(psp: psp, own: ownURL + "/hooks?a=b"), to: "travel.yaml")
            let applied = try await place.json("apply", "travel.yaml")
            #expect(applied["secrets"] == nil)
            #expect(Self.names(applied, "created").contains("marketplace_callback travel"))

            // The hotel brings no secret: it is made and shown once.
            let (probe, hotelURL) = try await Self.receiver(place, Hooks.secret)
            await probe.stop()
            let mixed =
                Hooks.declaration(psp: psp, own: ownURL + "/hooks?a=b")
                + "\n    callback: { url: \"\(hotelURL)/\" }\n"
            try place.write(mixed, to: "travel.yaml")
            let made = try await place.json("apply", "travel.yaml")
            #expect(Self.names(made, "created") == ["merchant_callback hotel-7"])
            let secret = try #require(made["secrets"]?[0]?["secret"]?.stringValue)
            #expect(secret.wholeMatch(of: /whsec_[A-Za-z0-9+\/]{43}=/) != nil)
            let again = try await place.run("apply", "travel.yaml")
            #expect(
                again.status == 0 && !again.out.contains("whsec_") && again.out.contains("left alone 6"),
                "\(again.out)"
            )
            let port = try #require(hotelURL.split(separator: ":").last.map(String.init))
            let (hotel, _) = try await Self.receiver(place, secret, port: port)

            try await place.whileServing { url in
                let order = try await Hooks.order(place, at: url)
                let told = try await Hooks.lines(6, of: own)
                #expect(told.allSatisfy { $0["verified"] == true })
                let bodies = told.compactMap { $0["body"] }
                let types = bodies.compactMap { $0["type"]?.stringValue }
                #expect(Set(types) == ["order.accepted", "order.paid", "payment.authorized", "payment.captured"])
                #expect(Set(bodies.compactMap { $0["sequence"]?.integerValue }) == Set(1...6))
                #expect(bodies.allSatisfy { $0["data"]?["order"]?["id"] == order["id"] })
                let hotels = try await Hooks.lines(1, of: hotel)
                #expect(hotels.map { $0["body"]?["type"] } == ["payment.captured"])
                #expect(hotels[0]["body"]?["data"]?["payment"]?["external_identifier"] == "hotel-7")
                try await Self.checkLists(place, waitingFor: 7)
            }
            let database = try place.files().filter { $0.hasPrefix("tributary.sqlite") }
            for file in database {
                #expect(try !place.bytes(of: file).contains(Array(secret.dropFirst(6).utf8)), "\(file)")
            }
            await own.stop()
            await hotel.stop()
        }
    }

    @Test("verify and exit with what came first, under --once")
    func once() async throws {
        try await Hooks.with { place, psp in
            for (typed, status, words): (String, Int32, String) in [
                ("env:HOOK_SECRET", 0, ""), ("whsec_c29tZWJvZHkgZWxzZSdzIHNlY3JldCwgMzIgYnl0ZXM=", 1, "does not match"),
            ] {
                let (receiver, url) = try await Self.receiver(place, typed, more: ["--once"])
                try place.write(Hooks.declaration(psp: psp, own: url + "/"), to: "travel.yaml")
                _ = try await place.json("apply", "travel.yaml")
                let test = try await place.run("callbacks", "test", "travel")
                #expect(test.status == status, "\(test.err)")
                #expect(test.out.contains(status == 0 ? "taken" : "not taken: only 2xx counts"))
                let ending = try await Finished(receiver, within: .patience)
                #expect(ending.status == status, "\(ending.err)")
                #expect(ending.err.contains(words))
            }
        }
    }

    @Test("come again after a gateway was killed, under the same identifiers")
    func killed() async throws {
        try await Hooks.with { place, psp in
            let (probe, url) = try await Self.receiver(place, "env:HOOK_SECRET")
            await probe.stop()
            try place.write(Hooks.declaration(psp: psp, own: url + "/"), to: "travel.yaml")
            _ = try await place.json("apply", "travel.yaml")
            let (server, api) = try await place.serve()
            _ = try await Hooks.order(place, at: api)
            await server.kill()
            let before = try await place.json("callbacks", "list").arrayValue ?? []
            #expect(before.count == 6 && before.allSatisfy { $0["state"] == "waiting" }, "\(before)")
            let port = try #require(url.split(separator: ":").last.map(String.init))
            let (receiver, _) = try await Self.receiver(place, "env:HOOK_SECRET", port: port)
            #expect(try await place.run("callbacks", "enable", "travel").status == 0)
            #expect(try await place.run("callbacks", "replay", "--state", "waiting").status == 0)
            try await place.whileServing { _ in
                let told = try await Hooks.lines(6, of: receiver)
                let names = Set(told.compactMap { $0["id"]?.stringValue })
                #expect(names == Set(before.compactMap { $0["id"]?.stringValue }))
            }
            await receiver.stop()
        }
    }

    @Test("are signed with both secrets during a rotation")
    func rotation() async throws {
        try await Hooks.with { place, psp in
            let (old, url) = try await Self.receiver(place, "env:HOOK_SECRET")
            try place.write(Hooks.declaration(psp: psp, own: url + "/"), to: "travel.yaml")
            _ = try await place.json("apply", "travel.yaml")
            let rotated = try await place.json("secrets", "rotate", "travel", "--overlap", "1h")
            let secret = try #require(rotated[0]?["secret"]?.stringValue)
            #expect(try await place.run("callbacks", "test", "travel").status == 0)
            await old.stop()
            let port = try #require(url.split(separator: ":").last.map(String.init))
            let (new, _) = try await Self.receiver(place, secret, port: port)
            #expect(try await place.run("callbacks", "test", "travel").status == 0)
            await new.stop()
            _ = try await place.json("secrets", "rotate", "travel", "--overlap", "0s")
            for before in [secret, "env:HOOK_SECRET"] {
                let (late, _) = try await Self.receiver(place, before, port: port)
                #expect(try await place.run("callbacks", "test", "travel").status == 1, "\(before) signs no more")
                await late.stop()
            }
        }
    }

    /// Starts a receiver that verifies with a secret, and answers it and its URL.
    static func receiver(
        _ place: Workplace,
        _ secret: String,
        port: String = "0",
        more: [String] = []
    ) async throws -> (RunningProgram, String) {
        let program = try place.start(
            ["receive-callbacks", "--secret", secret, "--port", port, "--format", "json"] + more
        )
        let line = try await program.notice(containing: "listening on http", within: .patience)
        return (program, line.split(separator: " ").last.map(String.init) ?? "")
    }

    private static func names(_ report: JSON, _ action: String) -> [String] {
        (report[action]?.arrayValue ?? []).map { "\($0["kind"]?.stringValue ?? "") \($0["id"]?.stringValue ?? "")" }
    }

    private static func checkLists(_ place: Workplace, waitingFor count: Int) async throws {
        let end = ContinuousClock.now + .patience
        while try await place.json("callbacks", "list", "--state", "delivered").arrayValue?.count != count {
            try #require(ContinuousClock.now < end)
        }
        let hotels = try await place.json("callbacks", "list", "--endpoint", "hotel-7").arrayValue ?? []
        #expect(hotels.count == 1 && hotels[0]["type"] == "payment.captured" && hotels[0]["last_status"] == 204)
        let id = try #require(hotels[0]["id"]?.stringValue)
        let page = try await place.run("callbacks", "show", id)
        for word in [id, "delivered", "Payload", "external_identifier", "hotel-7"] {
            #expect(page.out.contains(word), "\(word) is missing in \(page.out)")
        }
        let shown = try await place.json("callbacks", "show", id)
        #expect(try JSON.parse(text: shown["payload"]?.stringValue ?? "")["type"] == "payment.captured")
        let endpoints = try await place.json("callbacks", "endpoints").arrayValue ?? []
        #expect(endpoints.map { $0["merchant"] } == [.null, "hotel-7"])
        #expect(endpoints.allSatisfy { $0["state"] == "enabled" && $0["waiting"] == 0 && $0["failures"] == 0 })
        let replayed = try await place.run("callbacks", "replay", id)
        #expect(replayed.status == 0 && replayed.err.contains("due again: 1"), "\(replayed.err)")
    }
}
