import StrictJSON
import WireFormats

/// Queries of an account.
enum BraintreeQuery {
    /// What a query asks.
    static func ask(_ request: BraintreeRequest) -> Reply {
        .inquire(account: request.account) { view throws(Refusal) in
            var members: [JSON.Member] = []
            for root in request.call.roots {
                let value = try resolve(root, &view)
                members.append(JSON.Member(root.key, root.answer(value)))
            }
            return BraintreeAnswer.data(members)
        }
    }

    private static func resolve(_ root: GraphQLNode, _ view: inout BooksView) throws(Refusal) -> JSON {
        switch root.name {
        case "ping": return "pong"
        case "__typename": return "Query"
        case "node":
            guard let node = node(root.arguments["id"]?.stringValue ?? "", &view) else {
                throw BraintreeFault(
                    errorClass: "NOT_FOUND",
                    inputPath: "id",
                    message: "An object with this ID was not found."
                ).refusal
            }
            return node
        case "idFromLegacyId":
            let type = root.arguments["type"]?.stringValue?.lowercased() ?? ""
            let legacy = root.arguments["legacyId"]?.stringValue ?? ""
            guard let kind = BraintreeName.Kind(rawValue: type), let name = BraintreeName(kind, legacy: legacy) else {
                throw BraintreeFault(errorClass: "NOT_FOUND", inputPath: "legacyId", message: "Unknown ID.").refusal
            }
            return .string(name.global)
        default: return try search(root, &view)
        }
    }

    private static func node(_ id: String, _ view: inout BooksView) -> JSON? {
        guard let name = BraintreeName(id) else { return .none }
        switch name.kind {
        case .transaction:
            let found = view.authorization(name.number.authorizationIdentifier)
            return found.map { BraintreeTransaction($0, at: view.now).json() }
        case .refund:
            let found = view.operation(name.refundIdentifier)
            return found.map { BraintreeRefund($0.operation, of: $0.authorization, isFresh: false).json() }
        case .dispute:
            guard let found = view.authorization(name.number.authorizationIdentifier) else { return .none }
            let transaction = BraintreeTransaction(found, at: view.now)
            let dispute = found.disputes.map { BraintreeDispute($0, of: transaction) }.first { $0.name == name }
            return dispute?.json()
        }
    }

    private static func search(_ root: GraphQLNode, _ view: inout BooksView) throws(Refusal) -> JSON {
        var members = [JSON.Member("__typename", "Search")]
        for child in root.children where child.name != "__typename" {
            guard !members.contains(where: { $0.key == child.name }) else {
                throw .graphQL("This simulator runs one search of a kind a request.")
            }
            let search = try BraintreeSearch(.optional(child.arguments["input"]))
            let nodes: [JSON]
            let kind: String
            switch child.name {
            case "transactions": (nodes, kind) = (search.transactions(&view), "Transaction")
            case "refunds": (nodes, kind) = (search.refunds(&view), "Refund")
            default: (nodes, kind) = (search.payments(&view), "Payment")
            }
            members.append(JSON.Member(child.name, try BraintreePage(child.arguments).connection(nodes, of: kind)))
        }
        return .object(members)
    }
}

/// The criteria of a search; all of them must be met.
///
/// Empty texts, nulls and empty lists are no criteria (graphql guides, "Searching for Objects").
private struct BraintreeSearch: Sendable {
    private let criteria: JSON

    /// Reads criteria.
    ///
    /// - Throws: ``Refusal`` if an amount is none.
    init(_ criteria: JSON) throws(Refusal) {
        self.criteria = criteria
        let range = criteria["amount"]?["value"]
        for name in ["is", "greaterThanOrEqualTo", "lessThanOrEqualTo"] {
            guard let text = range?[name]?.stringValue, !text.isEmpty else { continue }
            guard BraintreeScalar.value("Amount", .string(text)) != nil else {
                throw BraintreeFault("81503", "Amount is an invalid format.", at: "input.amount.value.\(name)").refusal
            }
        }
    }

    /// The transactions that are meant, the latest first.
    func transactions(_ view: inout BooksView) -> [JSON] {
        let now = view.now
        return authorizations(&view).filter { matches(BraintreeTransaction($0, at: now)) }
            .map { BraintreeTransaction($0, at: now).json() }
    }

