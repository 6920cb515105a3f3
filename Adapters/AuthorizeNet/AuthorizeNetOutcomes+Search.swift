import AdapterKit
import Domain

/// Looks for a transaction by its invoice number, which Authorize.Net cannot be asked for directly.
///
/// First in the list of unsettled transactions, newest first, until they are older than what is looked for; then in the
/// batches that settled since. A transaction only ever goes from the one to the other, so looking in this order misses
/// none. The first list may move on while its pages are read, so that something on a later page may be found, but not
/// proven absent.
struct TransactionSearch {
    /// The most that Authorize.Net puts on a page.
    static let pageSize = 1000
    /// How many pages are read before a person has to look.
    static let pageLimit = 40

    /// A page to be read.
    enum Page: Hashable {
        /// Of the unsettled transactions, from 1.
        case unsettled(Int)
        /// The batches that settled between two moments, at most 31 days apart.
        case batches(from: Timestamp, to: Timestamp)
        /// Of a batch's transactions, from 1.
        case batch(String, Int)
    }

    /// Where the search stands.
    enum Result {
        /// Read this page.
        case ask(Page)
        /// The one that carries the name, and how many replies it took to find it.
        case found(TransactionSummary, count: Int)
        /// There is none.
        case absent
        /// A page was refused, or is not what was asked for.
        case failed(AuthorizeNetReply)
        /// It cannot be told.
        case unclear(String)
    }

    private let invoiceNumber: String
    private let since: Timestamp
    private let isOfRefund: Bool

    /// Looks for the payment of a call's attempt.
    init(forPaymentOf call: Call) {
        invoiceNumber = ShortName(call.attempt).text
        since = ShortName.moment(of: call.attempt.text)
        isOfRefund = false
    }

    /// Looks for the refund that a call is, or asks after.
    init(forRefundOf call: Call) {
        invoiceNumber = ShortName(call.operation).text
        since = ShortName.moment(of: call.operation.text)
        isOfRefund = true
    }

    /// Where the search stands after these replies.
    func result(of replies: ArraySlice<AuthorizeNetReply>) -> Result {
        var page = Page.unsettled(1)
        var batches: ArraySlice<AuthorizeNetBatch> = []
        var hasTurnedPages = false
        for (index, reply) in replies.enumerated() {
            guard case .ok(let json) = reply else { return .failed(reply) }
            if case .batches = page {
                guard let list = AuthorizeNetBatch.list(json) else { return .failed(reply) }
                batches = list[...]
            } else {
                guard let list = TransactionSummary.list(json) else { return .failed(reply) }
                let found = list.filter(isWanted)
                guard found.count <= 1 else { return .unclear("Several transactions carry this name.") }
                if let found = found.first { return .found(found, count: index + 1) }
                if let next = nextPage(after: page, with: list) {
                    page = next
                    if case .unsettled = next { hasTurnedPages = true }
                    continue
                }
            }
            guard let batch = batches.popFirst() else {
                return hasTurnedPages ? .unclear("The list may have moved on while it was read.") : .absent
            }
            page = .batch(batch.id, 1)
        }
        return replies.count < Self.pageLimit ? .ask(page) : .unclear("There are more transactions than are read.")
    }

    /// The page that follows one without what is looked for; nil where a list or a batch ends.
    private func nextPage(after page: Page, with list: [TransactionSummary]) -> Page? {
        let isFull = list.count >= Self.pageSize
        switch page {
        case .unsettled(let number):
            guard isFull, !goesBehind(list) else {
                let begin = since.adding(milliseconds: -Self.clockTolerance)
                return .batches(from: begin, to: begin.adding(milliseconds: Self.range))
            }
            return .unsettled(number + 1)
        case .batch(let id, let number): return isFull ? .batch(id, number + 1) : nil
        case .batches: return nil
        }
    }

    /// Whether the page is sorted as asked and ends with a transaction older than what is looked for.
    private func goesBehind(_ list: [TransactionSummary]) -> Bool {
        let isNewestFirst = zip(list, list.dropFirst()).allSatisfy { $0.submittedAt >= $1.submittedAt }
        guard isNewestFirst, let oldest = list.last else { return false }
        return oldest.submittedAt < since.adding(milliseconds: -Self.clockTolerance)
    }

    /// A refund made elsewhere may repeat the invoice number of its payment.
    private func isWanted(_ transaction: TransactionSummary) -> Bool {
        guard transaction.invoiceNumber == invoiceNumber else { return false }
        return isOfRefund || transaction.status?.isRefund != true
    }

    /// How far Authorize.Net's clock may be behind ours, in milliseconds.
    private static let clockTolerance: Int64 = 3_600_000
    /// 30 days in milliseconds; Authorize.Net allows 31.
    private static let range: Int64 = 30 * 24 * 3_600_000
}
