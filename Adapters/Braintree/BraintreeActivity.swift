package import AdapterKit
import Domain
import StrictJSON

/// What Braintree finds of what happened: transactions that were made, submitted for settlement or voided since, then refunds
/// that were made, each as it stands.
///
/// It finds objects, not the events that webhooks tell, so that what was told is told again, under a name of its own; the
/// orders take no harm of that. Source: Braintree's GraphQL reference, `TransactionSearchInput`,
/// `SearchTransactionStatusTransitionInput` and `RefundSearchInput`. What fails later, and disputes, it tells by webhook
/// alone.
extension BraintreeAdapter: ActivityListing {
    /// As far as Braintree knows.
    package static let activityReachMilliseconds: Int64? = nil

    /// One search behind the other, in pages.
    package func listing(_ query: ActivityQuery) -> WireRequest {
        let place = BraintreePlace(query.cursor)
        return requests.search(place.search, since: query.since, behind: place.cursor)
    }

    /// Reads a page; the page behind the last one of a search is the first of the next search.
    package func activity(_ reply: WireReply, to query: ActivityQuery) -> ActivityReading {
        let place = BraintreePlace(query.cursor)
        let found: JSON
        switch BraintreeReply(reply, answeredAs: BraintreeRequests.listName) {
        case .result(let search): found = search[place.search.field] ?? .null
        case .refusal(let refusal): return .refused(refusal.sentence)
        case .doubt(let reason): return .refused(reason)
        }
        guard let edges = found["edges"]?.arrayValue, let hasMore = found["pageInfo"]?["hasNextPage"]?.boolValue else {
            return .refused("Braintree answered something else than what was searched for.")
        }
        var events: [WebhookEvent] = []
        for node in edges.map({ $0["node"] ?? .null }) {
            guard let event = place.search == .refunds ? refund(node) : transaction(node) else {
                return .refused("Braintree found something that is none of what was searched for.")
            }
            events.append(event)
        }
        guard hasMore else { return .page(events, next: place.search.next.map { BraintreePlace($0, nil).text }) }
        guard let cursor = found["pageInfo"]?["endCursor"]?.stringValue, !cursor.isEmpty else {
            return .refused("Braintree's search goes on behind nothing.")
        }
        return .page(events, next: BraintreePlace(place.search, cursor).text)
    }

    /// A transaction as the event that would tell of it as it is now; nil if it is none.
    private func transaction(_ json: JSON) -> WebhookEvent? {
        guard let transaction = Transaction(json) else { return nil }
        var event = event(transaction.legacyID, json)
        guard let attempt = transaction.orderID.flatMap({ AttemptID($0) }), let happening = happening(transaction)
        else { return event }
        let isBeginning = if case .outcome(.authorize, _) = happening { true } else { happening == .lapsed }
        let subject = Notice.Subject(
            attempt: attempt.text,
            payment: transaction.legacyID,
            object: isBeginning ? nil : transaction.legacyID
        )
        let moment = json["createdAt"]?.stringValue.flatMap(Timestamp.init(rfc3339:))
        event.notices = [Notice(about: subject, happening, at: isBeginning ? moment : nil)]
        event.currency = transaction.amount.currency
        return event
    }

    /// What a transaction's status says; nil for one that leaves open what happened.
    ///
    /// A captured payment is told as a capture, whether a sale or a capture of its own took it: that it was approved is
    /// implied.
    private func happening(_ transaction: Transaction) -> Notice.Happening? {
        let amount = transaction.amount.minorUnits
        var done = Success(reference: transaction.legacyID, amount: amount, state: transaction.id)
        switch transaction.status {
        case .authorized:
            done.expiresAt = transaction.authorization?.authorizationExpiresAt
            (done.network, done.last4) = (transaction.network, transaction.last4)
            return .outcome(.authorize, .succeeded(done))
        case .authorizing:
            let progress = Progress(reference: transaction.legacyID, state: transaction.id)
            return .outcome(.authorize, .pending(progress))
        case .submittedForSettlement, .settling, .settled, .settlementPending:
            done.capturedAmount = amount
            return .outcome(.capture, .succeeded(done))
        case .voided: return .outcome(.void, .succeeded(Success(reference: transaction.legacyID, amount: amount)))
        case .authorizationExpired: return .lapsed
        case .processorDeclined: return .outcome(.authorize, .declined(transaction.decline))
        case .gatewayRejected where !transaction.isDuplicate:
            return .outcome(.authorize, .declined(transaction.decline))
        case .failed where transaction.authorization == nil:
            return .outcome(.authorize, .declined(transaction.decline))
        case .settlementDeclined:
            let code = transaction.latest?.processorCode ?? "SETTLEMENT_DECLINED"
            let message = "The capture was accepted and then failed: \(code)."
            return .reversed(.capture, Rejection(.unsupported, code: code, message: message))
        case .gatewayRejected, .failed, .settlementConfirmed, nil: return nil
        }
    }