    /// The refunds that are meant, the latest first.
    func refunds(_ view: inout BooksView) -> [JSON] {
        var found: [BraintreeRefund] = []
        if let ids = identifiers {
            for name in ids.compactMap({ BraintreeName($0) }) where name.kind == .refund {
                guard let (operation, authorization) = view.operation(name.refundIdentifier) else { continue }
                found.append(BraintreeRefund(operation, of: authorization, isFresh: false))
            }
        } else {
            let all = authorizations(&view) { $0.refunds.contains(where: matches) }.flatMap { authorization in
                BraintreeTransaction(authorization, at: .max).refunds
            }
            found = all.filter { view.operation($0.operation.id) != nil }
        }
        return found.filter(matches).sorted { $0.operation.at > $1.operation.at }.map { $0.json() }
    }

    /// The transactions and refunds that are meant, the latest first.
    func payments(_ view: inout BooksView) -> [JSON] {
        let transactions = matchesText("type", "TRANSACTION") ? transactions(&view) : []
        let refunds = matchesText("type", "REFUND") ? refunds(&view) : []
        return (transactions + refunds).sorted {
            ($0["createdAt"]?.stringValue ?? "") > ($1["createdAt"]?.stringValue ?? "")
        }
    }

    /// Authorizations among which are all that are meant, the latest first.
    private func authorizations(
        _ view: inout BooksView,
        where isMeant: ((BraintreeTransaction) -> Bool)? = nil
    ) -> [Authorization] {
        let now = view.now
        var found: [Authorization]
        if let ids = identifiers {
            let names = ids.compactMap { BraintreeName($0) }.filter { $0.kind == .transaction }
            found = []
            for name in names {
                if let authorization = view.authorization(name.number.authorizationIdentifier) {
                    found.append(authorization)
                }
            }
        } else if let orderId = text("orderId", "is") {
            found = view.authorizations(reference: orderId)
            found += view.operations(reference: orderId).map(\.authorization)
        } else {
            found = view.authorizations { authorization in
                let transaction = BraintreeTransaction(authorization, at: now)
                return isMeant?(transaction) ?? matches(transaction)
            }
        }
        var seen: Set<String> = []
        return found.filter { seen.insert($0.id).inserted }.sorted { $0.createdAt > $1.createdAt }
    }

    /// The identifiers that are searched for; nil if there are none.
    private var identifiers: [String]? {
        if let id = text("id", "is") { return [id] }
        let all = criteria["id"]?["in"]?.arrayValue?.compactMap(\.stringValue) ?? []
        return all.isEmpty ? nil : all
    }

    private func matches(_ transaction: BraintreeTransaction) -> Bool {
        matches(
            status: transaction.status,
            orderId: transaction.orderId,
            merchantAccountId: transaction.merchantAccountId,
            createdAt: transaction.authorization.createdAt,
            disbursed: transaction.disbursed
        ) && matchesAmount(transaction.amount, transaction.authorization.command.currency)
            && matchesTransitions(transaction)
    }

    /// Whether a transaction came to each of the states within the times that are asked for.
    private func matchesTransitions(_ transaction: BraintreeTransaction) -> Bool {
        let wanted = (criteria["statusTransition"]?.objectValue ?? []).filter { !$0.value.isNull }
        guard !wanted.isEmpty else { return true }
        let history = transaction.json()["statusHistory"]?.arrayValue ?? []
        let states = [
            "failedAt": "FAILED", "settledAt": "SETTLED", "submittedForSettlementAt": "SUBMITTED_FOR_SETTLEMENT",
            "voidedAt": "VOIDED",
        ]
        return wanted.allSatisfy { member in
            history.contains { event in
                let time = event["timestamp"]?.stringValue?.prefix(19) ?? ""
                func bound(_ name: String) -> Substring? { member.value[name]?.stringValue?.prefix(19) }
                return event["status"]?.stringValue == states[member.key]
                    && bound("greaterThanOrEqualTo").map { $0 <= time } ?? true
                    && bound("lessThanOrEqualTo").map { $0 >= time } ?? true
            }
        }
    }

    private func matches(_ refund: BraintreeRefund) -> Bool {
        matches(
            status: refund.status,
            orderId: refund.orderId,
            merchantAccountId: refund.merchantAccountId,
            createdAt: refund.operation.at,
            disbursed: refund.disbursed
        ) && matchesAmount(refund.operation.amount, refund.authorization.command.currency)
    }

