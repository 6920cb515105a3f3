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

/// Reads one of an entry's transactions: TxDtls.
struct CamtTransaction: CamtFields {
    let record: XMLRecord
    let currencies: CurrencyCache

    init(_ record: XMLRecord, _ currencies: CurrencyCache) {
        self.record = record
        self.currencies = currencies
    }

    func transaction(_ node: Int) throws(EntryProblem) -> BankTransaction {
        var transaction = BankTransaction(line: record.nodes[node].line)
        try readAmounts(node, into: &transaction)
        transaction.references = references(record.child(node, .references))
        transaction.bankTransactionCode = bankTransactionCode(node)
        readParties(node, into: &transaction)
        readRemittance(record.child(node, .remittance), into: &transaction)
        transaction.charges = try charges(node)
        transaction.purpose = codeOrProprietary(record.child(node, .purpose))
        transaction.returnReason = codeOrProprietary(record.child(node, .returnInformation, .reason))
        transaction.additionalInformation = record.string(node, .additionalTransaction)
        return transaction
    }

    /// Up to version 3, the amount stands among the details only.
    private func readAmounts(_ node: Int, into transaction: inout BankTransaction) throws(EntryProblem) {
        let details = record.child(node, .amountDetails)
        let own = record.child(node, .amount) ?? record.child(details, .transactionAmount, .amount)
        transaction.amount = try optionalAmount(own, "TxDtls/Amt")
        transaction.creditDebit = try creditDebit(node)
        let instructed = record.child(details, .identifiedAmount, .amount)
        transaction.instructedAmount = try optionalAmount(instructed, "TxDtls/AmtDtls/InstdAmt")
        for place in [XMLTag.transactionAmount, .countervalue, .identifiedAmount] where transaction.exchangeRate == nil
        {
            transaction.exchangeRate = record.string(record.child(details, place), .exchange, .exchangeRate)
        }
    }

    private func references(_ node: Int?) -> BankReferences {
        var references = BankReferences()
        guard let node else { return references }
        references.message = name(node, .message)
        references.paymentInformation = name(node, .paymentInformation)
        references.instruction = name(node, .instruction)
        references.endToEnd = name(node, .endToEnd)
        references.transaction = name(node, .transaction)
        references.uetr = name(node, .uetr)
        references.accountServicer = name(node, .accountServicerReference)
        references.clearingSystem = name(node, .clearingReference)
        references.mandate = name(node, .mandate)
        let rest: [XMLTag] = [
            .accountOwnerTransaction, .accountServicerTransaction, .marketTransaction, .processing, .chequeNumber,
        ]
        for tag in rest {
            if let value = name(node, tag) {
                references.others.append(BankReference(type: tag.rawValue, value: value))
            }
        }
        for other in record.children(node, .proprietary) {
            if let type = record.string(other, .type), let value = record.string(other, .reference) {
                references.others.append(BankReference(type: type, value: value))
            }
        }
        return references
    }

    /// A reference; nil where the word for none stands.
    private func name(_ node: Int, _ tag: XMLTag) -> String? {
        let text = record.string(node, tag)
        return text == "NOTPROVIDED" ? nil : text
    }

    private func readParties(_ node: Int, into transaction: inout BankTransaction) {
        let parties = record.child(node, .relatedParties)
        let agents = record.child(node, .relatedAgents)
        transaction.debtor = party(
            record.child(parties, .debtor),
            account: record.child(parties, .debtorAccount),
            agent: record.child(agents, .debtorAgent)
        )
        transaction.creditor = party(
            record.child(parties, .creditor),
            account: record.child(parties, .creditorAccount),
            agent: record.child(agents, .creditorAgent)
        )
        transaction.ultimateDebtor = party(record.child(parties, .ultimateDebtor), account: nil, agent: nil)
        transaction.ultimateCreditor = party(record.child(parties, .ultimateCreditor), account: nil, agent: nil)
    }

    /// A party: named in the element up to version 7, and since then in a person's or a bank's element in it.
    private func party(_ node: Int?, account: Int?, agent agentNode: Int?) -> BankParty? {
        let name =
            record.string(node, .name) ?? record.string(node, .party, .name)
            ?? record.string(record.child(node, .agent, .financialInstitution), .name)
        let party = BankParty(
            name: name,
            account: accountIdentifier(account)?.text,
            agent: agent(agentNode) ?? agent(record.child(node, .agent))
        )
        return party.isEmpty ? nil : party
    }

    private func readRemittance(_ node: Int?, into transaction: inout BankTransaction) {
        guard let node else { return }
        transaction.remittance = record.children(node, .unstructured).compactMap { record.string($0) }
        for part in record.children(node, .structured) {
            for document in record.children(part, .referredDocument) {
                if let number = record.string(document, .number) { transaction.documentNumbers.append(number) }
            }
            if let reference = record.string(part, .creditorReference, .reference) {
                transaction.creditorReferences.append(reference)
            }
            transaction.structuredInformation += record.children(part, .additionalRemittance).compactMap {
                record.string($0)
            }
        }
    }
}

/// Fields that several parts of a camt message have.
protocol CamtFields {
    var record: XMLRecord { get }
    var currencies: CurrencyCache { get }
}

