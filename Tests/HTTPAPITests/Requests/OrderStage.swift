import StrictJSON
import Testing
import TributaryTestKit

/// An order that was placed over HTTP, and what may be asked of it.
struct OrderStage {
    /// A trip of an airline (300.00 USD) and a hotel (150.00 USD) under manual capture.
    static let manual = OrderBody.trip.with("capture", "manual")
    /// The same where either may be left out.
    static let loose = manual.with("policy", ["type": "best_effort"])

    let api: APIHarness
    let client: APIClient
    let order: String
    /// The airline's payment and the hotel's.
    let payments: [String]

    init(_ api: APIHarness, _ body: JSON = OrderBody.trip, key: String = "place") async throws {
        self.api = api
        client = try await api.client("checkout", "operator")
        let reply = try await client.post("/v1/orders", body, key: key)
        order = try #require(reply.json["id"]?.stringValue, "\(reply)")
        payments = try #require(reply.json["payments"]?.arrayValue).compactMap { $0["id"]?.stringValue }
    }

    /// Asks something of the order under a key of its own.
    func ask(_ action: String, _ body: JSON = .object([]), key: String = "a") async throws -> APIReply {
        try await client.post("/v1/orders/\(order)/\(action)", body, key: key)
    }

    /// The order as it is now.
    func now() async throws -> JSON { try await client.get("/v1/orders/\(order)").json }

    /// Amounts of the payments, in their order; none for a payment that is left out.
    func items(_ amounts: Int64?...) -> JSON {
        let items = zip(payments, amounts).compactMap { payment, amount in
            amount.map { JSON.object([.init("payment", .string(payment)), .init("amount", .integer($0))]) }
        }
        return ["items": .array(items)]
    }
}
