import AdapterKit
import Domain

/// The sums of one currency while they grow.
///
/// 128 bits hold the sum of ten thousand million of the largest amounts, which no file has; what is checked is that the
/// result fits an amount.
struct EntrySum: Sendable {
    let currency: Currency
    private(set) var creditCount = 0
    private(set) var debitCount = 0
    private(set) var creditTrillionths: Int128 = 0
    private(set) var debitTrillionths: Int128 = 0

    init(currency: Currency) { self.currency = currency }

    mutating func add(_ entry: BankEntry) {
        if entry.creditDebit == .credit {
            creditCount += 1
            creditTrillionths += entry.amount.trillionths
        } else {
            debitCount += 1
            debitTrillionths += entry.amount.trillionths
        }
    }

    mutating func add(_ other: EntrySum) {
        creditCount += other.creditCount
        debitCount += other.debitCount
        creditTrillionths += other.creditTrillionths
        debitTrillionths += other.debitTrillionths
    }

    /// What the balance changed by, in units of 10⁻¹² of the major unit.
    var netTrillionths: Int128 { creditTrillionths - debitTrillionths }

    func total() throws(BankProblem) -> BankSum {
        BankSum(
            creditCount: creditCount,
            debitCount: debitCount,
            credits: try amount(creditTrillionths),
            debits: try amount(-debitTrillionths),
            net: try amount(netTrillionths)
        )
    }

    /// An amount of the currency.
    ///
    /// - Throws: ``BankProblem/sumOverflows(_:)``.
    func amount(_ trillionths: Int128) throws(BankProblem) -> SettlementAmount {
        do throws(AmountProblem) {
            return try SettlementAmount(trillionths: trillionths, currency: currency)
        } catch {
            throw .sumOverflows(currency)
        }
    }
}
