import Foundation
import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit

@Suite("What a busy server tells of itself", .timeLimit(.minutes(10)))
struct SecretsScanTests {
    /// Everything that a run wrote where an operator, or whoever is told, reads it.
    private struct Told {
        var log = ""
        var metrics = ""
        var spans = ""
        var audit = ""
        var callbacks = ""
        var answers = ""

        var all: [(name: String, text: String)] {
            [
                ("log", log), ("metrics", metrics), ("spans", spans), ("audit", audit), ("callbacks", callbacks),
                ("answers", answers),
            ]
        }
    }

    @Test("has no secret of buyers, callers, PSPs, endpoints or its own in it", arguments: DatabaseEngine.allCases)
    func scan(_ engine: DatabaseEngine) async throws {
        let collector = try CollectorTwin()
        let shop = try ScriptedServer(each: .readRequest, .write("HTTP/1.1 204 Taken\r\nConnection: close\r\n\r\n"))
        let secrets = WalletSecrets()
        let settings =
            "log_format: json\ntracing: { endpoint: \"\(collector.url)\" }\nmetrics: { key: \"env:METRICS_KEY\" }\n"
        try await WalletPlace.with(engine, settings: settings, callback: "http://127.0.0.1:\(shop.port)/") { stage in
            var place = stage.place
            place.environment["SIM_KEY"] = "key_sim" + Self.random()
            place.environment["METRICS_KEY"] = Self.random()
            var needles = try Self.secrets(of: place.environment) + [stage.key]
            let admin = try await place.json("keys", "create", "--scope", "admin", "--scope", "operator")
            needles.append(try #require(admin["key"]?.stringValue))
            var told = Told()
            let server = try place.start([
                "serve", "--stop-when-stdin-closes", "--port", "0", "--log-level", "trace", "--config",
                "tributary.yaml",
            ])
            let line = try await server.notice(containing: "the server listens", within: .patience)
            let url = try #require(try JSON.parse(Array(line.utf8))["url"]?.stringValue)
            try await Self.shop(secrets, stage, url, &told)
            needles += try await Self.administer(url, try #require(needles.last), &told)
            told.metrics = try await Self.text(.get, url + "/metrics", key: place.environment["METRICS_KEY"] ?? "")
            try await FollowedStory.wait { shop.requests.count >= 6 }
            await server.stop()
            // A server whose PSP refuses its key says so, and not which.
            place.environment["SIM_KEY"] = "key_" + Self.random() + "_invalid"
            needles.append(place.environment["SIM_KEY"] ?? "")
            let refused = try await Self.refused(place, stage, &told)
            told.log = [server, refused].map { $0.errors.text + $0.output.text }.joined()
            told.spans = collector.text
            told.callbacks = shop.requests.map { "\($0.headers) " + String(decoding: $0.body, as: UTF8.self) }.joined()
            told.audit = try await place.run("audit", "list", "--format", "json").out + place.run("audit", "export").out
            Self.check(told, Traces(of: needles), secrets.traces)
        }
        shop.stop()
        await collector.stop()
    }

    /// That each told what it is there for, and none of the secrets.
    private static func check(_ told: Told, _ keys: Traces, _ buyers: Traces) {
        #expect(told.log.contains("a PSP was called") && told.log.contains("a PSP refuses our credentials"))
        #expect(told.metrics.contains("tributary_psp_calls_total{"))
        #expect(told.spans.contains("psp authorize") && told.spans.contains("psp capture"))
        #expect(told.audit.contains("key.create") && told.audit.contains("till 7"))
        #expect(told.callbacks.contains("payment.captured"))
        for (name, text) in told.all {
            #expect(!text.isEmpty, "\(name)")
            #expect(keys.found(in: Array(text.utf8)) == [], "\(name)")
            #expect(buyers.found(in: Array(text.utf8)) == [], "\(name)")
        }
    }

    /// Pays with wallet tokens, network tokens and a PSP's token, has payments declined, refused and sent malformed, and shows
    /// keys where none belong.
    private static func shop(
        _ secrets: WalletSecrets,
        _ stage: WalletPlace,
        _ url: String,
        _ told: inout Told
    ) async throws {
        func payment(_ number: String, _ cryptogram: String) throws -> JSON {
            var payment = TestApplePayment(amount: 1000)
            payment.number = number
            payment.cryptogram = cryptogram
            return try stage.applePay(payment)
        }
        let token: JSON = ["type": "psp_token", "token": .string(secrets.token), "psp_account": "sim"]
        let single = try payment(secrets.numbers[1], secrets.cryptograms[1])
        let payments: [(JSON, Int)] = [
            (token, 201), (secrets.networkToken, 201), (single, 201), (single, 422),
            (try payment(secrets.declined, secrets.cryptograms[5]), 201),
            (secrets.networkToken.with("expiry_month", 13), 422),
            (secrets.networkToken.with("number_again", .string(secrets.numbers[2])), 422),
        ]
        for (number, (payment, status)) in payments.enumerated() {
            let answer = try await stage.post(WalletPlace.order([1000], payment), key: "k\(number)", to: url)
            #expect(answer.status == status, "\(number): \(answer.json.text)")
            told.answers += answer.json.text
        }
        for path in ["/v1/orders?key=\(stage.key)", "/v1/orders/\(secrets.numbers[0])", "/\(secrets.token)"] {
            told.answers += try await text(.get, url + path, key: stage.key)
        }
        for authorization in ["Basic \(stage.key)", stage.key, "Bearer \(stage.key)x"] {
            told.answers += String(
                decoding: try await HTTPCall(.get, url + "/v1/orders", authorization: authorization).reply().body,
                as: UTF8.self
            )
        }
    }

    /// Makes a key over HTTP and revokes it; answers what was made, which is shown this once.
    private static func administer(_ url: String, _ admin: String, _ told: inout Told) async throws -> [String] {
        let reply = try await HTTPCall(.post, url + "/v1/keys", key: admin)
            .sending(["scopes": ["operator"], "name": "till 7"], idempotencyKey: "one").reply()
        let made = try JSON.parse(reply.body)
        let (id, key) = (try #require(made["id"]?.stringValue, "\(made.text)"), try #require(made["key"]?.stringValue))
        for (path, shown) in [("/v1/orders", key), ("/v1/keys", admin), ("/v1/psp-accounts", key)] {
            told.answers += try await text(.get, url + path, key: shown)
        }
        let revoked = try await HTTPCall(.post, url + "/v1/keys/\(id)/revoke", key: admin)
            .sending(.object([]), idempotencyKey: "two").reply()
        #expect(revoked.status == 200)
        return [key]
    }

    /// Serves with a key that the PSP does not know, for one order.
    private static func refused(
        _ place: Workplace,
        _ stage: WalletPlace,
        _ told: inout Told
    ) async throws -> RunningProgram {
        let server = try place.start([
            "serve", "--stop-when-stdin-closes", "--port", "0", "--log-level", "trace", "--config", "tributary.yaml",
        ])
        let line = try await server.notice(containing: "the server listens", within: .patience)
        let url = try #require(try JSON.parse(Array(line.utf8))["url"]?.stringValue)
        let token: JSON = ["type": "psp_token", "token": "tok_approve", "psp_account": "sim"]
        let answer = try await stage.post(WalletPlace.order([1000], token), key: "refused", to: url)
        #expect(answer.json["status"] == "failed", "\(answer.json.text)")
        told.answers += answer.json.text
        _ = try await server.notice(containing: "a PSP refuses our credentials", within: .patience)
        await server.stop()
        return server
    }

    /// The secrets that the environment has: keys, the database's password, and what callbacks are signed with, less the word
    /// that says what it is.
    private static func secrets(of environment: [String: String]) throws -> [String] {
        let names = ["TRIBUTARY_KEY", "SIM_KEY", "METRICS_KEY"]
        var secrets = try names.map { try #require(environment[$0]) }
        secrets.append(String(try #require(environment["HOOK_SECRET"]).dropFirst("whsec_".count)))
        if let url = environment["TRIBUTARY_DATABASE_URL"] {
            secrets.append(try #require(URLComponents(string: url)?.password))
        }
        return secrets
    }

    private static func random() -> String { (0..<24).map { _ in String(Int.random(in: 0...9)) }.joined() }

    private static func text(_ method: HTTPMethod, _ url: String, key: String) async throws -> String {
        String(decoding: try await HTTPCall(method, url, key: key).reply().body, as: UTF8.self)
    }
}
