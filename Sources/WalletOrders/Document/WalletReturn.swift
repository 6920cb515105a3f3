package import Domain

/// Something the buyer sends back (Apple, `Return`; iOS 17.2).
package struct WalletReturn: Hashable, Sendable {
    /// Where it stands.
    package enum Status: String, Hashable, Sendable, CaseIterable {
        /// Asked for.
        case open
        /// With the carrier.
        case onTheWay
        /// There, being looked at.
        case processing
        /// Something is wrong.
        case issue
        /// Done.
        case completed
        /// Called off.
        case cancelled
    }

    /// The name by which a device recognises it; unique in the order.
    package var externalIdentifier: String
    /// Whose part of the order it is of; nil for goods of several.
    package var payment: PaymentID?
    /// Where it stands.
    package var status: Status
    /// The number the buyer knows it by.
    package var returnNumber: String?
    /// Who carries it.
    package var carrier: String?
    /// Where the buyer manages it.
    package var returnManagementURL: String?
    /// The name of the label's file in the package.
    package var returnLabel: String?
    /// When it was asked for.
    package var initiatedAt: Timestamp?
    /// Until when it has to be handed in.
    package var dropOffBy: Timestamp?
    /// When it came back.
    package var returnedAt: Timestamp?
    /// What is in it.
    package var lineItems: [WalletLineItem]
    /// What the buyer should know.
    package var notes: String?
    /// A sentence on its status.
    package var statusDescription: String?

    /// Makes a return.
    package init(
        externalIdentifier: String,
        payment: PaymentID? = nil,
        status: Status,
        returnNumber: String? = nil,
        carrier: String? = nil,
        returnManagementURL: String? = nil,
        returnLabel: String? = nil,
        initiatedAt: Timestamp? = nil,
        dropOffBy: Timestamp? = nil,
        returnedAt: Timestamp? = nil,
        lineItems: [WalletLineItem] = [],
        notes: String? = nil,
        statusDescription: String? = nil
    ) {
        self.externalIdentifier = externalIdentifier
        self.payment = payment
        self.status = status
        self.returnNumber = returnNumber
        self.carrier = carrier
        self.returnManagementURL = returnManagementURL
        self.returnLabel = returnLabel
        self.initiatedAt = initiatedAt
        self.dropOffBy = dropOffBy
        self.returnedAt = returnedAt
        self.lineItems = lineItems
        self.notes = notes
        self.statusDescription = statusDescription
    }
}

/// A postal address (Apple, `Address`).
package struct WalletAddress: Hashable, Sendable {
    /// Street and number, one line each.
    package var lines: [String]
    /// The town.
    package var locality: String?
    /// A part of the town.
    package var subLocality: String?
    /// The state or region.
    package var administrativeArea: String?
    /// A part of the state.
    package var subAdministrativeArea: String?
    /// The postal code.
    package var postalCode: String?
    /// The country, two letters of ISO 3166-1.
    package var countryCode: String?

    /// Makes an address.
    package init(
        lines: [String] = [],
        locality: String? = nil,
        subLocality: String? = nil,
        administrativeArea: String? = nil,
        subAdministrativeArea: String? = nil,
        postalCode: String? = nil,
        countryCode: String? = nil
    ) {
        self.lines = lines
        self.locality = locality
        self.subLocality = subLocality
        self.administrativeArea = administrativeArea
        self.subAdministrativeArea = subAdministrativeArea
        self.postalCode = postalCode
        self.countryCode = countryCode
    }
}

/// A place on a map, in millionths of a degree, which no rounding changes (Apple, `Location`).
package struct WalletLocation: Hashable, Sendable {
    /// North of the equator, from −90,000,000 to 90,000,000.
    package var latitude: Int64
    /// East of Greenwich, from −180,000,000 to 180,000,000.
    package var longitude: Int64

    /// Makes a place.
    package init(latitude: Int64, longitude: Int64) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// A code the buyer shows (Apple, `Barcode`).
package struct WalletBarcode: Hashable, Sendable {
    /// How it is drawn.
    package enum Format: String, Hashable, Sendable, CaseIterable {
        /// QR Code.
        case qr
        /// PDF417.
        case pdf417
        /// Aztec.
        case aztec
        /// Code 128.
        case code128
    }

    /// How it is drawn.
    package var format: Format
    /// What it says, in ISO 8859-1.
    package var message: String
    /// What is written below it.
    package var altText: String?

    /// Makes a code.
    package init(format: Format, message: String, altText: String? = nil) {
        self.format = format
        self.message = message
        self.altText = altText
    }
}
