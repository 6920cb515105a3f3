import Domain
import SQL
import Storage
import StrictJSON
import TributaryTestKit

/// A wrong that is done to the books, and the rules that find it.
struct BookWrong: Sendable {
    let name: String
    /// The rule that is about it.
    let rule: LedgerRule
    /// Other rules that it cannot but break too.
    var also: Set<LedgerRule> = []
    let statements: @Sendable (WrittenBooks) -> [SQL]
    /// What every subject that the rule names begins with.
    let subject: @Sendable (WrittenBooks) -> String

    static let all = journal + orders + histories + balances

    private static let journal = [
        BookWrong(name: "an entry without postings", rule: .entryBalances, also: [.booksFollowOrder]) {
            ["UPDATE journal_entry SET postings = '[]' WHERE id = \($0.entry(of: $0.holding))"]
        } subject: { _ in
            "je_"
        },
        BookWrong(
            name: "a posting on another merchant's account",
            rule: .postingFitsEntry,
            also: [.booksFollowOrder]
        ) { books in
            let (own, other) = (books.held.payments[0].merchant.text, books.newID("mer"))
            return [
                """
                UPDATE journal_entry SET postings = REPLACE(postings, \(own), \(other))
                WHERE id = \(books.entry(of: books.holding))
                """
            ]
        } subject: { _ in
            "je_"
        },
        BookWrong(name: "an entry of an operation that is not there", rule: .entryHasEffect) { books in
            let (entry, operation) = (books.newID("je"), books.newID("op"))
            return [
                """
                INSERT INTO journal_entry (id, marketplace, merchant, order_id, payment_id, operation_id, kind, currency,
                    at, postings)
                SELECT CAST(\(entry) AS TEXT), marketplace, merchant, order_id, payment_id,
                    CAST(\(operation) AS TEXT), 'correction', currency, at,
                    '[["marketplace/bank","marketplace/commission",5],["marketplace/commission","marketplace/bank",5]]'
                FROM journal_entry WHERE id = \(books.entry(of: books.holding))
                """
            ]
        } subject: {
            $0.newID("je")
        },
        BookWrong(name: "an entry in another currency than its order", rule: .entryFitsPayment) {
            ["UPDATE journal_entry SET currency = 'EUR' WHERE id = \($0.entry(of: $0.holding))"]
        } subject: { _ in
            "je_"
        },
        BookWrong(name: "an authorization that is posted as something else", rule: .effectIsPosted) {
            ["UPDATE journal_entry SET kind = 'correction' WHERE operation_id = \($0.holding.id)"]
        } subject: {
            $0.holding.id.text
        },
        BookWrong(name: "a hold of another amount", rule: .booksFollowOrder) { books in
            let amount = books.holding.doneAmount
            return [
                """
                UPDATE journal_entry SET postings = REPLACE(postings, \(",\(amount)]"), \(",\(amount + 1)]"))
                WHERE id = \(books.entry(of: books.holding))
                """
            ]
        } subject: {
            $0.held.id.text
        },
        BookWrong(name: "commission that is posted as tax", rule: .commissionIsFrozen) {
            [
                """
                UPDATE journal_entry SET postings =
                    REPLACE(postings, ',"marketplace/commission",', ',"marketplace/commission_tax",')
                WHERE payment_id = \($0.paid.payments[0].id)
                """
            ]
        } subject: {
            $0.paid.id.text
        },
        BookWrong(name: "a payout of another amount", rule: .payoutIsPosted) {
            ["UPDATE payout SET amount = amount + 1 WHERE id = \($0.payout.id)"]
        } subject: {
            $0.payout.id.text
        },
    ]

