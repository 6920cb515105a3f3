/// Reads `:86:`, which has three dialects: subfields after a sign, codes between slashes, and free text.
struct MTDetails {
    private let lines: [[UInt8]]

    init(_ lines: [[UInt8]]) { self.lines = lines }

    /// The transaction that they describe; nil if they say nothing.
    ///
    /// The original is which way the money moved, or, of a reversal, the money that is taken back.
    func transaction(line: Int, original: CreditDebit) -> BankTransaction? {
        var transaction = BankTransaction(line: line)
        var party = BankParty()
        let text = MTText.trimmed(joined[...])
        if let subfields = MTSubfields(text) {
            subfields.read(into: &transaction, &party)
        } else if MTSlashCodes.begins(text) {
            MTSlashCodes(text).read(into: &transaction, &party)
        } else {
            transaction.remittance = lines.compactMap { MTText.optional($0[...]) }
        }
        if !party.isEmpty {
            if original == .credit { transaction.debtor = party } else { transaction.creditor = party }
        }
        return transaction == BankTransaction(line: line) ? nil : transaction
    }

    private var joined: [UInt8] {
        // Where every line but the first ends in a space, the spaces are the bank's and not the text's.
        let isPadded = lines.dropFirst().allSatisfy { $0.last == 0x20 }
        return lines.reduce(into: []) { text, line in
            var line = line[...]
            while isPadded, line.last == 0x20 { line.removeLast() }
            text += line
        }
    }
}
