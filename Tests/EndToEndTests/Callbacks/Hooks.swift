import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit

/// A workplace whose gateway may deliver to this machine, with a marketplace that wants to be told.
struct Hooks {
    /// What the marketplace's callbacks are signed with, unless a test has a secret made.
    static let secret = "whsec_Y2FsbGJhY2tzIGJldHdlZW4gcHJvY2Vzc2VzLCAzMmI="

    /// The declaration's part about the hotel's endpoint, and the agency's.
    static func declaration(
        psp: String,
        own: String,
        hotel: String? = nil,
        secret: String? = "env:HOOK_SECRET"
    ) -> String {
        func callback(_ url: String) -> String {
            let reference = secret.map { ", secret: \"\($0)\"" } ?? ""
            return "callback: { url: \"\(url)\"\(reference) }"
        }
        return """
            marketplace: { id: travel, name: Travel Now, \(callback(own)) }
            psp_accounts:
              - { id: sim, psp: simulator, base_url: "\(psp)", credentials: { api_key: "env:SIM_KEY" } }
            merchants:
              - external_identifier: airline-1
                name: Skyways
                routes: [{ psp_account: sim }]
              - external_identifier: hotel-7
                name: Grand Hotel
                routes: [{ psp_account: sim }]
            \(hotel.map { "    " + callback($0) } ?? "")
            """
    }

    /// Lends a workplace with a simulator, in which callbacks may go to this machine.
    static func with(
        _ engine: DatabaseEngine = .sqlite,
        _ body: (_ place: Workplace, _ psp: String) async throws -> Void
    ) async throws {
        try await Workplace.withDatabase(engine) { place in
            var place = place
            place.environment["TRIBUTARY_CALLBACKS_ALLOW_LOOPBACK"] = "true"
            place.environment["HOOK_SECRET"] = secret
            let prepared = place
            try await prepared.whileServing(["simulate-psp"]) { psp in try await body(prepared, psp) }
        }
    }

    /// An order of 300.00 USD for the airline and 185.00 USD for the hotel.
    static func order(_ place: Workplace, at url: String) async throws -> JSON {
        let key = try #require(try await place.json("keys", "create", "--scope", "checkout")["key"]?.stringValue)
        func context(_ merchant: String, _ amount: Int64) -> JSON {
            [
                "external_identifier": .string(merchant), "amount": .integer(amount),
                "payment": ["type": "psp_token", "token": "tok_approve", "psp_account": "sim"],
            ]
        }
        let order: JSON = [
            "currency": "USD", "amount": 48_500, "policy": ["type": "all_or_nothing"],
            "contexts": [context("airline-1", 30_000), context("hotel-7", 18_500)],
        ]
        let reply = try await HTTPCall(.post, url + "/v1/orders", key: key)
            .sending(order, idempotencyKey: "one").reply()
        try #require(reply.status == 201, "\(String(decoding: reply.body, as: UTF8.self))")
        return try JSON.parse(reply.body)
    }

    /// Waits until a program has written so many lines of JSON, and answers them; callbacks in them are as published.
    static func lines(_ count: Int, of program: RunningProgram) async throws -> [JSON] {
        let end = ContinuousClock.now + .patience
        while true {
            let text = program.output.text
            let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
            if text.hasSuffix("\n"), lines.count >= count {
                let documents = try lines.map { try JSON.parse(text: String($0)) }
                let contract = try CallbackContract()
                // A receiver of another language says in words what it made of the body.
                let bodies = documents.compactMap { $0["body"] }.filter { $0.objectValue != nil }
                let complaints = bodies.flatMap { contract.complaints(about: $0) }
                #expect(complaints == [])
                return documents
            }
            try #require(ContinuousClock.now < end, "\(text) \(program.errors.text)")
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
