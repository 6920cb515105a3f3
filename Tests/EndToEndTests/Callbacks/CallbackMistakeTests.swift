import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Commands about callbacks refuse", .timeLimit(.minutes(10)))
struct CallbackMistakeTests {
    private static let noCallback = "cb_01hzzzzzzzzzzzzzzzzzzzzzzz"

    /// What is typed, how it ends, and what it says.
    private static let mistakes: [(typed: [String], status: Int32, says: String)] = [
        (["callbacks", "list", "--state", "lost"], 2, "lost"),
        (["callbacks", "list", "--endpoint", "moon"], 1, "there is no endpoint moon"),
        (["callbacks", "list", "--endpoint", "cbe_01hzzzzzzzzzzzzzzzzzzzzzzz"], 1, "there is no endpoint cbe_"),
        (["callbacks", "list", "--order", "cart-1"], 2, "cart-1 is no order's id"),
        (["callbacks", "list", "--from", "yesterday"], 2, "RFC 3339"),
        (["callbacks", "list", "--limit", "0"], 2, "--limit"),
        (["callbacks", "show", "evt_1"], 2, "evt_1 is no callback's id"),
        (["callbacks", "show", noCallback], 1, "there is no callback \(noCallback)"),
        (["callbacks", "replay"], 2, "say which"),
        (["callbacks", "replay", noCallback, "--state", "dead"], 2, "not both"),
        (["callbacks", "replay", "nonsense"], 2, "nonsense is no callback's id"),
        (["callbacks", "replay", noCallback], 1, "there is no callback"),
        (["callbacks", "replay", "--state", "dead"], 1, "there is nothing to replay"),
        (["callbacks", "enable", "airline-1"], 1, "there is no endpoint airline-1"),
        (["callbacks", "enable", "travel", "--marketplace", "moon"], 2, "there is no marketplace moon"),
        (["callbacks", "test", "nobody"], 1, "there is no endpoint nobody"),
        (["secrets", "rotate", "travel", "--overlap", "1D"], 2, "--overlap"),
        (["secrets", "rotate", "travel", "--overlap", "721h"], 2, "0s to 720h"),
        (["secrets", "rotate", "travel", "--to", "whsec_abc"], 2, "env:NAME or file:PATH"),
        (["secrets", "rotate", "travel", "--to", "env:NOT_SET"], 2, "NOT_SET is not set"),
        (["secrets", "rotate", "travel", "--to", "env:SIM_KEY"], 2, "24 to 64 bytes"),
        (["secrets", "rotate", "nobody"], 1, "there is no endpoint nobody"),
        (["receive-callbacks"], 2, "--secret"),
        (["receive-callbacks", "--secret", "???"], 2, "not base 64"),
        (["receive-callbacks", "--secret", "env:NOT_SET"], 2, "NOT_SET is not set"),
        (["receive-callbacks", "--secret", Hooks.secret, "--port", "x"], 2, "--port"),
    ]

    @Test("what cannot be used or is not there, in a sentence on standard error alone")
    func mistakes() async throws {
        try await Workplace.withDatabase { place in
            var place = place
            place.environment["HOOK_SECRET"] = Hooks.secret
            try place.write(
                Hooks.declaration(psp: "http://127.0.0.1:1", own: "https://hooks.example/"),
                to: "travel.yaml"
            )
            _ = try await place.json("apply", "travel.yaml")
            for mistake in Self.mistakes {
                let ending = try await place.run(mistake.typed)
                #expect(ending.status == mistake.status, "\(mistake.typed): \(ending.err)")
                #expect(ending.out.isEmpty, "\(mistake.typed)")
                #expect(ending.err.contains(mistake.says), "\(mistake.typed): \(ending.err)")
            }
        }
    }

    @Test("hostile addresses when a declaration is applied, all at once and without storing anything")
    func hostileAddresses() async throws {
        try await Workplace.withDatabase { place in
            func merchants(_ urls: [HostileURL]) -> String {
                let rows = urls.enumerated().map { number, url in
                    """
                      - external_identifier: m-\(number)
                        name: M
                        routes: [{ psp_account: sim }]
                        callback: { url: \(JSON.string(url.text).text) }
                    """
                }
                return """
                    marketplace: { id: travel, name: Travel Now }
                    psp_accounts: [{ id: sim, psp: simulator, base_url: "http://127.0.0.1:1", credentials: { api_key: "env:SIM_KEY" } }]
                    merchants:
                    \(rows.joined(separator: "\n"))
                    """
            }
            // YAML has no place for some characters at all; they are tested where URLs are vetted.
            let urls = HostileURL.all.filter {
                !$0.text.contains { $0.asciiValue.map { $0 < 0x20 || $0 == 0x7F } ?? true }
            }
            #expect(urls.count >= 100)
            try place.write(merchants(urls), to: "hostile.yaml")
            let first = try await place.run("apply", "hostile.yaml")
            #expect(first.status == 2 && first.out.isEmpty)
            let isRefused = urls.indices.map { first.err.contains("merchants[\($0)].callback.url") }
            let rest = zip(urls, isRefused).filter { !$0.1 }.map(\.0)
            #expect(isRefused.contains(true) && rest.count >= 60, "\(rest.count)")
            try place.write(merchants(rest), to: "hostile.yaml")
            let second = try await place.run("apply", "hostile.yaml")
            #expect(second.status == 2 && second.out.isEmpty)
            for (number, url) in rest.enumerated() {
                let sentence = "Error: merchant m-\(number): callback.url: \(url.rule.description)"
                #expect(
                    second.err.contains(sentence + "\n") || second.err.contains(sentence + "; for development"),
                    "\(url)"
                )
            }
            #expect(try await place.run("merchants", "list").status == 2, "nothing is stored")
            #expect(try await place.run("check-config", "hostile.yaml").status == 1)
        }
    }

    @Test("secrets that will not do, and say of those that are not at hand that the server needs them")
    func secrets() async throws {
        try await Workplace.withDatabase { place in
            var place = place
            try place.write(
                Hooks.declaration(psp: "http://127.0.0.1:1", own: "https://hooks.example/"),
                to: "travel.yaml"
            )
            let absent = try await place.run("apply", "travel.yaml", "--dry-run")
            #expect(absent.status == 0 && absent.err.contains("HOOK_SECRET is not set. The server will need it."))
            place.environment["HOOK_SECRET"] = "whsec_c2hvcnQ="
            let short = try await place.run("apply", "travel.yaml")
            #expect(short.status == 2 && short.err.contains("24 to 64 bytes") && !short.err.contains("c2hvcnQ"))
        }
    }

    @Test(
        "nothing to those who ask for help",
        arguments: [
            ["callbacks"], ["callbacks", "list"], ["callbacks", "show"], ["callbacks", "replay"],
            ["callbacks", "endpoints"], ["callbacks", "enable"], ["callbacks", "test"], ["secrets"],
            ["secrets", "rotate"], ["receive-callbacks"],
        ]
    )
    func help(_ command: [String]) async throws {
        try await Workplace.with { place in
            let ending = try await place.run(command + ["--help"])
            #expect(ending.status == 0 && ending.err.isEmpty)
            #expect(ending.out.contains("OVERVIEW") && ending.out.contains("USAGE"))
        }
    }
}
