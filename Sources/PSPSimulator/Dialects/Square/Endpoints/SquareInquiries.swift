import StrictJSON

/// What became of payments.
struct SquareInquiries: Sendable {
    let document: SquareDocument

    /// `GET /v2/payments/{payment_id}`.
    func payment(_ request: PSPRequest) throws(Refusal) -> Ask {
        let account = try SquareBody.account(of: request)
        guard let id = SquareName.bookName(payment: request.parameter("payment")) else { throw .notFound }
        return .inquire(account: account) { view throws(Refusal) in
            guard let found = view.authorization(id) else { throw .notFound }
            return PSPReply(200, ["payment": document.payment(found)])
        }
    }

    /// `GET /v2/payments`, of one location: the main one, which is that of the first payment, unless one is named.
    func payments(_ request: PSPRequest) throws(Refusal) -> Ask {
        let account = try SquareBody.account(of: request)
        let page = try SquarePage(
            request,
            knowing: [
                "location_id", "total", "last_4", "card_brand", "is_offline_payment", "offline_begin_time",
                "offline_end_time",
            ]
        )
        let total = request.query("total").map { Int64($0) }
        if let total, total == nil {
            throw SquareError.refusal("EXPECTED_INTEGER", field: "total", "Expected an integer value.")
        }
        return .inquire(account: account) { view throws(Refusal) in
            var location = request.query("location_id")
            var entries: [SquarePage.Entry] = []
            view.survey { authorization in
                location = location ?? SquareDocument.location(authorization)
                let facts: [(asked: String?, actual: String)] = [
                    (location, SquareDocument.location(authorization)),
                    (request.query("total"), String(document.total(of: authorization))),
                    (request.query("last_4"), authorization.command.method.last4),
                    (request.query("card_brand"), SquareDocument.brand(authorization)),
                    (request.query("is_offline_payment"), "false"),
                ]
                guard facts.allSatisfy({ $0.asked ?? $0.actual == $0.actual }) else { return }
                entries.append(
                    SquarePage.Entry(
                        name: SquareName.payment(authorization.id),
                        createdAt: authorization.createdAt,
                        updatedAt: document.updatedAt(authorization),
                        id: authorization.id
                    )
                )
            }
            let (part, cursor) = try page.part(of: entries, at: view.now)
            let found = part.compactMap { view.authorization($0.id) }
            return SquarePage.reply("payments", found.map { document.payment($0) }, cursor: cursor)
        }
    }

    /// `GET /v2/disputes`.
    func disputes(_ request: PSPRequest) throws(Refusal) -> Ask {
        let account = try SquareBody.account(of: request)
        let page = try SquarePage(request, knowing: ["states", "location_id"], usual: ["cursor"])
        let states = request.query.filter { $0.name == "states" }.flatMap { $0.value.split(separator: ",") }
        return .inquire(account: account) { view throws(Refusal) in
            let disputed = view.authorizations { authorization in
                let location = SquareDocument.location(authorization)
                return !authorization.disputes.isEmpty && request.query("location_id") ?? location == location
            }
            var documents: [String: JSON] = [:]
            var entries: [SquarePage.Entry] = []
            for authorization in disputed {
                let meant = authorization.disputes.filter { dispute in
                    states.isEmpty || states.contains { $0 == SquareDocument.state(dispute) }
                }
                for dispute in meant {
                    let name = SquareName.dispute(dispute.id)
                    documents[name] = document.dispute(dispute, of: authorization)
                    entries.append(
                        SquarePage.Entry(name: name, createdAt: dispute.at, updatedAt: dispute.at, id: dispute.id)
                    )
                }
            }
            let (part, cursor) = try page.part(of: entries, at: view.now)
            return SquarePage.reply("disputes", part.compactMap { documents[$0.name] }, cursor: cursor)
        }
    }

    /// `GET /v2/disputes/{dispute_id}`.
    func dispute(_ request: PSPRequest) throws(Refusal) -> Ask {
        let account = try SquareBody.account(of: request)
        let name = request.parameter("dispute")
        return .inquire(account: account) { view throws(Refusal) in
            let meant = view.authorizations { authorization in
                authorization.disputes.contains { SquareName.dispute($0.id) == name }
            }
            guard let authorization = meant.first,
                let found = authorization.disputes.first(where: { SquareName.dispute($0.id) == name })
            else { throw .notFound }
            return PSPReply(200, ["dispute": document.dispute(found, of: authorization)])
        }
    }
}

extension BooksView {
    /// Shows every authorization of the account, the oldest first, without finding any: no trigger applies.
    mutating func survey(_ look: (Authorization) -> Void) {
        _ = authorizations { authorization in
            look(authorization)
            return false
        }
    }
}
