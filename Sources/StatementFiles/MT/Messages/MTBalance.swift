import AdapterKit
import Domain

/// A balance as `:60F:` and its like write it: `C100722EUR0,00`.
struct MTBalance {
    let day: MTDay
    /// The currency's code, known or not.
    let code: String
    /// The balance, below zero if it is a debit; nil if the currency is none in force.
    let amount: SettlementAmount?

    /// Reads a field.
    ///
    /// - Throws: ``BankProblem/malformed(line:_:)``.
    init(_ field: MTField) throws(BankProblem) {
        let text = field.first
        let problem = BankProblem.malformed(line: field.line, ":\(field.tag): is no balance")
        guard text.count > 10, let mark = text.first, mark == UInt8(ascii: "C") || mark == UInt8(ascii: "D"),
            let day = MTDay(text.dropFirst().prefix(6))
        else { throw problem }
        self.day = day
        code = String(decoding: text.dropFirst(7).prefix(3), as: UTF8.self)
        guard let currency = Currency(code: code) else {
            guard code.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else { throw problem }
            amount = nil
            return
        }
        let number = DecimalText.swift(text.dropFirst(10))
        guard number.first != UInt8(ascii: "-"), let value = try? SettlementAmount(decimal: number, currency: currency)
        else { throw problem }
        amount = mark == UInt8(ascii: "C") ? value : value.negated
    }
}
