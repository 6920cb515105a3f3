package import AdapterKit
import Domain
import StrictJSON

/// What Authorize.Net lists of what happened: all that has not settled, then the batches that settled since, as their
/// transactions stand.
///
/// It lists transactions, not the events that webhooks tell, so that what was told is told again, under a name of its own;
/// the orders take no harm of that. A list does not say which payment a refund gives back, so that of refunds only those are
/// told that carry the name of an operation of ours. Source: `getUnsettledTransactionListRequest`,
/// `getSettledBatchListRequest` and `getTransactionListRequest` of Authorize.Net's schema.
extension AuthorizeNetAdapter: ActivityListing {
    /// 30 days: Authorize.Net lists the batches of 31 at once, and a hold that did not settle lapses after 30.
    package static let activityReachMilliseconds: Int64? = 30 * 24 * 3_600_000

    /// One page of transactions, or the list of batches.
    package func listing(_ query: ActivityQuery) -> WireRequest {
        requests.list(ActivityPlace(query.cursor).page(since: query.since), reference: nil)
    }

    /// Reads a page.
    package func activity(_ reply: WireReply, to query: ActivityQuery) -> ActivityReading {
        let place = ActivityPlace(query.cursor)
        let json: JSON
        switch AuthorizeNetReply(reply, reference: nil) {
        case .ok(let object): json = object
        case .error(let code, _): return .refused("Authorize.Net answered \(code).")
        case .doubt(let reason): return .refused(reason)
        }
        if place == .batches {
            guard let batches = AuthorizeNetBatch.list(json) else {
                return .refused("Authorize.Net answered something else than a list of batches.")
            }
            return .page([], next: ActivityPlace.first(of: batches.map(\.id))?.text)
        }
        guard let list = TransactionSummary.list(json) else {
            return .refused("Authorize.Net answered something else than a list of transactions.")
        }
        let isFull = list.count >= TransactionSearch.pageSize
        return .page(list.compactMap(event), next: place.next(isFull: isFull)?.text)
    }

    /// A transaction as the event that would tell of it as it is now; nil if it says nothing of a payment of ours.
    private func event(_ summary: TransactionSummary) -> WebhookEvent? {
        guard let status = summary.status, let name = summary.invoiceNumber else { return nil }
        let (attempt, operation) = (ShortName.attempt(name), ShortName.operation(name))
        guard status.isRefund ? operation != nil : attempt != nil else { return nil }
        var event = WebhookEvent(id: "list.\(summary.id).\(status.rawValue)", type: "list.\(status.rawValue)")
        guard let amount = AccountCurrency.minorUnits(summary.settled, in: currency), amount > 0 else {
            event.problem = "list: transaction \(summary.id) has no amount"
            return event
        }
        guard let happening = happening(status, summary.id, amount) else { return nil }
        let subject = Notice.Subject(
            attempt: status.isRefund ? nil : attempt?.text,
            operation: status.isRefund ? operation?.text : nil,
            payment: status.isRefund ? nil : summary.id,
            object: status.isRefund ? summary.id : nil
        )
        let isBeginning = if case .outcome(.capture, _) = happening { false } else { status != .voided }
        event.notices = [Notice(about: subject, happening, at: isBeginning ? summary.submittedAt : nil)]
        event.currency = currency
        return event
    }

    /// What a transaction's state says; nil for one that leaves open what happened.
    ///
    /// A captured payment is told as a capture, whether a sale or a capture of its own took it: that it was approved is
    /// implied.
    private func happening(_ status: TransactionStatus, _ id: String, _ amount: Int64) -> Notice.Happening? {
        let done = Success(reference: id, amount: amount)
        switch status {
        case .authorizedPendingCapture: return .outcome(.authorize, .succeeded(done))
        case .capturedPendingSettlement, .settledSuccessfully:
            return .outcome(.capture, .succeeded(Success(reference: id, amount: amount, capturedAmount: amount)))
        case .pendingReview, .authorizedPendingReview, .underReview, .approvedReview:
            return .outcome(.authorize, .pending(Progress(reference: id)))
        case .declined, .failedReview:
            let decline = Decline(code: status.rawValue, category: .generic, message: "The transaction was declined.")
            return .outcome(.authorize, .declined(decline))
        case .voided: return .outcome(.void, .succeeded(done))
        case .expired: return .lapsed
        case .refundPendingSettlement, .refundSettledSuccessfully: return .outcome(.refund, .succeeded(done))
        case .generalError: return nil
        }
    }
}

/// A place in the lists that are read one behind the other.
enum ActivityPlace: Hashable {
    /// A page of the unsettled transactions, from 1.
    case unsettled(Int)
    /// The list of batches.
    case batches
    /// A page of a batch, from 1, and the batches behind it.
    case batch([String], Int)

    /// The first batch of some; nil if there is none.
    static func first(of batches: [String]) -> ActivityPlace? { batches.isEmpty ? nil : .batch(batches, 1) }

    /// The place that a text names; the first of all for nil, and for what names none.
    init(_ text: String?) {
        let words = (text ?? "").utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
        let number = words.count > 1 ? Int(words[1]) : nil
        switch (words.first, number) {
        case ("unsettled", let number?): self = .unsettled(number)
        case ("batches", nil): self = .batches
        case ("batch", let number?) where words.count > 2: self = .batch(Array(words[2...]), number)
        default: self = .unsettled(1)
        }
    }

    /// The place as a text.
    var text: String {
        switch self {
        case .unsettled(let number): "unsettled \(number)"
        case .batches: "batches"
        case .batch(let batches, let number): "batch \(number) " + batches.joined(separator: " ")
        }
    }

    /// The place behind a page of transactions; nil behind the last one.
    func next(isFull: Bool) -> ActivityPlace? {
        switch self {
        case .unsettled(let number): isFull ? .unsettled(number + 1) : .batches
        case .batches: nil
        case .batch(let batches, let number):
            isFull ? .batch(batches, number + 1) : Self.first(of: Array(batches.dropFirst()))
        }
    }

    /// What to ask for.
    func page(since: Timestamp) -> TransactionSearch.Page {
        switch self {
        case .unsettled(let number): .unsettled(number)
        case .batches: .batches(from: since, to: since.adding(milliseconds: 31 * 24 * 3_600_000))
        case .batch(let batches, let number): .batch(batches.first ?? "", number)
        }
    }
}
