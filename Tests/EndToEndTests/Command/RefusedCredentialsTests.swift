import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit

@Suite("A PSP that refuses our key", .timeLimit(.minutes(10)))
struct RefusedCredentialsTests {
    /// Places an order and answers its status.
    private static func place(_ number: Int, at url: String, key: String) async throws -> String {
        let body: JSON = [
            "reference": .string("cart-\(number)"), "currency": "USD", "amount": 1000,
            "policy": ["type": "all_or_nothing"],
            "contexts": [
                [
                    "external_identifier": "hotel-7", "amount": 1000,
                    "payment": ["type": "psp_token", "token": "tok_approve", "psp_account": "sim"],
                ]
            ],
        ]
        let call = HTTPCall(.post, url + "/v1/orders", key: key).sending(body, idempotencyKey: "k-\(number)")
        let reply = try await call.reply()
        return try JSON.parse(reply.body)["status"]?.stringValue ?? "\(reply.status)"
    }

    @Test(
        "is one item that waits for a person and a finding of doctor, until it takes the new key, without a restart",
        arguments: DatabaseEngine.allCases
    )
    func refused(_ engine: DatabaseEngine) async throws {
        try await Workplace.withDatabase(engine) { place in
            try await place.whileServing(["simulate-psp"]) { psp in
                try place.write("key_invalid", to: "sim.key")
                let file = MarketplaceFile(baseURL: psp, credential: "file:sim.key")
                try place.write(file.text, to: "travel.yaml")
                _ = try await place.json("apply", "travel.yaml")
                let made = try await place.json("keys", "create", "--scope", "checkout")
                let key = try #require(made["key"]?.stringValue)
                try await place.whileServing { url in
                    for number in 0..<3 { #expect(try await Self.place(number, at: url, key: key) == "failed") }
                    let items = try await place.waiting(for: 1)
                    #expect(items.map { $0["reason"] } == ["credentials_refused"], "\(items)")
                    #expect(items.map { $0["psp_account"] } == ["sim"])
                    let ill = try await place.run("doctor", "--format", "csv")
                    #expect(ill.status == 1)
                    #expect(ill.out.contains("The PSP does not know the credentials of sim (HTTP 401"), "\(ill.out)")
                    // Read again once the refusal is a minute old; a restart need not be waited for.
                    try place.write("key_sim", to: "sim.key")
                }
                try await place.whileServing { url in
                    #expect(try await Self.place(9, at: url, key: key) == "paid")
                    #expect(try await place.waiting(for: 0).isEmpty)
                    let well = try await place.run("doctor", "--format", "csv")
                    #expect(!well.out.contains("credentials of sim"), "\(well.out)")
                }
            }
        }
    }
}

extension Workplace {
    /// What `attention list` names, once that is so much.
    fileprivate func waiting(for count: Int) async throws -> [JSON] {
        let end = ContinuousClock.now + .patience
        while true {
            let listed = try await run("attention", "list", "--format", "json")
            let items = try JSON.parse(text: listed.out).arrayValue ?? []
            if items.count == count || ContinuousClock.now > end { return items }
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}
