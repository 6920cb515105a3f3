import AdapterKit
import Domain

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
