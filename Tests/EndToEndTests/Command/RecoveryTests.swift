import Glibc
import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit

@Suite("A killed server", .timeLimit(.minutes(10)))
struct RecoveryTests {
    @Test("finds out, started again, what became of the payment it had in hand, and charges once")
    func restart() async throws {
        try await Workplace.withDatabase { place in
            try await place.whileServing(["simulate-psp"]) { psp in
                var file = MarketplaceFile()
                file.baseURL = psp
                try place.write(file.text, to: "travel.yaml")
                _ = try await place.json("apply", "travel.yaml")
                let key = try #require(
                    try await place.json("keys", "create", "--scope", "checkout")["key"]?.stringValue
                )
                try await Self.killWhileOut(place, psp, key)
                try await place.whileServing { url in
                    let reply = try await Self.checkout(url, key).reply()
                    #expect(reply.status == 201, "\(String(decoding: reply.body, as: UTF8.self))")
                    #expect(reply.header("Idempotent-Replayed") == "true")
                    #expect(try JSON.parse(reply.body)["decision"] == "accepted")
                }
                let authorizations = try await Self.authorizations(psp)
                #expect(authorizations.count == 1)
                #expect(authorizations[0]["captured"] == 30_000)
            }
        }
    }

    /// Starts a server, places an order with it, and kills it once the PSP has acted and before it has answered.
    private static func killWhileOut(_ place: Workplace, _ psp: String, _ key: String) async throws {
        let (server, url) = try await place.serve()
        let answer = Task { try await checkout(url, key).reply() }
        while try await authorizations(psp).isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        #expect(await server.kill() == .signaled(SIGKILL))
        await #expect(throws: TransportFailure.self) { try await answer.value }
    }

    private static func authorizations(_ psp: String) async throws -> [JSON] {
        let reply = try await HTTPCall(.get, psp + "/books", key: "").reply()
        return try JSON.parse(reply.body)["accounts"]?["sim"]?["authorizations"]?.arrayValue ?? []
    }

    private static func checkout(_ url: String, _ key: String) -> HTTPCall {
        let order: JSON = [
            "currency": "USD", "amount": 30_000, "policy": ["type": "all_or_nothing"],
            "contexts": [
                [
                    "external_identifier": "airline-1", "amount": 30_000,
                    "payment": ["type": "psp_token", "token": "tok_timeout_after", "psp_account": "sim"],
                ]
            ],
        ]
        return HTTPCall(.post, url + "/v1/orders", key: key).sending(order, idempotencyKey: "one-tap")
    }
}
