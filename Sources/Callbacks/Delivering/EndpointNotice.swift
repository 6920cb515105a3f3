import Domain
import Storage
import StrictJSON

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
