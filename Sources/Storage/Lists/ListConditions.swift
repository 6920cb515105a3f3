import Domain
import SQL

/// Conditions on the rows, called `looked`, that a list looks at (``BoundedScan``).
extension SQL {
    /// Whether it is of an order in a currency.
    static func ofOrders(in currency: Currency) -> SQL {
        "EXISTS (SELECT 1 FROM orders AS o WHERE o.id = looked.order_id AND o.currency = \(currency.code))"
    }

    /// Whether it is of a payment to a merchant.
    static func ofPayments(to merchant: MerchantID) -> SQL {
        """
        EXISTS (SELECT 1 FROM payment AS p WHERE p.order_id = looked.order_id AND p.id = looked.payment_id
            AND p.merchant = \(merchant))
        """
    }
}
