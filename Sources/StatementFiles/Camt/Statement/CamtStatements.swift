import AdapterKit
import Domain

/// Makes heads, entries and ends of the records of a camt message.
struct CamtStatements {
    private var items: [BankItem] = []
    private var tally = BankTally()
    private var message: CamtMessage?
    private var header = CamtHeader()
    private var statement: CamtStatement?
    private var transactions: [BankTransaction] = []
    private var transactionProblem: EntryProblem?
    private var fingerprint = EntryFingerprint()
    private var currencies = CurrencyCache()
    private var statementsBefore = 0
    /// Whether a message was read to its end.
    private(set) var hasEnded = false

    /// Begins a message.
    mutating func begin(_ message: CamtMessage) {
        self.message = message
        header = CamtHeader()
        statementsBefore = tally.statements
        hasEnded = false
    }

    /// Ends a message.
    mutating func end() throws(BankProblem) {
        guard tally.statements > statementsBefore else { throw .noStatement }
        hasEnded = true
    }

    /// Takes the message's header.
    mutating func takeHeader(_ record: XMLRecord) { header = CamtHeader(record) }

    /// Begins a statement.
    mutating func beginStatement(line: Int) {
        statement = CamtStatement(
            head: header.head(number: tally.begin(), line: line, kind: message?.kind ?? .statement)
        )
    }

    /// Takes a transaction of the entry that is being read.
    mutating func takeTransaction(_ record: XMLRecord, _ node: Int) {
        addToFingerprint(record, from: node)
        guard transactionProblem == nil else { return }
        guard transactions.count < BankEntry.transactionLimit else {
            transactionProblem = .tooManyTransactions
            transactions = []
            return
        }
        do throws(EntryProblem) {
            transactions.append(try CamtTransaction(record, currencies).transaction(node))
        } catch {
            transactionProblem = error
        }
    }

    /// Takes a child of a statement.
    mutating func takePart(_ record: XMLRecord) throws(BankProblem) {
        guard let tag = record.nodes.first?.tag else { return }
        guard tag == .entry else {
            try statement?.take(tag, record, &currencies)
            return
        }
        announce()
        addToFingerprint(record, from: 0)
        let line = record.nodes[0].line
        let result = entry(record, line: line)
        transactions = []
        transactionProblem = nil
        let hash = fingerprint.finish()
        if var entry = tally.take(result, line: line) {
            entry.fingerprint = hash
            items.append(.entry(entry))
        }
    }

    /// Ends a statement.
    mutating func endStatement() throws(BankProblem) {
        announce()
        guard let statement else { return }
        items.append(
            .end(
                try tally.end(
                    balances: statement.balances,
                    stated: statement.stated,
                    currency: statement.head.account?.currency,
                    additionalInformation: statement.additionalInformation
                )
            )
        )
        self.statement = nil
    }

    /// What is complete.
    mutating func takeItems() -> [BankItem] {
        defer { items = [] }
        return items
    }

    /// Ends the reading.
    func trailer() throws(BankProblem) -> BankTrailer {
        guard hasEnded else { throw .malformed(line: 1, "there is no Document of ISO 20022 in it") }
        return try tally.trailer()
    }

    /// Hands over the head before anything else of the statement.
    private mutating func announce() {
        guard let statement, !statement.isAnnounced else { return }
        self.statement?.isAnnounced = true
        items.append(.head(statement.head))
    }

    private func entry(_ record: XMLRecord, line: Int) -> Result<BankEntry, EntryProblem> {
        do throws(EntryProblem) {
            if let transactionProblem { throw transactionProblem }
            var entry = try CamtEntry(record, currencies).entry(line: line, statement: tally.statements)
            entry.transactions = transactions
            return .success(entry)
        } catch {
            return .failure(error)
        }
    }

    private mutating func addToFingerprint(_ record: XMLRecord, from start: Int) {
        for node in record.nodes[start...] { fingerprint.add(node.tag.rawValue, record.trimmed(node.text)) }
    }
}
