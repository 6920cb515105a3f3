import StrictJSON
import Testing
import TributaryTestKit

@Suite("Acting over a connection that fails", .timeLimit(.minutes(10)))
struct LostAnswerTests {
    private static let order = """
        {"id": "ord_00000000000000000000000000", "currency": "USD", "version": 1, "payments": []}
        """

    /// The steps of a reply of that status, on a connection of its own.
    private static func reply(_ status: String, _ body: String) -> [ServerStep] {
        let head = "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nConnection: close\r\n"
        return [.readRequest, .write("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")]
    }

    /// What a command says to a server of such answers, one a connection, and the requests that it sent.
    private static func say(
        _ typed: [String],
        to script: @escaping @Sendable (Int) -> [ServerStep]
    ) async throws -> (ending: Finished, requests: [ReceivedRequest]) {
        let server = try ScriptedServer(script)
        return try await withServer(server) { server in
            var ending: Finished?
            try await Workplace.with { place in
                ending = try await place.acting(with: "tk_test_0", at: "http://127.0.0.1:\(server.port)").run(typed)
            }
            return (try #require(ending), server.requests)
        }
    }

    @Test("names the idempotency key that it asked under, the same for each try")
    func named() async throws {
        let (ending, requests) = try await Self.say(["orders", "refund", "cart-a"]) { number in
            switch number {
            case 0: Self.reply("200 OK", Self.order)
            case 1: Self.reply("200 OK", #"{"data": [], "has_more": false}"#)
            default: [.readRequest]
            }
        }
        #expect(ending.status == 2, "\(ending.err)")
        let keys = Set(requests.compactMap { $0.header("Idempotency-Key") })
        let key = try #require(keys.first)
        #expect(keys.count == 1 && requests.count == 5, "\(requests.map(\.line))")
        #expect(ending.err.contains("it may have been done: repeat the command with --idempotency-key \(key),"))
    }

    @Test("does not ask again for what has no key, and says that it may have been done")
    func once() async throws {
        let (ending, requests) = try await Self.say(["secrets", "rotate", "cbe_00000000000000000000000000"]) { number in
            let list = #"{"data": [{"id": "cbe_00000000000000000000000000"}], "has_more": false}"#
            return number == 0 ? Self.reply("200 OK", list) : [.readRequest]
        }
        #expect(ending.status == 2 && requests.count == 2, "\(ending.err)")
        #expect(ending.err.contains("it may have been done: look before you repeat it"), "\(ending.err)")
    }

    @Test("gives back once, however often a command is repeated under its key", arguments: DatabaseEngine.allCases)
    func repeated(_ engine: DatabaseEngine) async throws {
        try await BothWays.with(engine) { ways in
            try await ways.counter.order("cart-b", at: ways.url, capture: "automatic")
            let typed = ["orders", "refund", "cart-b", "--payment", "hotel-7=5.00", "--idempotency-key", "again-1"]
            for _ in 0..<3 {
                let ending = try await ways.http.run(typed + ["--format", "json"])
                #expect(ending.status == 0, "\(ending.err)")
                #expect(try JSON.parse(Array(ending.out.utf8))["refunded_amount"] == 500, "\(ending.out)")
            }
            #expect(try await ways.counter.booked().refunded == 500)
            let created = ["keys", "create", "--scope", "support", "--name", "twice", "--idempotency-key", "again-2"]
            #expect(try await ways.http.run(created).status == 0)
            let again = try await ways.http.run(created)
            #expect(again.status == 1 && again.err.contains("was made by an earlier command"), "\(again.err)")
            let direct = try await ways.direct.run(typed)
            #expect(direct.status == 2 && direct.err.contains("does not go with --direct"), "\(direct.err)")
        }
    }

    @Test("says of a server of another version, or of none of ours, that it is, and does nothing")
    func versions() async throws {
        let older = #"{"status": 404, "code": "no_such_path", "detail": "There is no such path."}"#
        for (script, words) in [
            ([Self.reply("200 OK", Self.order), Self.reply("404 Not Found", older)], "is of another version"),
            ([Self.reply("200 OK", "<html>")], "is no Tributary of this version"),
            ([Self.reply("404 Not Found", "<html>")], "answered HTTP 404"),
        ] {
            let (ending, requests) = try await Self.say(["orders", "refund", "cart-a"]) { number in
                number < script.count ? script[number] : [.reset]
            }
            #expect(ending.status == 2 && ending.err.contains(words), "\(words): \(ending.err)")
            #expect(requests.allSatisfy { $0.line.hasPrefix("GET ") }, "\(requests.map(\.line))")
        }
    }

    @Test("speaks to a server with TLS, of an authority that --ca-file names and no other")
    func encrypted() async throws {
        let authority = try TestAuthority()
        let own = try authority.issue(.localhost)
        try await Counter.with { counter in
            var place = counter.place
            let key = try await BothWays.key(place, "operator")
            place.environment["TRIBUTARY_TLS_CERTIFICATE_FILE"] = own.certificate
            place.environment["TRIBUTARY_TLS_KEY_FILE"] = own.key
            try await place.whileServing { url in
                let port = url.split(separator: ":").last.map(String.init) ?? ""
                let acting = place.acting(with: key, at: "https://localhost:\(port)")
                let act = ["merchants", "pause", "hotel-7"]
                let unknown = try await acting.run(act)
                #expect(unknown.status == 2 && unknown.err.contains("tlsFailed"), "\(unknown.err)")
                let trusted = try await acting.run(act + ["--ca-file", authority.certificate])
                #expect(trusted.status == 0, "\(trusted.err)")
                let absent = try await acting.run(act + ["--ca-file", "absent.pem"])
                #expect(absent.status == 2 && absent.err.contains("cannot be read"), "\(absent.err)")
            }
        }
    }
}
