import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit

/// A marketplace of an airline and a hotel at one simulator, where orders are placed over HTTP and acted on by command.
struct Counter: Sendable {
    let place: Workplace
    /// The simulator's URL.
    let psp: String
    private let key: String

    /// Lends a workplace with a running simulator and a marketplace that uses it; nobody serves yet.
    static func with(_ engine: DatabaseEngine = .sqlite, _ body: (Counter) async throws -> Void) async throws {
        try await Workplace.withDatabase(engine) { place in
            try await place.whileServing(["simulate-psp"]) { psp in
                var file = MarketplaceFile()
                file.baseURL = psp
                try place.write(file.text, to: "travel.yaml")
                _ = try await place.json("apply", "travel.yaml")
                let key = try await place.json("keys", "create", "--scope", "checkout")["key"]?.stringValue
                try await body(Counter(place: place, psp: psp, key: try #require(key)))
            }
        }
    }

    /// The reply to an order of 300.00 USD for the airline and 185.00 USD for the hotel.
    func reply(
        _ reference: String,
        at url: String,
        airline: String = "tok_approve",
        policy: String = "best_effort",
        capture: String = "manual"
    ) async throws -> (status: Int, json: JSON) {
        func context(_ merchant: String, _ amount: Int64, _ token: String) -> JSON {
            [
                "external_identifier": .string(merchant), "amount": .integer(amount),
                "payment": ["type": "psp_token", "token": .string(token), "psp_account": "sim"],
            ]
        }
        let order: JSON = [
            "reference": .string(reference), "currency": "USD", "amount": 48_500, "capture": .string(capture),
            "policy": ["type": .string(policy)],
            "contexts": [context("airline-1", 30_000, airline), context("hotel-7", 18_500, "tok_approve")],
        ]
        let call = HTTPCall(.post, url + "/v1/orders", key: key).sending(order, idempotencyKey: reference)
        let reply = try await call.reply()
        return (reply.status, try JSON.parse(reply.body))
    }

    /// Places an order that must be taken.
    func order(
        _ reference: String,
        at url: String,
        airline: String = "tok_approve",
        policy: String = "best_effort",
        capture: String = "manual"
    ) async throws {
        let reply = try await reply(reference, at: url, airline: airline, policy: policy, capture: capture)
        try #require(reply.status == 201, "\(reply.json)")
    }

    /// The sums of the simulator's books.
    func booked() async throws -> (held: Int64, captured: Int64, refunded: Int64) {
        let reply = try await HTTPCall(.get, psp + "/books", key: "").reply()
        let all = try JSON.parse(reply.body)["accounts"]?["sim"]?["authorizations"]?.arrayValue ?? []
        func sum(_ name: String) -> Int64 { all.reduce(0) { $0 + ($1[name]?.integerValue ?? 0) } }
        return (sum("authorized") - sum("captured") - sum("voided"), sum("captured"), sum("refunded"))
    }

    /// The order once it has a status; something else has to bring it there.
    func order(_ reference: String, once status: String) async throws -> JSON {
        let end = ContinuousClock.now + .patience
        while true {
            let order = try await place.json("orders", "show", reference)
            if order["status"]?.stringValue == status { return order }
            try #require(ContinuousClock.now < end, "\(order)")
        }
    }
}
