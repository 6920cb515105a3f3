import Domain
import SQL

/// One order and all that is stored about it beside its operations.
struct OrderBooks {
    /// What is cached of a payment.
    struct Cached: Hashable {
        let status: String
        let authorized: Int64
        let captured: Int64
        let refunded: Int64
    }

    /// A posting of an entry about the order.
    struct Posted {
        let dispute: String?
        let debit: String
        let credit: String
        let amount: Int64
    }

    /// The callbacks about the order, or about a payment of it, at one endpoint.
    struct Told {
        let endpoint: String
        /// The merchant whose endpoint it is; nil for the marketplace's.
        let merchant: String?
        let payment: String?
        let count: Int64
        let distinct: Int64
        let first: Int64
        let last: Int64
    }

    let order: Order
    var status = ""
    var payable: Int64 = 0
    var payments: [PaymentID: Cached] = [:]
    /// The kinds of the entries about each operation, by entry.
    var entries: [String: [String: String]] = [:]
    var postings: [Posted] = []
    /// What kinds of facts were heard of each operation.
    var facts: [String: Set<String>] = [:]
    var eventCount: Int64 = 0
    var firstEvent: Int64 = 0
    var lastEvent: Int64 = 0
    /// The type of the last event that tells a decision.
    var toldDecision: String?
    var told: [Told] = []

    /// What is wrong with it.
    var findings: [LedgerFinding] {
        ruleFindings + cacheFindings + effectFindings + balanceFindings + historyFindings
    }

    /// A finding about the order, if what is found is not what is expected.
    func compare(
        _ rule: LedgerRule,
        _ subject: String? = nil,
        expected: String,
        found: String
    ) -> [LedgerFinding] {
        expected == found ? [] : [LedgerFinding(rule, subject ?? order.id.text, expected: expected, found: found)]
    }
}
