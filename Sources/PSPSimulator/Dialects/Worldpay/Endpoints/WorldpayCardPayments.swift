import StrictJSON

/// What Card Payments, version 7, does to payments: where Payment Queries' links lead.
enum WorldpayCardPayments {
    /// `POST /payments/…/{linkData}`.
    static func change(_ action: WorldpayAction, _ wire: PSPRequest) throws(Refusal) -> Ask {
        let request = try WorldpayRequest(wire, .cardPayments)
        let change = try WorldpayChange(action, request)
        return .change(change.command, by: request.requester) { operation, authorization in
            let isNamed = action != .cancel && action != .reverse
            return PSPReply(
                202,
                .object(omittingAbsent: [
                    "paymentId": isNamed ? .string(WorldpayIdentifier.text(.payment, authorization.id)) : .none,
                    "commandId": isNamed ? .string(WorldpayIdentifier.text(.command, operation.id)) : .none,
                    "_links": links(change.next + [.query], authorization, wire.origin),
                ])
            )
        }
    }

    /// `GET /payments/events/{linkData}`.
    static func events(_ wire: PSPRequest) throws(Refusal) -> Ask {
        let request = try WorldpayRequest(wire, .cardPayments)
        let link = try request.link(.query)
        return .inquire(account: request.account) { view throws(Refusal) in
            guard let authorization = view.authorization(link.authorization) else { throw .notFound }
            let links = links(authorization.worldpayActions + [.query], authorization, wire.origin)
            return PSPReply(
                200,
                ["lastEvent": .string(WorldpayHistory(authorization).lastEvent), "_links": links]
            )
        }
    }

    /// Links by Card Payments' names.
    static func links(_ actions: [WorldpayAction], _ authorization: Authorization, _ origin: String) -> JSON {
        .object(
            actions.compactMap { action in
                action.card.map { card in
                    let href = WorldpayLink(.cardPayments, action, authorization).href(origin)
                    return JSON.Member(card.name, ["href": .string(href)])
                }
            }
        )
    }
}
