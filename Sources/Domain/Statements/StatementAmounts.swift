/// Amounts in minor units of one currency, by what they are.
package struct StatementAmounts: Hashable, Sendable {
    /// What moves the balance; what is not there is zero.
    package private(set) var balance: [StatementItem: Int64]
    /// What the PSP and the merchant have between them; what is not there is zero.
    package private(set) var direct: [DirectItem: Int64]

    /// Makes amounts; zeros are left out.
    package init(balance: [StatementItem: Int64] = [:], direct: [DirectItem: Int64] = [:]) {
        self.balance = balance.filter { $0.value != 0 }
        self.direct = direct.filter { $0.value != 0 }
    }

    /// What all of it does to the balance.
    package var net: Int64 { balance.values.reduce(0, +) }

    /// Adds others, item by item.
    package static func += (sum: inout StatementAmounts, other: StatementAmounts) {
        sum = StatementAmounts(
            balance: sum.balance.merging(other.balance, uniquingKeysWith: +),
            direct: sum.direct.merging(other.direct, uniquingKeysWith: +)
        )
    }
}
