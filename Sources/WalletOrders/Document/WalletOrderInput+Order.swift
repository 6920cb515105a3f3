package import Domain

extension WalletOrderInput {
    /// What is fixed when a package of an order is issued, and what rises with each version.
    package struct Issue: Hashable, Sendable {
        /// The identifier within the order type.
        package var orderIdentifier: String
        /// The token of this order.
        package var authenticationToken: Secret
        /// When this version was made.
        package var updatedAt: Timestamp

        /// Makes an issue.
        package init(orderIdentifier: String, authenticationToken: Secret, updatedAt: Timestamp) {
            self.orderIdentifier = orderIdentifier
            self.authenticationToken = authenticationToken
            self.updatedAt = updatedAt
        }
    }

    /// A line of an order's payment.
    package enum Transaction: Hashable, Sendable {
        /// What was bought of a payment's merchant.
        case purchase(PaymentID)
        /// What a refund gave back of a payment.
        case refund(RefundID, PaymentID)
    }

    /// What the marketplace told of an order beyond its payments.
    package struct Content: Hashable, Sendable {
        /// What the buyer knows the order by.
        package var orderNumber: String?
        /// What was bought.
        package var lineItems: [WalletLineItem]
        /// What is shipped or picked up.
        package var fulfillments: [WalletFulfillment]
        /// What the buyer sends back.
        package var returns: [WalletReturn]
        /// The names of receipts' files in the package.
        package var receipts: [Transaction: String]
        /// Who bought.
        package var customer: WalletCustomer?
        /// What the buyer paid with; "Apple Pay" if the wallet did not say.
        package var paymentMethod: String?
        /// The identifier of the sheet's transaction.
        package var applePayTransactionIdentifier: String?

        /// Makes a content.
        package init(
            orderNumber: String? = nil,
            lineItems: [WalletLineItem] = [],
            fulfillments: [WalletFulfillment] = [],
            returns: [WalletReturn] = [],
            receipts: [Transaction: String] = [:],
            customer: WalletCustomer? = nil,
            paymentMethod: String? = nil,
            applePayTransactionIdentifier: String? = nil
        ) {
            self.orderNumber = orderNumber
            self.lineItems = lineItems
            self.fulfillments = fulfillments
            self.returns = returns
            self.receipts = receipts
            self.customer = customer
            self.paymentMethod = paymentMethod
            self.applePayTransactionIdentifier = applePayTransactionIdentifier
        }
    }

    /// What a gateway's order says in Wallet: the whole checkout, or one submerchant's part as an order of its own.
    ///
    /// - Parameters:
    ///   - order: the order.
    ///   - payment: the part; nil for the whole checkout.
    ///   - merchantNames: what the buyer knows each payment's submerchant by; its external identifier if absent.
    ///   - content: what the marketplace told of the order.
    ///   - issue: what this package is issued with.
    ///   - texts: what the marketplace says of itself; of a part, with the submerchant as `displayName`.
    package init(
        order: Order,
        of payment: PaymentID? = nil,
        merchantNames: [PaymentID: String],
        content: Content,
        issue: Issue,
        texts: WalletOrderTexts
    ) {
        let payments = order.payments.filter { payment == nil || $0.id == payment }
        var names = merchantNames
        for part in payments where names[part.id] == nil { names[part.id] = part.externalIdentifier }
        func isPart(_ other: PaymentID?) -> Bool { payment == nil || other == payment }
        let isWhole = payment == nil
        func named(_ item: WalletLineItem) -> WalletLineItem {
            var item = item
            if isWhole, item.subtitle == nil { item.subtitle = item.payment.flatMap { names[$0] } }
            return item
        }
        let fulfillments = content.fulfillments.filter { isPart($0.payment) }.map { fulfillment in
            var named = fulfillment
            named.merchantName = fulfillment.merchantName ?? fulfillment.payment.flatMap { names[$0] }
            return named
        }
        let standing = WalletOrderStanding(
            order,
            of: payment,
            merchantNames: names,
            fulfillments: fulfillments
        )
        self.init(
            orderIdentifier: issue.orderIdentifier,
            orderNumber: content.orderNumber ?? order.reference,
            authenticationToken: issue.authenticationToken,
            createdAt: order.createdAt,
            updatedAt: issue.updatedAt,
            currency: order.amount.currency,
            total: standing.total,
            status: standing.status,
            statusDescription: standing.statusDescription,
            paymentStatus: standing.paymentStatus,
            payments: payments.map {
                WalletOrderPayment(
                    $0,
                    merchantName: names[$0.id] ?? "",
                    placedAt: order.createdAt,
                    receipts: content.receipts
                )
            },
            lineItems: content.lineItems.filter { isPart($0.payment) }.map(named),
            fulfillments: fulfillments,
            returns: content.returns.filter { isPart($0.payment) },
            customer: content.customer,
            paymentMethod: content.paymentMethod ?? "Apple Pay",
            applePayTransactionIdentifier: content.applePayTransactionIdentifier,
            texts: texts
        )
    }
}
