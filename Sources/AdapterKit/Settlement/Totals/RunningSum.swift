import Domain

/// The sums of one currency while they grow.
struct RunningSum: Sendable {
    /// A sum that remembers whether it ever left 128 bits.
    struct Total: Sendable {
        private var trillionths: Int128 = 0
        private var overflowed = false

        mutating func add(_ amount: SettlementAmount) {
            let (sum, overflow) = trillionths.addingReportingOverflow(amount.trillionths)
            trillionths = sum
            overflowed = overflowed || overflow
        }

        func amount(_ currency: Currency) throws(AmountProblem) -> SettlementAmount {
            guard !overflowed else { throw .overflow }
            return try SettlementAmount(trillionths: trillionths, currency: currency)
        }
    }

    let currency: Currency
    var gross = Total()
    var fee = Total()
    private var net = Total()
    private var credits = Total()
    private var debits = Total()

    init(currency: Currency) { self.currency = currency }

    mutating func addNet(_ amount: SettlementAmount) {
        net.add(amount)
        if amount.units < 0 { debits.add(amount) } else { credits.add(amount) }
    }

    func total() throws(AmountProblem) -> SettlementSum {
        SettlementSum(
            gross: try gross.amount(currency),
            fee: try fee.amount(currency),
            net: try net.amount(currency),
            credits: try credits.amount(currency),
            debits: try debits.amount(currency)
        )
    }
}