    private static let orders = [
        BookWrong(name: "another sum than the payments'", rule: .orderIsItsPayments) {
            ["UPDATE orders SET payable = payable - 1 WHERE id = \($0.paid.id)"]
        } subject: {
            $0.paid.id.text
        },
        BookWrong(name: "an approval of less than was captured", rule: .capturedWithinAuthorized) {
            let amount = $0.authorization.doneAmount
            return [
                StoredOperation.change($0.authorization.id, of: $0.paid) {
                    $0[StoredOperation.more] = ["done_amount": .integer(amount - 1)]
                }
            ]
        } subject: {
            $0.paid.id.text
        },
        BookWrong(name: "a refund of more than was captured", rule: .refundedWithinCaptured) { books in
            let refund = """
                ,["\(books.newID("op"))","refund",\(books.authorization.amount + 1),"open",1,null,null,{"due_at":1}]
                """
            return [
                """
                UPDATE payment SET attempts = substr(attempts, 1, length(attempts) - 2) || \(refund) || ']]'
                WHERE id = \(books.paid.payments[0].id)
                """
            ]
        } subject: {
            $0.paid.id.text
        },
        BookWrong(name: "a hold of less than was asked for", rule: .refusedHoldsNothing, also: [.storedEqualsFold]) {
            let amount = $0.holding.amount
            return [
                StoredOperation.change($0.holding.id, of: $0.held) {
                    $0[StoredOperation.amount] = .integer(amount + 1)
                    $0[StoredOperation.more] = ["done_amount": .integer(amount)]
                }
            ]
        } subject: {
            $0.held.id.text
        },
        BookWrong(
            name: "a refused order whose void failed",
            rule: .refusedHoldsNothing,
            also: [.storedEqualsFold, .operationsFollowFacts, .effectIsPosted, .booksFollowOrder]
        ) { books in
            books.refused.payments.flatMap { $0.attempt.all(.void) }.map { void in
                StoredOperation.change(void.id, of: books.refused) {
                    $0[StoredOperation.state] = "not_sent"
                    $0[StoredOperation.more] = ["detail": ["reason": "x"]]
                }
            }
        } subject: {
            $0.refused.id.text
        },
        BookWrong(name: "a decision without a reason", rule: .orderKeepsItsRules) {
            ["UPDATE orders SET decision_reason = NULL WHERE id = \($0.paid.id)"]
        } subject: {
            $0.paid.id.text
        },
        BookWrong(name: "shares that are more than the payment", rule: .allocationSums) { books in
            let line = books.paid.payments[0].allocation[0]
            return [
                """
                UPDATE payment SET allocation =
                    REPLACE(allocation, \("\"\(line.party)\",\(line.amount)"), \("\"\(line.party)\",\(line.amount + 1)"))
                WHERE id = \(books.paid.payments[0].id)
                """
            ]
        } subject: {
            $0.paid.payments[0].id.text
        },
        BookWrong(name: "another amount captured than the operations say", rule: .storedEqualsFold) {
            ["UPDATE payment SET captured = captured - 1 WHERE id = \($0.paid.payments[0].id)"]
        } subject: {
            $0.paid.payments[0].id.text
        },
        BookWrong(name: "another status than the operations say", rule: .storedEqualsFold) {
            ["UPDATE orders SET status = 'partially_paid' WHERE id = \($0.paid.id)"]
        } subject: {
            $0.paid.id.text
        },
        BookWrong(name: "a policy that is none", rule: .orderIsReadable) {
            ["UPDATE orders SET policy = '{}' WHERE id = \($0.paid.id)"]
        } subject: {
            $0.paid.id.text
        },
    ]

    private static let histories = [
        BookWrong(name: "a success that nobody told us", rule: .operationsFollowFacts) {
            let (heard, other) = ("[\($0.holding.id.part),\"succeeded\"", "[\($0.holding.id.part),\"unknown\"")
            return $0.replacing(heard, by: other, in: $0.held)
        } subject: {
            $0.holding.id.text
        },
        BookWrong(name: "an acceptance that was told as a refusal", rule: .decisionIsTold) {
            let (accepted, refused) = ("\"order.accepted\"", "\"order.refused\"")
            return $0.replacing(accepted, by: refused, in: $0.paid)
        } subject: {
            $0.paid.id.text
        },
        BookWrong(name: "an event that is numbered like another", rule: .eventsHaveNoGaps) {
            let (second, first) = ("],[2,", "],[1,")
            return $0.replacing(second, by: first, in: $0.paid, version: 1)
        } subject: {
            $0.paid.id.text
        },
        BookWrong(name: "an event more under a number that is taken", rule: .eventsHaveNoGaps) {
            let second = "],[2,"
            let both = "\(second)\"\($0.newID("evt"))\",\"order.noted\",1\(second)"
            return $0.replacing(second, by: both, in: $0.paid, version: 1)
        } subject: {
            $0.paid.id.text
        },
        BookWrong(name: "a step that cannot be read", rule: .orderIsReadable) {
            let bytes = Array("{}".utf8)
            return ["UPDATE order_step SET document = \(bytes) WHERE order_id = \($0.paid.id)"]
        } subject: {
            $0.paid.id.text
        },
        BookWrong(name: "a callback that the order did not count", rule: .callbacksAgree) { books in
            [
                """
                INSERT INTO callback (id, endpoint_id, marketplace, merchant, order_id, type, sequence, payload, state,
                    attempts, due_at, created_at)
                SELECT 'cb_1', id, 'travel', '', CAST(\(books.paid.id) AS TEXT), 'order.paid',
                    CAST(\(books.paid.announced + 1) AS BIGINT), '{}', 'waiting', 0, 1, 1
                FROM callback_endpoint WHERE marketplace = 'travel' AND merchant = ''
                """
            ]
        } subject: {
            $0.paid.id.text
        },
    ]

    /// The last hour of an account.
    private static func last(_ account: String) -> SQL {
        """
        WHERE account = \(account) AND until = (SELECT MAX(until) FROM ledger_period WHERE account = \(account))
        """
    }

    private static let balances = [
        BookWrong(
            name: "a balance that was rolled up wrong",
            rule: .statementAddsUp,
            also: [.rollupEqualsPostings]
        ) {
            ["UPDATE ledger_period SET credits = credits + 5 \(last($0.payable))"]
        } subject: {
            "\($0.paid.payments[0].merchant) USD"
        },
        BookWrong(
            name: "a running balance with more debits than credits",
            rule: .accountsSumToZero,
            also: [.rollupEqualsPostings]
        ) { _ in
            ["UPDATE ledger_balance SET debits = debits + 1 WHERE account = 'marketplace/commission'"]
        } subject: { _ in
            "USD"
        },
        BookWrong(name: "an hour with more than was posted", rule: .rollupEqualsPostings) { _ in
            [
                "UPDATE ledger_period SET debits = debits + 1, credits = credits + 1 \(last("marketplace/commission"))",
                """
                UPDATE ledger_balance SET debits = debits + 1, credits = credits + 1
                WHERE account = 'marketplace/commission'
                """,
            ]
        } subject: { _ in
            "marketplace/commission USD"
        },
    ]
}
