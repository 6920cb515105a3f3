import AdapterKit
import Domain

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