extension CamtFields {
    /// An amount with its currency.
    ///
    /// - Throws: ``EntryProblem/missing(field:)``, ``EntryProblem/unknownCurrency(_:)``,
    ///   ``EntryProblem/negative(field:)`` or ``EntryProblem/amount(field:_:)``.
    func amount(_ node: Int?, _ field: String) throws(EntryProblem) -> SettlementAmount {
        guard let bytes = record.bytes(node) else { throw .missing(field: field) }
        guard let code = record.bytes(record.child(node, .currencyAttribute)) else {
            throw .missing(field: "\(field)/@Ccy")
        }
        guard let currency = currencies.currency(code) else {
            throw .unknownCurrency(String(decoding: code.prefix(3), as: UTF8.self))
        }
        guard bytes.first != UInt8(ascii: "-") else { throw .negative(field: field) }
        do throws(AmountProblem) {
            return try SettlementAmount(decimal: DecimalText.canonical(bytes), currency: currency)
        } catch {
            throw .amount(field: field, error)
        }
    }

    /// An amount where there is one.
    func optionalAmount(_ node: Int?, _ field: String) throws(EntryProblem) -> SettlementAmount? {
        node == nil ? nil : try amount(node, field)
    }

    /// A direction where there is one.
    ///
    /// - Throws: ``EntryProblem/unknownCode(field:code:)``.
    func creditDebit(_ node: Int?) throws(EntryProblem) -> CreditDebit? {
        guard let bytes = record.bytes(record.child(node, .creditDebit)) else { return nil }
        if bytes.elementsEqual("CRDT".utf8) { return .credit }
        if bytes.elementsEqual("DBIT".utf8) { return .debit }
        throw .unknownCode(field: "CdtDbtInd", code: String(decoding: bytes.prefix(16), as: UTF8.self))
    }

    /// A date or a time, as a child `Dt` or `DtTm`; version 8 has dates without such a child in some banks' files.
    ///
    /// - Throws: ``EntryProblem/date(field:)``.
    func date(_ node: Int?, _ field: String) throws(EntryProblem) -> SettlementDate? {
        guard let node else { return nil }
        let place = record.child(node, .date) ?? record.child(node, .dateTime) ?? node
        guard let bytes = record.bytes(place) else { throw .missing(field: field) }
        guard CalendarDay(iso: bytes) != nil else { throw .date(field: field) }
        return SettlementDate(String(decoding: bytes, as: UTF8.self).withBoundedRuns)
    }

    /// `true` or `1`, `false` or `0`; nil if there is nothing.
    ///
    /// - Throws: ``EntryProblem/malformed(field:)``.
    func flag(_ node: Int?, _ field: String) throws(EntryProblem) -> Bool? {
        guard let bytes = record.bytes(node) else { return nil }
        if bytes.elementsEqual("true".utf8) || bytes.elementsEqual("1".utf8) { return true }
        if bytes.elementsEqual("false".utf8) || bytes.elementsEqual("0".utf8) { return false }
        throw .malformed(field: field)
    }

    /// What kind of entry or transaction it is.
    func bankTransactionCode(_ node: Int?) -> BankTransactionCode? {
        guard let node = record.child(node, .bankTransactionCode) else { return nil }
        let domain = record.child(node, .domain)
        let family = record.child(domain, .family)
        let proprietary = record.child(node, .proprietary)
        let code = BankTransactionCode(
            domain: record.string(domain, .code),
            family: record.string(family, .code),
            subfamily: record.string(family, .subfamily),
            proprietary: record.string(proprietary, .code),
            issuer: record.string(proprietary, .issuer)
        )
        return code == BankTransactionCode() ? nil : code
    }

    /// A code of a list, or the bank's own.
    func codeOrProprietary(_ node: Int?) -> String? {
        record.string(node, .code) ?? record.string(node, .proprietary, .identifier)
            ?? record.string(node, .proprietary)
    }

    /// Charges: one a `Chrgs` up to version 3, one a `Chrgs/Rcrd` since.
    func charges(_ node: Int) throws(EntryProblem) -> [BankCharge] {
        var charges: [BankCharge] = []
        for element in record.children(node, .charges) {
            let records = record.children(element, .record)
            for part in records.isEmpty ? [element] : records where record.child(part, .amount) != nil {
                charges.append(
                    BankCharge(
                        amount: try amount(record.child(part, .amount), "Chrgs/Amt"),
                        creditDebit: try creditDebit(part),
                        isIncluded: try flag(record.child(part, .chargeIncluded), "ChrgInclInd"),
                        type: codeOrProprietary(record.child(part, .type))
                    )
                )
            }
        }
        return charges
    }

    /// A bank: its BIC, its number in a clearing system, or its name.
    func agent(_ node: Int?) -> String? {
        let institution = record.child(node, .financialInstitution)
        return record.string(institution, .bicfi) ?? record.string(institution, .bic)
            ?? record.string(institution, .clearingMember, .member) ?? record.string(institution, .name)
            ?? record.string(institution, .nameAndAddress, .name)
    }

    /// An account's identification, and whether it is an IBAN.
    func accountIdentifier(_ node: Int?) -> (text: String, isIBAN: Bool)? {
        let identifier = record.child(node, .identifier)
        if let iban = record.string(identifier, .iban) { return (iban, true) }
        let other =
            record.string(identifier, .other, .identifier) ?? record.string(
                identifier,
                .proprietaryAccount,
                .identifier
            )
            ?? record.string(identifier, .bban) ?? record.string(identifier, .upic)
        return other.map { ($0, false) }
    }
}