    /// A refund as the event that would tell of it as it is now; nil if it is none.
    private func refund(_ json: JSON) -> WebhookEvent? {
        guard let refund = RefundObject(json) else { return nil }
        var event = event(refund.legacyID, json)
        guard let payment = json["refundedTransaction"]?["legacyId"]?.stringValue, Word.isIdentifier(payment) else {
            return event
        }
        let happening: Notice.Happening
        switch refund.status {
        case .submittedForSettlement, .settling, .settled, .settlementPending:
            let done = Success(reference: refund.legacyID, amount: refund.amount.minorUnits)
            happening = .outcome(.refund, .succeeded(done))
        case .processorDeclined, .failed, .settlementDeclined, .voided:
            let code = refund.processorCode ?? refund.status?.rawValue ?? ""
            let message = "The refund was accepted and then failed: \(code)."
            happening = .reversed(.refund, Rejection(.unsupported, code: code, message: message))
        default: return event
        }
        let subject = Notice.Subject(
            operation: refund.orderID.flatMap { OperationID($0) }?.text,
            payment: payment,
            object: refund.legacyID
        )
        event.notices = [Notice(about: subject, happening)]
        event.currency = refund.amount.currency
        return event
    }

    /// The event of an object, with what it is called and whose it is.
    private func event(_ name: String, _ json: JSON) -> WebhookEvent {
        let status = json["status"]?.stringValue.flatMap(Word.init)?.text ?? ""
        let account = json["merchantAccountId"]?.stringValue
        let owner = account.map { ownAccounts.contains($0) ? NoticeAccount.platform($0) : .merchant($0) }
        return WebhookEvent(id: "list.\(name).\(status)", type: "list.\(status)", merchantAccount: owner ?? .platform())
    }
}

/// A place in the searches that are read one behind the other.
struct BraintreePlace {
    /// A search, by what is searched for.
    enum Search: String, CaseIterable {
        case created, submitted, voided, refunds

        /// The field of the answer that has what was found.
        var field: String { self == .refunds ? "refunds" : "transactions" }

        /// The search behind it; nil behind the last one.
        var next: Search? {
            let all = Self.allCases
            return all.firstIndex(of: self).flatMap { $0 + 1 < all.count ? all[$0 + 1] : nil }
        }

        /// What is searched for: what came about at a moment or later.
        func criteria(_ moment: String) -> JSON {
            let range: JSON = ["greaterThanOrEqualTo": .string(moment)]
            return switch self {
            case .created, .refunds: ["createdAt": range]
            case .submitted: ["statusTransition": ["submittedForSettlementAt": range]]
            case .voided: ["statusTransition": ["voidedAt": range]]
            }
        }
    }

    /// The search.
    let search: Search
    /// Braintree's cursor in it; nil for its first page.
    let cursor: String?

    init(_ search: Search, _ cursor: String?) { (self.search, self.cursor) = (search, cursor) }

    /// The place that a text names; the first of all for nil, and for what names none.
    init(_ text: String?) {
        let parts = (text ?? "").utf8.split(separator: UInt8(ascii: " "), maxSplits: 1).map { String(Substring($0)) }
        search = parts.first.flatMap { Search(rawValue: $0) } ?? .created
        cursor = parts.count == 2 ? parts[1] : nil
    }

    /// The place as a text.
    var text: String { search.rawValue + (cursor.map { " " + $0 } ?? "") }
}
