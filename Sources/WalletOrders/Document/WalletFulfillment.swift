package import Domain

/// How goods of an order come to the buyer: shipped or picked up (Apple, `ShippingFulfillment`, `PickupFulfillment`).
///
/// There is no kind for digital goods or travel: an order of those has none.
package struct WalletFulfillment: Hashable, Sendable {
    /// The two kinds.
    package enum Details: Hashable, Sendable {
        /// Something is sent.
        case shipping(WalletShipping)
        /// Something is waiting.
        case pickup(WalletPickup)
    }

    /// The marketplace's or the merchant's name for it, by which a device recognises it; unique in the order.
    package var externalIdentifier: String
    /// Whose part of the order it fulfills; nil for goods of several.
    package var payment: PaymentID?
    /// What the buyer knows the submerchant by; a pickup is headed by it.
    package var merchantName: String?
    /// Shipping or pickup.
    package var details: Details
    /// What is in it.
    package var lineItems: [WalletLineItem]
    /// What the buyer should know; the submerchant's name of a shipping without any.
    package var notes: String?
    /// A sentence on its status.
    package var statusDescription: String?

    /// Makes a fulfillment.
    package init(
        externalIdentifier: String,
        payment: PaymentID? = nil,
        merchantName: String? = nil,
        details: Details,
        lineItems: [WalletLineItem] = [],
        notes: String? = nil,
        statusDescription: String? = nil
    ) {
        self.externalIdentifier = externalIdentifier
        self.payment = payment
        self.merchantName = merchantName
        self.details = details
        self.lineItems = lineItems
        self.notes = notes
        self.statusDescription = statusDescription
    }

    /// Whether nothing more is to come of it.
    package var isClosed: Bool {
        switch details {
        case .shipping(let shipping): shipping.status == .delivered || shipping.status == .cancelled
        case .pickup(let pickup): pickup.status == .pickedUp || pickup.status == .cancelled
        }
    }

    /// Whether it was called off.
    package var isCancelled: Bool {
        switch details {
        case .shipping(let shipping): shipping.status == .cancelled
        case .pickup(let pickup): pickup.status == .cancelled
        }
    }
}

/// A shipping (Apple, `ShippingFulfillment`).
package struct WalletShipping: Hashable, Sendable {
    /// Where it stands.
    package enum Status: String, Hashable, Sendable, CaseIterable {
        /// Not begun.
        case open
        /// Being prepared.
        case processing
        /// With the carrier.
        case onTheWay
        /// Coming today.
        case outForDelivery
        /// There.
        case delivered
        /// Given to the carrier, who says no more.
        case shipped
        /// Something is wrong.
        case issue
        /// Called off.
        case cancelled
    }

    /// How it comes.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// By a carrier.
        case shipping
        /// By the merchant or a courier.
        case delivery
    }

    /// Who gets it.
    package struct Recipient: Hashable, Sendable {
        /// The given name.
        package var givenName: String?
        /// The family name.
        package var familyName: String?
        /// The organization.
        package var organizationName: String?
        /// Where.
        package var address: WalletAddress?

        /// Makes a recipient.
        package init(
            givenName: String? = nil,
            familyName: String? = nil,
            organizationName: String? = nil,
            address: WalletAddress? = nil
        ) {
            self.givenName = givenName
            self.familyName = familyName
            self.organizationName = organizationName
            self.address = address
        }
    }

    /// Where it stands.
    package var status: Status
    /// How it comes; by a carrier unless said.
    package var kind: Kind?
    /// Who carries it.
    package var carrier: String?
    /// The carrier's number for it.
    package var trackingNumber: String?
    /// The carrier's page of it.
    package var trackingURL: String?
    /// When it was sent.
    package var shippedAt: Timestamp?
    /// When it came.
    package var deliveredAt: Timestamp?
    /// When it should come.
    package var estimatedDeliveryAt: Timestamp?
    /// How long after that it may come, as ISO 8601 writes it: `PT2H`, `P1D`.
    package var estimatedDeliveryWindow: String?
    /// Who gets it.
    package var recipient: Recipient?

    /// Makes a shipping.
    package init(
        status: Status,
        kind: Kind? = nil,
        carrier: String? = nil,
        trackingNumber: String? = nil,
        trackingURL: String? = nil,
        shippedAt: Timestamp? = nil,
        deliveredAt: Timestamp? = nil,
        estimatedDeliveryAt: Timestamp? = nil,
        estimatedDeliveryWindow: String? = nil,
        recipient: Recipient? = nil
    ) {
        self.status = status
        self.kind = kind
        self.carrier = carrier
        self.trackingNumber = trackingNumber
        self.trackingURL = trackingURL
        self.shippedAt = shippedAt
        self.deliveredAt = deliveredAt
        self.estimatedDeliveryAt = estimatedDeliveryAt
        self.estimatedDeliveryWindow = estimatedDeliveryWindow
        self.recipient = recipient
    }
}

/// A pickup (Apple, `PickupFulfillment`).
package struct WalletPickup: Hashable, Sendable {
    /// Where it stands.
    package enum Status: String, Hashable, Sendable, CaseIterable {
        /// Not begun.
        case open
        /// Being prepared.
        case processing
        /// Waiting for the buyer.
        case readyForPickup
        /// With the buyer.
        case pickedUp
        /// Something is wrong.
        case issue
        /// Called off.
        case cancelled
    }

    /// Where it stands.
    package var status: Status
    /// What the place is called; the submerchant's name if absent.
    package var displayName: String?
    /// Where it is.
    package var address: WalletAddress?
    /// Where that is on a map.
    package var location: WalletLocation?
    /// What the buyer shows.
    package var barcode: WalletBarcode?
    /// From when on it can be picked up.
    package var pickupAt: Timestamp?
    /// How long from then, as ISO 8601 writes it.
    package var pickupWindow: String?
    /// When it was picked up.
    package var pickedUpAt: Timestamp?

    /// Makes a pickup.
    package init(
        status: Status,
        displayName: String? = nil,
        address: WalletAddress? = nil,
        location: WalletLocation? = nil,
        barcode: WalletBarcode? = nil,
        pickupAt: Timestamp? = nil,
        pickupWindow: String? = nil,
        pickedUpAt: Timestamp? = nil
    ) {
        self.status = status
        self.displayName = displayName
        self.address = address
        self.location = location
        self.barcode = barcode
        self.pickupAt = pickupAt
        self.pickupWindow = pickupWindow
        self.pickedUpAt = pickedUpAt
    }
}
