/// A token context of an order, as far as it matters which authentication response belongs to it.
package struct BundleContext: Hashable, Sendable {
    /// Where the money of a payment goes; two contexts with the same cannot be told apart by whoever is paid.
    package struct Settlement: Hashable, Sendable {
        /// The PSP account that authorizes the payment.
        package let pspAccount: String
        /// The merchant's account there; nil if the PSP account is the merchant's own.
        package let merchantAccount: String?

        /// Makes a target.
        package init(pspAccount: String, merchantAccount: String?) {
            self.pspAccount = pspAccount
            self.merchantAccount = merchantAccount
        }
    }

    /// Its place among the order's contexts, from 0.
    package let position: Int
    /// The merchant's stable identifier in the order.
    package let externalIdentifier: String
    /// The merchant identifier that Apple was given for it; nil if the merchant has none.
    package let merchantIdentifier: String?
    /// The amount in the currency's minor unit.
    package let amount: Int64
    /// Where its money goes.
    package let settlement: Settlement

    /// Makes a context.
    package init(
        position: Int,
        externalIdentifier: String,
        merchantIdentifier: String?,
        amount: Int64,
        settlement: Settlement
    ) {
        self.position = position
        self.externalIdentifier = externalIdentifier
        self.merchantIdentifier = merchantIdentifier
        self.amount = amount
        self.settlement = settlement
    }
}
