package import Domain

/// Everything that one version of a Wallet order says, as plain values.
///
/// What stands in it is written as it is: ``WalletOrderDocument`` checks it and decides nothing. See
/// ``init(order:scope:merchants:content:issue:texts:)`` for where a gateway's order comes in.
package struct WalletOrderInput: Hashable, Sendable {
    /// The order's identifier within the order type; never shown.
    package var orderIdentifier: String
    /// What the buyer knows the order by.
    package var orderNumber: String?
    /// What a device shows to the web service to see this order and no other; at least 16 characters.
    package var authenticationToken: Secret
    /// When the order was placed.
    package var createdAt: Timestamp
    /// When this version was made, in whole seconds: at least one after the version before.
    package var updatedAt: Timestamp
    /// The currency of all amounts.
    package var currency: Currency
    /// The amount the buyer confirmed, or, once no more can be captured, what was; in minor units.
    package var total: Int64
    /// Where the order stands.
    package var status: WalletOrderStatus
    /// A sentence on where it stands; looked up in the localisations as it is.
    package var statusDescription: String?
    /// Where its payment stands.
    package var paymentStatus: WalletPaymentStatus
    /// The part of each submerchant.
    package var payments: [WalletOrderPayment]
    /// What was bought.
    package var lineItems: [WalletLineItem]
    /// What is shipped or picked up, each by its external identifier.
    package var fulfillments: [WalletFulfillment]
    /// What the buyer sends back.
    package var returns: [WalletReturn]
    /// Who bought.
    package var customer: WalletCustomer?
    /// What the buyer paid with, `Visa 1234`.
    package var paymentMethod: String
    /// The identifier of the sheet's transaction, which all parts of one sheet share; nil if it was not Apple Pay.
    package var applePayTransactionIdentifier: String?
    /// What the marketplace says of itself.
    package var texts: WalletOrderTexts

    /// Makes an input of values that somebody else decided on.
    package init(
        orderIdentifier: String,
        orderNumber: String? = nil,
        authenticationToken: Secret,
        createdAt: Timestamp,
        updatedAt: Timestamp,
        currency: Currency,
        total: Int64,
        status: WalletOrderStatus,
        statusDescription: String? = nil,
        paymentStatus: WalletPaymentStatus,
        payments: [WalletOrderPayment] = [],
        lineItems: [WalletLineItem] = [],
        fulfillments: [WalletFulfillment] = [],
        returns: [WalletReturn] = [],
        customer: WalletCustomer? = nil,
        paymentMethod: String,
        applePayTransactionIdentifier: String? = nil,
        texts: WalletOrderTexts
    ) {
        self.orderIdentifier = orderIdentifier
        self.orderNumber = orderNumber
        self.authenticationToken = authenticationToken
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.currency = currency
        self.total = total
        self.status = status
        self.statusDescription = statusDescription
        self.paymentStatus = paymentStatus
        self.payments = payments
        self.lineItems = lineItems
        self.fulfillments = fulfillments
        self.returns = returns
        self.customer = customer
        self.paymentMethod = paymentMethod
        self.applePayTransactionIdentifier = applePayTransactionIdentifier
        self.texts = texts
    }
}

/// What a marketplace says of itself in each of its Wallet orders.
package struct WalletOrderTexts: Hashable, Sendable {
    /// Who gives the order's data to Wallet, where that is not the merchant shown (iOS 17.4).
    package struct Provider: Hashable, Sendable {
        /// What the buyer knows it by.
        package var displayName: String
        /// Its page.
        package var url: String
        /// The name of the logo beside a tracking link, on a light background.
        package var trackingLogoLight: String
        /// The name of the logo beside a tracking link, on a dark background.
        package var trackingLogoDark: String

        /// Makes a provider.
        package init(displayName: String, url: String, trackingLogoLight: String, trackingLogoDark: String) {
            self.displayName = displayName
            self.url = url
            self.trackingLogoLight = trackingLogoLight
            self.trackingLogoDark = trackingLogoDark
        }
    }

    /// What the buyer knows the marketplace by; of a submerchant's own package, the submerchant.
    package var displayName: String
    /// The marketplace's page; the management URL if it has none.
    package var url: String?
    /// Where the buyer manages the order.
    package var orderManagementURL: String
    /// Where devices ask for the order, below which `/v1` begins; must begin with `https://`.
    package var webServiceURL: String
    /// The order type, `order.com.example.shop`.
    package var orderTypeIdentifier: String
    /// An Apple merchant identifier of the account that signs.
    package var merchantIdentifier: String
    /// The name of the logo among the images; nil if there is none.
    package var logo: String?
    /// Texts by language (`en`, `pt-BR`) and key; a text of the document that is a key is shown in the buyer's language.
    package var localisations: [String: [String: String]]
    /// Who gives the data instead of the merchant.
    package var orderProvider: Provider?

    /// Makes texts.
    package init(
        displayName: String,
        url: String? = nil,
        orderManagementURL: String,
        webServiceURL: String,
        orderTypeIdentifier: String,
        merchantIdentifier: String,
        logo: String? = nil,
        localisations: [String: [String: String]] = [:],
        orderProvider: Provider? = nil
    ) {
        self.displayName = displayName
        self.url = url
        self.orderManagementURL = orderManagementURL
        self.webServiceURL = webServiceURL
        self.orderTypeIdentifier = orderTypeIdentifier
        self.merchantIdentifier = merchantIdentifier
        self.logo = logo
        self.localisations = localisations
        self.orderProvider = orderProvider
    }
}

/// Who bought, as far as the marketplace tells.
package struct WalletCustomer: Hashable, Sendable {
    /// The given name.
    package var givenName: String?
    /// The family name.
    package var familyName: String?
    /// The organization.
    package var organizationName: String?
    /// The e-mail address.
    package var emailAddress: String?
    /// The telephone number.
    package var phoneNumber: String?

    /// Makes a customer.
    package init(
        givenName: String? = nil,
        familyName: String? = nil,
        organizationName: String? = nil,
        emailAddress: String? = nil,
        phoneNumber: String? = nil
    ) {
        self.givenName = givenName
        self.familyName = familyName
        self.organizationName = organizationName
        self.emailAddress = emailAddress
        self.phoneNumber = phoneNumber
    }
}
