package import Domain

/// Where a Wallet order stands (Apple, `Order.status`); the last two close it.
package enum WalletOrderStatus: String, Hashable, Sendable, CaseIterable {
    /// Something is still to come.
    case open
    /// Everything came.
    case completed
    /// Nothing will come.
    case cancelled
}

/// Where a Wallet order's payment stands (Apple, `Payment.status`).
package enum WalletPaymentStatus: String, Hashable, Sendable, CaseIterable {
    /// Not decided.
    case pending
    /// Held on the card.
    case authorized
    /// Taken.
    case paid
    /// Given back.
    case refunded
    /// Refused with nothing held.
    case declined
    /// Held and let go of.
    case voided
}

/// Where one transaction of a Wallet order stands (Apple, `PaymentTransaction.status`).
package enum WalletTransactionStatus: String, Hashable, Sendable, CaseIterable {
    /// Not known yet.
    case pending
    /// Held on the card.
    case approved
    /// Taken, or given back.
    case completed
    /// Let go of.
    case cancelled
    /// Refused.
    case failed
}

/// The part of one submerchant in a Wallet order: a purchase, and what was given back of it.
package struct WalletOrderPayment: Hashable, Sendable {
    /// Money given back of it.
    package struct Refund: Hashable, Sendable {
        /// What was given back, in minor units.
        package var amount: Int64
        /// When.
        package var at: Timestamp
        /// The name of its receipt's file in the package.
        package var receipt: String?

        /// Makes a refund.
        package init(amount: Int64, at: Timestamp, receipt: String? = nil) {
            self.amount = amount
            self.at = at
            self.receipt = receipt
        }
    }

    /// The payment.
    package var id: PaymentID
    /// What the buyer knows the submerchant by.
    package var merchantName: String
    /// What was captured of it, or, before that, what was asked for, in minor units.
    package var amount: Int64
    /// Where its purchase stands.
    package var status: WalletTransactionStatus
    /// When its purchase was made.
    package var createdAt: Timestamp
    /// What was given back of it, in the order of time.
    package var refunds: [Refund]
    /// The name of its receipt's file in the package.
    package var receipt: String?

    /// Makes a payment.
    package init(
        id: PaymentID,
        merchantName: String,
        amount: Int64,
        status: WalletTransactionStatus,
        createdAt: Timestamp,
        refunds: [Refund] = [],
        receipt: String? = nil
    ) {
        self.id = id
        self.merchantName = merchantName
        self.amount = amount
        self.status = status
        self.createdAt = createdAt
        self.refunds = refunds
        self.receipt = receipt
    }
}

/// One line of what was bought (Apple, `LineItem`).
package struct WalletLineItem: Hashable, Sendable {
    /// Whose part of the order it is in; nil for the marketplace's own lines.
    package var payment: PaymentID?
    /// What it is.
    package var title: String
    /// More of what it is; the submerchant's name if absent.
    package var subtitle: String?
    /// How many, above zero.
    package var quantity: Int64
    /// The price of one, in minor units of the order's currency.
    package var price: Int64?
    /// The name of its picture among the images.
    package var image: String?
    /// The Global Trade Item Number.
    package var gtin: String?
    /// The merchant's own number for it.
    package var sku: String?

    /// Makes a line.
    package init(
        payment: PaymentID? = nil,
        title: String,
        subtitle: String? = nil,
        quantity: Int64 = 1,
        price: Int64? = nil,
        image: String? = nil,
        gtin: String? = nil,
        sku: String? = nil
    ) {
        self.payment = payment
        self.title = title
        self.subtitle = subtitle
        self.quantity = quantity
        self.price = price
        self.image = image
        self.gtin = gtin
        self.sku = sku
    }
}
