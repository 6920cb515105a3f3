import Domain
import SQL
import Storage
import StrictJSON

/// Gives up what waits for nobody: callbacks at endpoints that were disabled for too long.
struct DesertedEndpointSweep {
    /// The most callbacks of an endpoint that one transaction gives up; the rest is the next sweep's.
    private static let atOnce = 10_000

    let settings: DeliverySettings

    /// Sweeps once.
    ///
    /// - Throws: `SQLError`.
    func run(in database: any Database, at now: Timestamp) async throws {
        let due = now.adding(milliseconds: -settings.patienceMilliseconds)
        try await database.write { session in
            for endpoint in try CallbackQueue.deserted(dueBefore: due, in: session) {
                _ = try CallbackQueue.giveUp(
                    at: endpoint,
                    dueBefore: due,
                    limit: Self.atOnce,
                    at: now,
                    because: "the endpoint was disabled for too long",
                    in: session
                )
            }
        }
    }
}

/// What the marketplace is told of a merchant's endpoint.
enum EndpointNotice {
    /// Tells the marketplace's own endpoint that one of a merchant's is disabled; nothing if it is its own.
    ///
    /// It is about no order, and so the first and only one of its series.
    static func disabled(
        _ endpoint: CallbackEndpoint,
        because reason: CallbackEndpoint.Reason,
        at now: Timestamp
    ) -> [NewCallback] {
        guard let merchant = endpoint.merchant else { return [] }
        let type = "endpoint.disabled"
        let payload: JSON = [
            "type": .string(type), "timestamp": .string(now.description), "sequence": 1,
            "data": [
                "endpoint": .string(endpoint.id.text), "merchant": .string(merchant.text),
                "url": .string(endpoint.url), "reason": .string(reason.rawValue),
            ],
        ]
        var ids = IdentifierSource()
        return [
            NewCallback(
                id: ids.make(at: now),
                marketplace: endpoint.marketplace,
                merchant: nil,
                order: nil,
                payment: nil,
                type: type,
                sequence: 1,
                payload: payload.text,
                at: now
            )
        ]
    }
}
