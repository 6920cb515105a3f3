import StrictJSON

/// The criteria of a search; all of them must be met.
///
/// Empty texts, nulls and empty lists are no criteria (graphql guides, "Searching for Objects").
struct BraintreeSearch: Sendable {
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
