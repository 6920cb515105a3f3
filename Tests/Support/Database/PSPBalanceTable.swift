package import Domain
package import SQL
import Storage

/// What the books say that PSPs hold of the marketplace's money.
package enum PSPBalanceTable {
    /// What one PSP account holds in one currency, in minor units.
    package struct Balance: Hashable, Sendable {
        /// The PSP account.
        package let pspAccount: String
        /// The currency.
        package let currency: Currency
        /// Captured and not yet paid out.
        package var clearing: Int64
        /// Held back.
        package var reserve: Int64
        /// What it did that nobody has explained yet: above zero, the account gave us less than the books say.
        package var suspense: Int64
    }

    /// The balances of a marketplace's PSP accounts that have any, by account and currency.
    ///
    /// - Throws: `SQLError`.
    package static func balances(of marketplace: String, in session: any Session) throws(SQLError) -> [Balance] {
        var balances: [Key: Balance] = [:]
        for held in try LedgerBalances.all(of: marketplace, in: session) {
            guard let account = Account(path: held.account) else {
                throw .unexpectedValue(column: "account")
            }
            let (currency, amount) = (held.currency, held.balance)
            guard let name = name(of: account) else { continue }
            let fresh = Balance(pspAccount: name, currency: currency, clearing: 0, reserve: 0, suspense: 0)
            let key = Key(name: name, currency: currency.code)
            switch account {
            case .reserve: balances[key, default: fresh].reserve += amount
            case .suspense: balances[key, default: fresh].suspense += amount
            default: balances[key, default: fresh].clearing += amount
            }
        }
        return balances.values.sorted { ($0.pspAccount, $0.currency.code) < ($1.pspAccount, $1.currency.code) }
    }

    private struct Key: Hashable {
        let name: String
        let currency: String
    }

    private static func name(of account: Account) -> String? {
        switch account {
        case .clearing(let name), .reserve(let name), .suspense(let name): name
        default: nil
        }
    }
}
