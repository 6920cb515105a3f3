import StrictJSON

/// What became of payments.
struct StripeInquiries: Sendable {
    let drafts: StripeDrafts

    /// `GET /v1/payment_intents/{intent}`.
    func payment(_ request: PSPRequest) throws(Refusal) -> Reply {
        let account = try StripeRequester.account(of: request)
        let id = request.parameter("intent")
        var draft: JSON?
        if let found = drafts.draft(id, of: account) {
            let requester = Requester(account: account, key: nil)
            draft = StripeDocument.payment(found, try StripePaymentRequest(found.form, by: requester))
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
    func payments(_ request: PSPRequest) throws(Refusal) -> Reply {
        let page = try StripePage(request)
        return .inquire(account: try StripeRequester.account(of: request)) { view in
            let found = view.authorizations { _ in true }.reversed()
            return page.reply(Self.list(Array(found), request), at: "/v1/payment_intents")
        }
    }

    /// `GET /v1/payment_intents/search`, the newest first.
    func search(_ request: PSPRequest) throws(Refusal) -> Reply {
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
    func charges(_ request: PSPRequest) throws(Refusal) -> Reply {
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
    func charge(_ request: PSPRequest) throws(Refusal) -> Reply {
        .inquire(account: try StripeRequester.account(of: request)) { view throws(Refusal) in
            let id = StripeDocument.bookName(charge: request.parameter("charge"))
            guard let found = view.authorization(id), found.status != .requiresAction else { throw .notFound }
            return PSPReply(200, StripeDocument.charge(found))
        }
    }

    /// `GET /v1/disputes` of a payment or a charge.
    func disputes(_ request: PSPRequest) throws(Refusal) -> Reply {
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

    /// `GET /v1/events`, the newest first.
    func events(_ request: PSPRequest) throws(Refusal) -> Reply {
        let page = try StripePage(request)
        let since = request.query("created[gte]") ?? "0"
        guard let seconds = Int64(since), 0...4_102_444_800 ~= seconds else {
            throw Refusal(400, "parameter_invalid_integer", "Invalid integer: created[gte]")
        }
        return .inquire(account: try StripeRequester.account(of: request)) { view in
            let found = view.events(since: seconds * 1000)
                .flatMap { StripeEvents.notices(of: $0, origin: request.origin) }.map(\.document)
            return page.reply(found.reversed(), at: "/v1/events")
        }
    }

    /// `GET /v1/disputes/{dispute}`.
    func dispute(_ request: PSPRequest) throws(Refusal) -> Reply {
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
            "object": "search_result", "data": data, "has_more": hasMore, "next_page": .null,
            "url": "/v1/payment_intents/search",
        ]
        return result.bytes
    }
}

/// A query of Stripe's search (docs.stripe.com/search, read 2026): clauses joined by `AND`.
private struct StripeQuery: Sendable {
    /// One clause.
    private enum Clause: Sendable {
        case metadata(String, String)
        case status(String)
        case currency(String)
    }

    private let clauses: [Clause]

    /// Reads a query of `metadata['name']:'value'`, `status:'…'` and `currency:'…'`.
    ///
    /// - Throws: ``Refusal`` if it is none.
    init(_ text: String) throws(Refusal) {
        var clauses: [Clause] = []
        var rest = text[...]
        repeat {
            guard let clause = Self.clause(&rest) else {
                throw .invalid("We were unable to parse your search query.")
            }
            clauses.append(clause)
        } while Self.skip(" AND ", &rest)
        guard rest.isEmpty else { throw .invalid("We were unable to parse your search query.") }
        self.clauses = clauses
    }

    /// Whether a payment is what the query looks for.
    func matches(_ authorization: Authorization) -> Bool {
        clauses.allSatisfy { clause in
            switch clause {
            case .metadata(let name, let value): authorization.command.metadata[name] == value
            case .status(let word): StripeDocument.status(authorization) == word
            case .currency(let code): authorization.command.currency == code.uppercased()
            }
        }
    }

    private static func clause(_ rest: inout Substring) -> Clause? {
        if skip("metadata[", &rest) {
            guard let name = quoted(&rest), skip("]:", &rest), let value = quoted(&rest) else { return nil }
            return .metadata(name, value)
        }
        if skip("status:", &rest) { return quoted(&rest).map(Clause.status) }
        if skip("currency:", &rest) { return quoted(&rest).map(Clause.currency) }
        return nil
    }

    private static func skip(_ text: String, _ rest: inout Substring) -> Bool {
        guard rest.hasPrefix(text) else { return false }
        rest = rest.dropFirst(text.count)
        return true
    }

    /// A text in single or double quotes, with a backslash before those inside.
    private static func quoted(_ rest: inout Substring) -> String? {
        guard let quote = rest.popFirst(), quote == "'" || quote == "\"" else { return nil }
        var text = ""
        while let character = rest.popFirst() {
            if character == quote { return text }
            if character == "\\" {
                guard let escaped = rest.popFirst() else { return nil }
                text.append(escaped)
            } else {
                text.append(character)
            }
        }
        return nil
    }
}

/// A part of a list, by `limit` and `starting_after`.
private struct StripePage: Sendable {
    private let limit: Int
    private let startingAfter: String?

    /// Reads the query.
    ///
    /// - Throws: ``Refusal`` if the limit is not 1 to 100.
    init(_ request: PSPRequest) throws(Refusal) {
        let text = request.query("limit") ?? "10"
        guard let limit = Int(text), 1...100 ~= limit else {
            throw Refusal(400, "parameter_invalid_integer", "Invalid integer: limit")
        }
        self.limit = limit
        startingAfter = request.query("starting_after")
    }

    /// The part of what was found.
    func reply(_ found: [JSON], at path: String) -> PSPReply {
        var rest = found[...]
        if let startingAfter {
            rest = rest.drop { $0["id"]?.stringValue != startingAfter }.dropFirst()
        }
        return PSPReply(
            200,
            StripeDocument.list(Array(rest.prefix(limit)), at: path, hasMore: rest.count > limit)
        )
    }
}

/// Refunds.
enum StripeRefunds {
    /// `POST /v1/refunds`.
    static func create(_ request: PSPRequest) throws(Refusal) -> Reply {
        let requester = try StripeRequester.requester(request)
        let form = try StripeForm(request, knowing: parameters)
        let reason = form.fields.value("reason")
        guard reason.map({ ["duplicate", "fraudulent", "requested_by_customer"].contains($0) }) ?? true else {
            throw .invalid("Invalid reason.")
        }
        let metadata = try form.metadata()
        var change = ChangeCommand(
            .refund,
            of: .id(try payment(named: form)),
            reference: StripeForm.reference(in: metadata, words: ["operation", "reference"], else: requester.key),
            amount: try form.integer("amount", atLeast: 1)
        )
        change.metadata = metadata
        change.details["reason"] = reason
        for name in ["refund_application_fee", "reverse_transfer"] where try form.bool(name) == true {
            change.details[name] = "true"
        }
        return .change(change, by: requester) { operation, authorization in
            let expansions = form.expansions
            return PSPReply(
                200,
                StripeDocument.refund(operation, of: authorization, expanding: expansions, request.origin)
            )
        }
    }

    /// `GET /v1/refunds/{refund}`.
    static func retrieve(_ request: PSPRequest) throws(Refusal) -> Reply {
        .inquire(account: try StripeRequester.account(of: request)) { view throws(Refusal) in
            let found = view.operation(StripeDocument.bookName(refund: request.parameter("refund")))
            guard let found, found.operation.kind == .refund else { throw .notFound }
            return PSPReply(200, StripeDocument.refund(found.operation, of: found.authorization))
        }
    }

    /// `GET /v1/refunds` of a payment or a charge, the newest first.
    static func list(_ request: PSPRequest) throws(Refusal) -> Reply {
        let account = try StripeRequester.account(of: request)
        let page = try StripePage(request)
        let payment = request.query("payment_intent").map(StripeDocument.bookName(payment:))
        let charge = request.query("charge").map(StripeDocument.bookName(charge:))
        return .inquire(account: account) { view in
            let meant = view.authorizations { authorization in
                let isMeant = [payment, charge].allSatisfy { name in
                    name.map { $0 == authorization.id || $0 == authorization.command.identifier } ?? true
                }
                return isMeant && authorization.operations.contains { $0.kind == .refund }
            }
            let refunds = meant.flatMap { authorization in
                authorization.operations.filter { $0.kind == .refund }.map { ($0, authorization) }
            }
            let newest = refunds.sorted { ($0.0.at, $0.0.id) > ($1.0.at, $1.0.id) }
            return page.reply(newest.map { StripeDocument.refund($0.0, of: $0.1) }, at: "/v1/refunds")
        }
    }

    private static func payment(named form: StripeForm) throws(Refusal) -> String {
        if let id = form.fields.value("payment_intent") { return StripeDocument.bookName(payment: id) }
        if let id = form.fields.value("charge") { return StripeDocument.bookName(charge: id) }
        throw Refusal(
            400,
            "parameter_missing",
            "One of the following params should be provided: payment_intent or charge."
        )
    }

    private static let parameters: Set<String> = [
        "amount", "charge", "currency", "customer", "expand", "instructions_email", "metadata", "origin",
        "payment_intent", "reason", "refund_application_fee", "reverse_transfer",
    ]
}
