package import Domain
package import SQL

/// Wallet tokens that an order has used up: each pays once, whatever instance it is sent to.
///
/// They are kept for good: a window may be off, and a token that is passed on unopened is not held against any.
package enum WalletTokenTable {
    /// Uses a token up for an order.
    ///
    /// - Parameters:
    ///   - transaction: what the wallet names the token by.
    ///   - wallet: the wallet, for example `apple_pay`.
    ///   - order: the order that it pays.
    ///   - marketplace: whose order that is.
    ///   - now: the present moment.
    ///   - session: the transaction that writes the order down.
    /// - Returns: false if the token was used before.
    /// - Throws: `SQLError`.
    package static func use(
        _ transaction: String,
        of wallet: String,
        for order: OrderID,
        of marketplace: String,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) -> Bool {
        try session.change(
            """
            INSERT INTO wallet_token (wallet, transaction_id, marketplace, order_id, used_at)
            VALUES (\(wallet), \(transaction), \(marketplace), \(order), \(now))
            ON CONFLICT (wallet, transaction_id) DO NOTHING
            """
        ) == 1
    }
}
