import AdapterKit
import Domain

/// Reads an entry: Ntry, without its transactions.
struct CamtEntry: CamtFields {
    let record: XMLRecord
    let currencies: CurrencyCache

    init(_ record: XMLRecord, _ currencies: CurrencyCache) {
        self.record = record
        self.currencies = currencies
    }

    func entry(line: Int, statement: Int) throws(EntryProblem) -> BankEntry {
        let amount = try amount(record.child(0, .amount), "Amt")
        guard let direction = try creditDebit(0) else { throw .missing(field: "CdtDbtInd") }
        var entry = BankEntry(line: line, statement: statement, amount: amount, creditDebit: direction)
        entry.isReversal = try flag(record.child(0, .reversal), "RvslInd") ?? false
        entry.status = try status()
        entry.bookedOn = try date(record.child(0, .bookingDate), "BookgDt")
        entry.valueOn = try date(record.child(0, .valueDate), "ValDt")
        entry.entryReference = record.string(0, .entryReference)
        entry.accountServicerReference = record.string(0, .accountServicerReference)
        entry.bankTransactionCode = bankTransactionCode(0)
        entry.charges = try charges(0)
        entry.batch = try batch()
        entry.additionalInformation = record.string(0, .additionalEntry)
        return entry
    }

    /// The status is the element's text up to version 7, and a code in it since.
    private func status() throws(EntryProblem) -> BankEntryStatus {
        let node = record.child(0, .status)
        guard let code = record.string(node) ?? codeOrProprietary(node) else { throw .missing(field: "Sts") }
        guard let status = BankEntryStatus(rawValue: code) else {
            throw .unknownCode(field: "Sts", code: String(code.prefix(16)))
        }
        return status
    }

    private func batch() throws(EntryProblem) -> BankBatch? {
        guard let node = record.child(0, .entryDetails, .batch) ?? record.child(0, .batch) else { return nil }
        var batch = BankBatch()
        batch.message = record.string(node, .message)
        batch.paymentInformation = record.string(node, .paymentInformation)
        batch.count = record.bytes(record.child(node, .numberOfTransactions)).flatMap { Digits.number($0) }
        batch.total = try optionalAmount(record.child(node, .totalAmount), "Btch/TtlAmt")
        batch.creditDebit = try creditDebit(node)
        return batch
    }
}
