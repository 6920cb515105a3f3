import StrictJSON

/// The Payment Queries API, version 1: how a payment whose answer was lost is found.
enum WorldpayQueries {
    /// `GET /paymentQueries/payments`: by the caller's reference, or of a time.
    static func search(_ wire: PSPRequest) throws(Refusal) -> Ask {
        let request = try WorldpayRequest(wire, .queries)
        if let reference = wire.query("transactionReference") {
            guard wire.query.count == 1 else {
                throw Refusal(400, "invalidParameters", "transactionReference stands alone.")
            }
            return .inquire(account: request.account) { view in
                let found = view.authorizations(reference: reference).filter(\.isSubmitted)
                return page(found.reversed().map { summary($0, more: true) }, wire, cursor: nil)
            }
        }
        let filter = try WorldpayQueryFilter(wire)
        return .inquire(account: request.account) { view in
            let all = view.authorizations { $0.isSubmitted && filter.takes($0) }.reversed().dropFirst(filter.cursor)
            let next = all.count > filter.pageSize ? filter.cursor + filter.pageSize : nil
            return page(all.prefix(filter.pageSize).map { summary($0, more: false) }, wire, cursor: next)
        }
    }

    /// `GET /paymentQueries/payments/{paymentId}`.
    static func payment(_ wire: PSPRequest) throws(Refusal) -> Ask {
        let request = try WorldpayRequest(wire, .queries)
        guard let number = WorldpayIdentifier.number(.payment, wire.parameter("payment")) else { throw .notFound }
        return .inquire(account: request.account) { view throws(Refusal) in
            guard let found = view.authorization(number.authorizationIdentifier), found.isSubmitted else {
                throw .notFound
            }
            let isApproved = found.authorized > 0
            let actions = isApproved ? found.worldpayActions + [.query] : []
            let links = WorldpayCardPayments.links(actions, found, wire.origin).objectValue ?? []
            let events = JSON.Member("events", .array(WorldpayHistory(found).entries.map(\.json)))
            let members =
                members(found, more: true) + [events, JSON.Member("_links", .object([ownLink(found)] + links))]
            return reply(.object(members))
        }
    }

    private static func summary(_ authorization: Authorization, more: Bool) -> JSON {
        .object(
            members(authorization, more: more) + [JSON.Member("_links", .object([ownLink(authorization)]))]
        )
    }

    private static func members(_ authorization: Authorization, more: Bool) -> [JSON.Member] {
        let command = authorization.command
        let isApproved = authorization.authorized > 0
        let narrative = JSON.object(omittingAbsent: [
            "line1": .string(command.details["line1"] ?? ""),
            "line2": command.details["line2"].map(JSON.string),
        ])
        let code = JSON.string(WorldpayDocument.authorizationCode(authorization))
        let scheme = JSON.string(WorldpayDocument.schemeReference(authorization))
        let json = JSON.object(omittingAbsent: [
            "timestamp": .string(WorldpayMoment.text(authorization.createdAt)),
            "paymentId": .string(WorldpayIdentifier.text(.payment, authorization.id)),
            "transactionReference": .string(command.reference),
            "narrative": more ? narrative : .none,
            "transactionType": "oneTime",
            "authorizationType": "authorization",
            "lastEvent": more ? .string(WorldpayHistory(authorization).lastName) : .none,
            "entity": .string(command.metadata["entity"] ?? ""),
            "issuer": isApproved ? ["authorizationCode": code] : .none,
            "scheme": isApproved ? ["reference": scheme] : .none,
            "paymentInstrument": [
                "type": .string(command.details["instrument"] ?? "card/plain+masked"),
                "card": [
                    "number": ["last4Digits": .string(command.method.last4)], "brand": .string(command.method.network),
                ],
            ],
            "value": ["currency": .string(command.currency), "amount": .integer(command.amount)],
        ])
        return json.objectValue ?? []
    }

    private static func ownLink(_ authorization: Authorization) -> JSON.Member {
        let name = WorldpayIdentifier.text(.payment, authorization.id)
        return JSON.Member("self", ["href": .string("/paymentQueries/payments/" + name)])
    }

    private static func page(_ payments: [JSON], _ wire: PSPRequest, cursor: Int?) -> PSPReply {
        func href(_ cursor: Int?) -> JSON {
            var fields = wire.query.filter { cursor == nil || $0.name != "cursor" }
            if let cursor { fields.append(("cursor", String(cursor))) }
            let query = fields.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }
            return ["href": .string("/paymentQueries/payments?" + query.joined(separator: "&"))]
        }
        let links = JSON.object(omittingAbsent: ["self": href(nil), "next": cursor.map(href)])
        return reply(["_links": links, "_embedded": ["payments": .array(payments)]])
    }

    private static func reply(_ json: JSON) -> PSPReply {
        PSPReply(200, contentType: WorldpayRequest.queries, body: json.bytes)
    }
}
