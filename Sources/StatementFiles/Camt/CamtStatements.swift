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

/// Reads what a statement says beside its entries: account, balances, totals.
struct CamtTotals: CamtFields {
    let record: XMLRecord
    let currencies: CurrencyCache

    init(_ record: XMLRecord, _ currencies: CurrencyCache) {
        self.record = record
        self.currencies = currencies
    }

    /// The account: Acct.
    var account: BankAccount? {
        guard let identifier = accountIdentifier(0) else { return nil }
        return BankAccount(
            identifier: identifier.text,
            isIBAN: identifier.isIBAN,
            currency: record.bytes(record.child(0, .currency)).flatMap { currencies.currency($0) },
            owner: record.string(0, .owner, .name) ?? record.string(record.child(0, .owner, .party), .name),
            servicer: agent(record.child(0, .servicer))
        )
    }

    /// A balance: Bal.
    func balance() throws(EntryProblem) -> BankBalance {
        let type = record.child(0, .type)
        let place = record.child(type, .codeOrProprietary) ?? type
        guard let code = codeOrProprietary(place) else { throw .missing(field: "Bal/Tp") }
        let amount = try amount(record.child(0, .amount), "Bal/Amt")
        guard let direction = try creditDebit(0) else { throw .missing(field: "Bal/CdtDbtInd") }
        return BankBalance(
            line: record.nodes[0].line,
            kind: BankBalanceKind(rawValue: code),
            isIntermediate: codeOrProprietary(record.child(type, .subtype)) == "INTM",
            amount: direction == .credit ? amount : amount.negated,
            date: try date(record.child(0, .date), "Bal/Dt")
        )
    }

    /// The totals: TxsSummry.
    func summary() throws(EntryProblem) -> [StatedFigure] {
        let entries = record.child(0, .totalEntries)
        var figures = try totals(entries, count: .entryCount, sum: .entrySum)
        // The net sum has an element around it since version 3.
        let net = record.child(entries, .netEntry)
        if let amount = record.child(net, .amount) ?? record.child(entries, .netAmount) {
            let isDebit = try creditDebit(net ?? entries) == .debit
            if let text = try decimal(amount) {
                figures.append(StatedFigure(subject: .netSum, value: .decimal(text, isDebit: isDebit)))
            }
        }
        figures += try totals(record.child(0, .totalCredits), count: .creditCount, sum: .creditSum)
        figures += try totals(record.child(0, .totalDebits), count: .debitCount, sum: .debitSum)
        return figures
    }

    private func totals(
        _ node: Int?,
        count: BankCheck.Subject,
        sum: BankCheck.Subject
    ) throws(EntryProblem) -> [StatedFigure] {
        var figures: [StatedFigure] = []
        if let text = record.bytes(record.child(node, .numberOfEntries)) {
            guard let number = Digits.number(text) else { throw .malformed(field: "NbOfNtries") }
            figures.append(StatedFigure(subject: count, value: .count(number)))
        }
        if let text = try decimal(record.child(node, .sum)) {
            figures.append(StatedFigure(subject: sum, value: .decimal(text, isDebit: false)))
        }
        return figures
    }

    /// A number without a currency, which is that of the entries.
    private func decimal(_ node: Int?) throws(EntryProblem) -> ArraySlice<UInt8>? {
        guard let bytes = record.bytes(node) else { return nil }
        let text = DecimalText.canonical(bytes)
        guard text.allSatisfy({ Digits.isDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }) else {
            throw .malformed(field: "Sum")
        }
        return text
    }
}
