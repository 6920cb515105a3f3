import StrictJSON

/// What became of payments.
struct StripeInquiries: Sendable {
    let drafts: StripeDrafts

    /// `GET /v1/payment_intents/{intent}`.
    func payment(_ request: PSPRequest) throws(Refusal) -> Ask {
        let account = try StripeRequester.account(of: request)
        let id = request.parameter("intent")
        var draft: JSON?
        if let found = drafts.draft(id, of: account) {
            let requester = Requester(account: account, key: nil)
            draft = StripeDocument.payment(found, try StripeWish(found.form, by: requester))
        }
        return .inquire(account: account) { [draft] view throws(Refusal) in
            if let found = view.authorization(StripeDocument.bookName(payment: id)) {
                return PSPReply(
                    200,
                    StripeDocument.payment(found, request.origin, expanding: Self.expansions(request))
                )
            }
            guard let draft else { throw .notFound }
            return PSPReply(200, draft)
        }
    }

    /// `GET /v1/payment_intents`, the newest first.
    func payments(_ request: PSPRequest) throws(Refusal) -> Ask {
        let page = try StripePage(request)
        return .inquire(account: try StripeRequester.account(of: request)) { view in
            let found = view.authorizations { _ in true }.reversed()
            return page.reply(Self.list(Array(found), request), at: "/v1/payment_intents")
        }
    }

    /// `GET /v1/payment_intents/search`, the newest first.
    func search(_ request: PSPRequest) throws(Refusal) -> Ask {
        let account = try StripeRequester.account(of: request)
        let page = try StripePage(request)
        guard let text = request.query("query") else {
            throw Refusal(400, "parameter_missing", "Missing required param: query.")
        }
        let query = try StripeQuery(text)
        return .inquire(account: account) { view in
            let found = view.authorizations(where: query.matches).reversed()
            var reply = page.reply(Self.list(Array(found), request), at: "/v1/payment_intents/search")
            reply.body = Self.searchResult(reply.body)
            return reply
        }
    }

    /// `GET /v1/charges` of a payment, the newest first.
    func charges(_ request: PSPRequest) throws(Refusal) -> Ask {
        let page = try StripePage(request)
        let payment = request.query("payment_intent").map(StripeDocument.bookName(payment:))
        return .inquire(account: try StripeRequester.account(of: request)) { view in
            let found = view.authorizations { authorization in
                authorization.status != .requiresAction
                    && (payment.map { $0 == authorization.id || $0 == authorization.command.identifier } ?? true)
            }
            return page.reply(found.reversed().map(StripeDocument.charge), at: "/v1/charges")
        }
    }

    /// `GET /v1/charges/{charge}`.
    func charge(_ request: PSPRequest) throws(Refusal) -> Ask {
        .inquire(account: try StripeRequester.account(of: request)) { view throws(Refusal) in
            let id = StripeDocument.bookName(charge: request.parameter("charge"))
            guard let found = view.authorization(id), found.status != .requiresAction else { throw .notFound }
            return PSPReply(200, StripeDocument.charge(found))
        }
    }

    /// `GET /v1/disputes` of a payment or a charge.
    func disputes(_ request: PSPRequest) throws(Refusal) -> Ask {
        let page = try StripePage(request)
        let payment = request.query("payment_intent").map(StripeDocument.bookName(payment:))
        let charge = request.query("charge").map(StripeDocument.bookName(charge:))
        return .inquire(account: try StripeRequester.account(of: request)) { view in
            let meant = view.authorizations { authorization in
                !authorization.disputes.isEmpty
                    && [payment, charge].allSatisfy { name in
                        name.map { $0 == authorization.id || $0 == authorization.command.identifier } ?? true
                    }
            }
            let found = meant.flatMap { authorization in
                authorization.disputes.map { StripeDocument.dispute($0, of: authorization) }
            }
            return page.reply(found.reversed(), at: "/v1/disputes")
        }
    }

    /// `GET /v1/disputes/{dispute}`.
    func dispute(_ request: PSPRequest) throws(Refusal) -> Ask {
        let id = request.parameter("dispute")
        return .inquire(account: try StripeRequester.account(of: request)) { view throws(Refusal) in
            let meant = view.authorizations { authorization in
                authorization.disputes.contains { StripeDocument.disputeName($0) == id }
            }
            guard let authorization = meant.first,
                let found = authorization.disputes.first(where: { StripeDocument.disputeName($0) == id })
            else { throw .notFound }
            return PSPReply(200, StripeDocument.dispute(found, of: authorization))
        }
    }

    private static func list(_ found: [Authorization], _ request: PSPRequest) -> [JSON] {
        let expansions = Set(expansions(request).compactMap { $0.hasPrefix("data.") ? String($0.dropFirst(5)) : nil })
        return found.map { StripeDocument.payment($0, request.origin, expanding: expansions) }
    }

    private static func expansions(_ request: PSPRequest) -> Set<String> {
        Set(request.query.filter { $0.name.hasPrefix("expand[") }.map(\.value))
    }

    /// A list as a search calls it.
    private static func searchResult(_ body: [UInt8]) -> [UInt8] {
        guard let json = try? JSON.parse(body), let data = json["data"], let hasMore = json["has_more"] else {
            return body
        }
        let result: JSON = [
            "object": "search_result", "data": data, "has_more": hasMore, "next_page": nil,
            "url": "/v1/payment_intents/search",
        ]
        return result.bytes
    }
}
