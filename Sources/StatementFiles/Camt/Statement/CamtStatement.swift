import AdapterKit
import Domain

/// What is known of a statement while its entries are read.
struct CamtStatement {
    var head: BankStatementHead
    var isAnnounced = false
    private(set) var balances: [BankBalance] = []
    private(set) var stated: [StatedFigure] = []
    private(set) var additionalInformation: String?

    init(head: BankStatementHead) { self.head = head }

    /// Takes a child of the statement that is no entry.
    ///
    /// - Throws: ``BankProblem/malformed(line:_:)`` for a balance or a figure that cannot be read: without it, it would not
    ///   be known whether the entries are all there.
    mutating func take(_ tag: XMLTag, _ record: XMLRecord, _ currencies: inout CurrencyCache) throws(BankProblem) {
        switch tag {
        case .identifier: head.identifier = record.string(0)
        case .electronicSequence: head.electronicSequence = record.string(0)
        case .legalSequence: head.legalSequence = record.string(0)
        case .created: head.createdOn = record.string(0).map { SettlementDate($0) }
        case .copyDuplicate: head.copyDuplicate = record.string(0)
        case .statementPages, .reportPages, .notificationPages:
            head.page = record.string(0, .page).flatMap { Int($0) }
            head.isLastPage = record.string(0, .isLastPage).map { $0 == "true" || $0 == "1" }
        case .period:
            head.from = (record.string(0, .from) ?? record.string(0, .fromDate)).map { SettlementDate($0) }
            head.to = (record.string(0, .to) ?? record.string(0, .toDate)).map { SettlementDate($0) }
        case .account:
            head.account = CamtTotals(record, currencies).account
            if let currency = head.account?.currency { currencies.remember(currency) }
        case .balance: try takeBalance(record, &currencies)
        case .transactionSummary: try takeSummary(record, currencies)
        case .additionalStatement, .additionalReport, .additionalNotification:
            additionalInformation = record.string(0)
        default: break
        }
    }

    private mutating func takeBalance(_ record: XMLRecord, _ currencies: inout CurrencyCache) throws(BankProblem) {
        let line = record.nodes[0].line
        guard balances.count < BankStatementEnd.balanceLimit else {
            throw .tooLarge(line: line, "more than \(BankStatementEnd.balanceLimit) balances")
        }
        do throws(EntryProblem) {
            let balance = try CamtTotals(record, currencies).balance()
            currencies.remember(balance.amount.currency)
            balances.append(balance)
        } catch {
            throw .malformed(line: line, "a balance cannot be read: \(error)")
        }
    }

    private mutating func takeSummary(_ record: XMLRecord, _ currencies: CurrencyCache) throws(BankProblem) {
        do throws(EntryProblem) {
            stated = try CamtTotals(record, currencies).summary()
        } catch {
            throw .malformed(line: record.nodes[0].line, "the totals cannot be read: \(error)")
        }
    }
}
