import Domain

/// Makes heads, entries and ends of the fields of messages.
struct MTStatements {
    private var items: [BankItem] = []
    private var tally = BankTally()
    private var message: MTMessage?
    /// The entry whose details may follow.
    private var entry: (result: Result<BankEntry, EntryProblem>, field: MTField, details: [[UInt8]])?
    /// The message before, if its closing balance is one between two pages.
    private var previousPage: (head: BankStatementHead, closing: BankBalance)?

    /// Whether a message has begun and not ended.
    var isOpen: Bool { message != nil }
    /// Whether the closing balance of the open message was read.
    var hasClosing: Bool { message?.hasClosing ?? false }
    /// The line in which the open message begins.
    var openLine: Int? { message?.head.line }

    /// Takes a complete field; those outside of a message that are no entries are a bank's decoration.
    mutating func take(_ field: MTField, isInBlock: Bool) throws(BankProblem) {
        if field.tag == "20" {
            try begin(field, isInBlock: isInBlock)
        } else if field.tag == "61" {
            try takeEntry(field)
        } else if field.tag == "86", entry != nil {
            entry?.details += field.lines
        } else if message != nil {
            try finishEntry()
            let before = message?.monthEnds ?? 0
            try message?.take(field)
            tally.add(monthEnds: (message?.monthEnds ?? 0) - before, line: field.line)
        } else if field.tag.hasPrefix("6") {
            throw .malformed(line: field.line, ":\(field.tag): outside of a message")
        }
    }

    /// Ends the message.
    mutating func endMessage(line: Int) throws(BankProblem) {
        try finishEntry()
        guard let message else { return }
        if let missing = message.missing { throw .malformed(line: line, "the message ends, and \(missing)") }
        announce()
        items.append(
            .end(
                try tally.end(
                    balances: message.balances,
                    stated: message.stated,
                    currency: message.currency,
                    pageBalance: pageBalance(message),
                    additionalInformation: message.information.isEmpty
                        ? nil : message.information.joined(separator: "\n")
                )
            )
        )
        let closing = message.balances.first { $0.kind == .closingBooked && $0.isIntermediate }
        previousPage = closing.map { (message.head, $0) }
        self.message = nil
    }

    /// What is complete.
    mutating func takeItems() -> [BankItem] {
        defer { items = [] }
        return items
    }

    /// Ends the reading.
    func trailer() throws(BankProblem) -> BankTrailer {
        guard tally.statements > 0 else { throw .noStatement }
        return try tally.trailer()
    }

    /// Some banks put no mark between messages; the one before must be whole then.
    private mutating func begin(_ field: MTField, isInBlock: Bool) throws(BankProblem) {
        if isOpen {
            guard !isInBlock, hasClosing else { throw .malformed(line: field.line, "a second :20: in one message") }
            try endMessage(line: field.line)
        }
        message = MTMessage(number: tally.begin(), reference: field)
    }

    private mutating func takeEntry(_ field: MTField) throws(BankProblem) {
        guard let message else { throw .malformed(line: field.line, ":61: outside of a message") }
        try finishEntry()
        guard !message.hasClosing, message.hasOpening || message.isReport else {
            throw .malformed(line: field.line, ":61: that is not between opening and closing balance")
        }
        announce()
        var line = MTEntryLine(field)
        do throws(EntryProblem) {
            let entry = try line.entry(
                statement: tally.statements,
                currency: message.currency,
                code: message.currencyCode
            )
            self.entry = (.success(entry), field, [])
            tally.add(monthEnds: line.monthEnds, line: field.line)
        } catch {
            entry = (.failure(error), field, [])
        }
    }

    private mutating func finishEntry() throws(BankProblem) {
        guard let (result, field, details) = entry else { return }
        entry = nil
        guard var entry = tally.take(result, line: field.line) else { return }
        let original = entry.isReversal ? entry.creditDebit.opposite : entry.creditDebit
        if let transaction = MTDetails(details).transaction(line: field.line, original: original) {
            entry.transactions = [transaction]
        }
        var fingerprint = EntryFingerprint()
        for line in field.lines { fingerprint.add("61", MTText.trimmed(line[...])) }
        for line in details { fingerprint.add("86", MTText.trimmed(line[...])) }
        entry.fingerprint = fingerprint.finish()
        items.append(.entry(entry))
    }

    /// Hands over the head before anything else of the message.
    private mutating func announce() {
        guard let message, !message.isAnnounced else { return }
        self.message?.isAnnounced = true
        items.append(.head(message.head))
    }

    /// A page begins with the balance that the page before it ended with.
    private func pageBalance(_ message: MTMessage) -> BankCheck? {
        guard let previousPage, let opening = message.balances.first(where: { $0.kind == .openingBooked }),
            opening.isIntermediate, previousPage.head.electronicSequence == message.head.electronicSequence,
            previousPage.head.account == message.head.account
        else { return nil }
        return BankCheck(
            subject: .pageBalance,
            stated: .amount(opening.amount),
            found: .amount(previousPage.closing.amount)
        )
    }
}
