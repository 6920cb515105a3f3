import StrictJSON
import WireFormats

/// The Payment Queries API, version 1: how a payment whose answer was lost is found.
enum WorldpayQueries {
    /// `GET /paymentQueries/payments`: by the caller's reference, or of a time.
    static func search(_ wire: PSPRequest) throws(Refusal) -> Reply {
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
    static func payment(_ wire: PSPRequest) throws(Refusal) -> Reply {
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

/// Which payments a query of a time finds.
private struct WorldpayQueryFilter: Sendable {
    /// How many payments come before the page.
    let cursor: Int
    /// How many payments a page has at most.
    let pageSize: Int
    private let start: String
    private let end: String
    private let fields: [String: String]
    private let leastAmount: Int64
    private let greatestAmount: Int64

    /// Reads a query.
    ///
    /// - Throws: ``Refusal`` if it has no time, or a value is wrong.
    init(_ wire: PSPRequest) throws(Refusal) {
        guard let start = wire.query("startDate"), Self.isMoment(start) else { throw Self.invalid("StartDate") }
        guard let end = wire.query("endDate"), Self.isMoment(end) else { throw Self.invalid("EndDate") }
        self.start = start
        self.end = end
        let size = try Self.integer("pageSize", "PageSize", wire) ?? 20
        guard 1...300 ~= size else { throw Self.invalid("PageSize") }
        pageSize = Int(size)
        cursor = Int(try Self.integer("cursor", "Cursor", wire).map { min(max($0, 0), 1_000_000) } ?? 0)
        leastAmount = try Self.integer("minAmount", "MinAmount", wire) ?? 0
        greatestAmount = try Self.integer("maxAmount", "MaxAmount", wire) ?? .max
        fields = Dictionary(wire.query.map { ($0.name, $0.value) }) { first, _ in first }
        if let last4 = fields["last4Digits"], last4.utf8.count != 4 || Int(last4) == nil {
            throw Self.invalid("Last4Digits")
        }
    }

    /// Whether the query finds the payment.
    func takes(_ authorization: Authorization) -> Bool {
        let command = authorization.command
        let moment = Moment.text(authorization.createdAt) + "Z"
        guard start <= moment, moment <= end, leastAmount <= command.amount, command.amount <= greatestAmount,
            command.currency == fields["currency"] ?? command.currency,
            command.method.last4 == fields["last4Digits"] ?? command.method.last4
        else { return false }
        let entities = words("entityReferences")
        let events = words("receivedEvents")
        let names = WorldpayHistory(authorization).entries.map(\.name)
        return (entities.isEmpty || entities.contains(command.metadata["entity"] ?? ""))
            && (events.isEmpty || names.contains(where: events.contains))
    }

    private func words(_ name: String) -> [String] {
        (fields[name] ?? "").split(separator: ",").map { String($0.drop { $0 == " " }) }
    }

    /// A moment to the second, in UTC.
    private static func isMoment(_ text: String) -> Bool {
        let digits = text.map { $0.isASCII && $0.isNumber ? "0" : String($0) }.joined()
        return digits == "0000-00-00T00:00:00Z"
    }

    private static func integer(_ name: String, _ word: String, _ wire: PSPRequest) throws(Refusal) -> Int64? {
        guard let text = wire.query(name) else { return nil }
        guard let number = Int64(text) else { throw invalid(word) }
        return number
    }

    private static func invalid(_ word: String) -> Refusal {
        Refusal(400, "invalid" + word, "Provided value is missing or not valid.")
    }
}