    private func matches(
        status: String,
        orderId: String?,
        merchantAccountId: String,
        createdAt: Int64,
        disbursed: String?
    ) -> Bool {
        let time = Moment.text(createdAt)
        return matchesText("status", status) && matchesText("orderId", orderId ?? "")
            && matchesText("merchantAccountId", merchantAccountId)
            && text("createdAt", "greaterThanOrEqualTo").map { $0.prefix(19) <= time } ?? true
            && text("createdAt", "lessThanOrEqualTo").map { $0.prefix(19) >= time } ?? true
            && text("disbursementDate", "is").map { $0 == disbursed } ?? true
            && text("disbursementDate", "greaterThanOrEqualTo").map { $0 <= disbursed ?? "" } ?? true
            && text("disbursementDate", "lessThanOrEqualTo").map { $0 >= disbursed ?? "~" } ?? true
    }

    private func matchesText(_ name: String, _ value: String) -> Bool {
        let words = criteria[name]?["in"]?.arrayValue?.compactMap(\.stringValue) ?? []
        return text(name, "is").map { $0 == value } ?? true && text(name, "isNot").map { $0 != value } ?? true
            && text(name, "startsWith").map { value.hasPrefix($0) } ?? true
            && text(name, "endsWith").map { value.hasSuffix($0) } ?? true
            && text(name, "contains").map { value.contains($0) } ?? true && (words.isEmpty || words.contains(value))
    }

    private func matchesAmount(_ amount: Int64, _ currency: String) -> Bool {
        let range = criteria["amount"]?["value"]
        let decimals = BraintreeAmount.decimals(of: currency)
        func bound(_ name: String) -> Int64?? {
            guard let text = range?[name]?.stringValue, !text.isEmpty else { return nil }
            return .some(BraintreeAmount.minor(text, decimals: decimals))
        }
        let isInRange =
            bound("is").map { $0 == amount } ?? true
            && bound("greaterThanOrEqualTo").map { $0.map { $0 <= amount } ?? false } ?? true
            && bound("lessThanOrEqualTo").map { $0.map { $0 >= amount } ?? false } ?? true
        let codes = ["currencyCode", "currencyIsoCode"].compactMap { criteria["amount"]?[$0]?["is"]?.stringValue }
        return isInRange && codes.allSatisfy { $0.isEmpty || $0 == currency }
    }

    /// A text of a criterion; nil if it is empty, and so none.
    private func text(_ name: String, _ comparison: String) -> String? {
        guard let text = criteria[name]?[comparison]?.stringValue, !text.isEmpty else { return nil }
        return text
    }
}

/// Which part of a search's result is asked for (graphql guides, "Connections and Pagination").
private struct BraintreePage {
    /// How many are answered unless fewer are asked for.
    static let standard: Int64 = 50

    private let first: Int64
    private let after: String?

    /// Reads `first` and `after`.
    ///
    /// - Throws: ``Refusal`` if `first` is not positive.
    init(_ arguments: JSON) throws(Refusal) {
        first = min(arguments["first"]?.integerValue ?? Self.standard, Self.standard)
        after = arguments["after"]?.stringValue
        guard first > 0 else {
            throw BraintreeFault(
                errorClass: "VALIDATION",
                inputPath: "first",
                message: "first must be greater than zero."
            ).refusal
        }
    }

    /// The page of objects that have an `id`.
    func connection(_ nodes: [JSON], of kind: String) -> JSON {
        let start = nodes.firstIndex { Self.cursor($0) == after }.map { $0 + 1 } ?? 0
        let page = nodes[start...].prefix(Int(first))
        return [
            "__typename": .string("\(kind)Connection"),
            "edges": .array(
                page.map { node in
                    [
                        "__typename": .string("\(kind)ConnectionEdge"), "cursor": .optional(Self.cursor(node)),
                        "node": node,
                    ]
                }
            ),
            "pageInfo": [
                "__typename": "PageInfo", "hasNextPage": .bool(page.endIndex < nodes.endIndex),
                "hasPreviousPage": false, "startCursor": .optional(page.first.flatMap(Self.cursor)),
                "endCursor": .optional(page.last.flatMap(Self.cursor)),
            ],
        ]
    }

    private static func cursor(_ node: JSON) -> String? {
        node["id"]?.stringValue.map { Base64.encode(Array($0.utf8)) }
    }
}
