import Domain
package import StrictJSON

/// One version of a Wallet order as `order.json` says it.
package struct WalletOrderDocument: Hashable, Sendable {
    /// The input it was made of.
    package let input: WalletOrderInput
    /// The document.
    package let document: JSON

    /// Makes the document, and checks it against Apple's schema and the lengths of ``WalletOrderLimits``.
    ///
    /// An order is refused by this when it is placed or told of, so that nothing is wrong when it is fetched.
    ///
    /// - Throws: everything that is wrong, by pointers into `order.json`.
    package init(_ input: WalletOrderInput) throws(WalletOrderProblems) {
        self.input = input
        document = DocumentWriter(input: input).document
        try WalletOrderProblems.throwIfAny(OrderSchema(hasOwnLimits: true).violations(of: document))
    }

    /// The bytes of `order.json`.
    package var json: [UInt8] { document.bytes }
}

/// Everything for which a Wallet order or its package is refused.
package struct WalletOrderProblems: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong; never empty.
    ///
    /// Pointers lead into `order.json`; of what is not in it, into `/images/NAME` and `/localisations/LANGUAGE/KEY`, or to
    /// the whole package.
    package let all: [Violation]

    /// The sentences, one after another.
    package var description: String { all.map(\.description).joined(separator: "; ") }

    init(_ all: [Violation]) { self.all = all }

    /// Throws everything that is wrong, if anything is.
    package static func throwIfAny(_ violations: [Violation]) throws(WalletOrderProblems) {
        guard violations.isEmpty else { throw WalletOrderProblems(violations) }
    }
}

/// What the gateway takes; Apple names no limits but the package's size and its images'.
package enum WalletOrderLimits {
    /// Names, titles and labels, in characters.
    package static let label = 100
    /// Identifiers and numbers, in characters.
    package static let identifier = 100
    /// Sentences on a status, in characters.
    package static let sentence = 300
    /// Notes, in characters.
    package static let notes = 1000
    /// URLs, in characters.
    package static let url = 2000
    /// Lines of an order, of a fulfillment and of a return.
    package static let lineItems = 200
    /// Fulfillments, and returns, of an order.
    package static let fulfillments = 100
    /// Languages of the localisations.
    package static let languages = 50
    /// Texts of a language.
    package static let localisedTexts = 200
    /// The size of a package, in bytes: it has to be below.
    package static let packageBytes = 5_000_000
    /// The width and height of an image, in pixels.
    package static let imageSide = 300
    /// Images of a package.
    package static let images = 100
    /// Pictures of what was bought, of an order.
    package static let pictures = 20
    /// The size of such a picture, in bytes.
    package static let pictureBytes = 100_000
    /// The size of a marketplace's own picture, which stands in every package, in bytes: it leaves room for the rest.
    package static let ownPictureBytes = 500_000
    /// The size of a receipt or a label, in bytes.
    package static let paperBytes = 150_000
}

/// Writes the members in the order of Apple's page; what is absent is left out.
private struct DocumentWriter {
    let input: WalletOrderInput

    var document: JSON {
        let texts = input.texts
        return .object(omittingAbsent: [
            "schemaVersion": 1,
            "orderTypeIdentifier": .string(texts.orderTypeIdentifier),
            "orderIdentifier": .string(input.orderIdentifier),
            "orderType": "ecommerce",
            "orderNumber": input.orderNumber.map(JSON.string),
            "status": .string(input.status.rawValue),
            "statusDescription": input.statusDescription.map(JSON.string),
            "createdAt": time(input.createdAt),
            "updatedAt": time(input.updatedAt),
            "orderManagementURL": .string(texts.orderManagementURL),
            "merchant": .object(omittingAbsent: [
                "merchantIdentifier": .string(texts.merchantIdentifier),
                "displayName": .string(texts.displayName),
                "url": .string(texts.url ?? texts.orderManagementURL),
                "logo": texts.logo.map(image),
            ]),
            "customer": input.customer.map(customer),
            "payment": payment,
            "lineItems": lineItems(input.lineItems),
            "fulfillments": list(input.fulfillments.map(fulfillment)),
            "returns": list(input.returns.map(walletReturn)),
            "orderProvider": texts.orderProvider.map(provider),
            "webServiceURL": .string(texts.webServiceURL),
            "authenticationToken": .string(input.authenticationToken.reveal()),
        ])
    }

    private var payment: JSON {
        // What was refused or let go of is no part of the total.
        let parts = input.payments.filter { $0.status != .failed && $0.status != .cancelled }
        // Lines that do not add up to the total say less than none: while more may be captured, or a part was refused.
        let isSum = parts.reduce(0) { $0 + $1.amount } == input.total
        let purchases = input.payments.map { part in
            transaction(part.amount, part.createdAt, part.status, "purchase", part.receipt)
        }
        let refunds = input.payments.flatMap(\.refunds).sorted { $0.at < $1.at }.map { refund in
            transaction(refund.amount, refund.at, .completed, "refund", refund.receipt)
        }
        return .object(omittingAbsent: [
            "status": .string(input.paymentStatus.rawValue),
            "total": amount(input.total),
            "summaryItems": parts.count < 2 || !isSum
                ? nil
                : .some(
                    .array(parts.map { ["label": .string($0.merchantName), "value": amount($0.amount)] })
                ),
            "transactions": list(purchases + refunds),
        ])
    }

    private func transaction(
        _ minorUnits: Int64,
        _ createdAt: Timestamp,
        _ status: WalletTransactionStatus,
        _ kind: String,
        _ receipt: String?
    ) -> JSON {
        .object(omittingAbsent: [
            "transactionType": .string(kind),
            "status": .string(status.rawValue),
            "amount": amount(minorUnits),
            "createdAt": time(createdAt),
            "paymentMethod": ["displayName": .string(input.paymentMethod)],
            "applePayTransactionIdentifier": input.applePayTransactionIdentifier.map(JSON.string),
            "receipt": receipt.map(JSON.string),
        ])
    }

    private func fulfillment(_ fulfillment: WalletFulfillment) -> JSON {
        switch fulfillment.details {
        case .shipping(let shipping): self.shipping(fulfillment, shipping)
        case .pickup(let pickup): self.pickup(fulfillment, pickup)
        }
    }

    private func shipping(_ fulfillment: WalletFulfillment, _ shipping: WalletShipping) -> JSON {
        .object(omittingAbsent: [
            "fulfillmentIdentifier": .string(fulfillment.externalIdentifier),
            "fulfillmentType": "shipping",
            "shippingType": shipping.kind.map { .string($0.rawValue) },
            "status": .string(shipping.status.rawValue),
            "statusDescription": fulfillment.statusDescription.map(JSON.string),
            "carrier": shipping.carrier.map(JSON.string),
            "trackingNumber": shipping.trackingNumber.map(JSON.string),
            "trackingURL": shipping.trackingURL.map(JSON.string),
            "shippedAt": shipping.shippedAt.map(time),
            "deliveredAt": shipping.deliveredAt.map(time),
            "estimatedDeliveryAt": shipping.estimatedDeliveryAt.map(time),
            "estimatedDeliveryWindowDuration": shipping.estimatedDeliveryWindow.map(JSON.string),
            "recipient": shipping.recipient.map { recipient in
                .object(omittingAbsent: [
                    "givenName": recipient.givenName.map(JSON.string),
                    "familyName": recipient.familyName.map(JSON.string),
                    "organizationName": recipient.organizationName.map(JSON.string),
                    "address": recipient.address.map(address),
                ])
            },
            "lineItems": lineItems(fulfillment.lineItems),
            "notes": (fulfillment.notes ?? fulfillment.merchantName).map(JSON.string),
        ])
    }

    private func pickup(_ fulfillment: WalletFulfillment, _ pickup: WalletPickup) -> JSON {
        .object(omittingAbsent: [
            "fulfillmentIdentifier": .string(fulfillment.externalIdentifier),
            "fulfillmentType": "pickup",
            "displayName": .string(pickup.displayName ?? fulfillment.merchantName ?? input.texts.displayName),
            "status": .string(pickup.status.rawValue),
            "statusDescription": fulfillment.statusDescription.map(JSON.string),
            "address": pickup.address.map(address),
            "location": pickup.location.map { location in
                ["latitude": .number(degrees(location.latitude)), "longitude": .number(degrees(location.longitude))]
            },
            "barcode": pickup.barcode.map { barcode in
                .object(omittingAbsent: [
                    "format": .string(barcode.format.rawValue),
                    "message": .string(barcode.message),
                    "messageEncoding": "iso-8859-1",
                    "altText": barcode.altText.map(JSON.string),
                ])
            },
            "pickupAt": pickup.pickupAt.map(time),
            "pickupWindowDuration": pickup.pickupWindow.map(JSON.string),
            "pickedUpAt": pickup.pickedUpAt.map(time),
            "lineItems": lineItems(fulfillment.lineItems),
            "notes": fulfillment.notes.map(JSON.string),
        ])
    }

    private func walletReturn(_ told: WalletReturn) -> JSON {
        .object(omittingAbsent: [
            "returnIdentifier": .string(told.externalIdentifier),
            "returnNumber": told.returnNumber.map(JSON.string),
            "status": .string(told.status.rawValue),
            "statusDescription": told.statusDescription.map(JSON.string),
            "carrier": told.carrier.map(JSON.string),
            "returnManagementURL": told.returnManagementURL.map(JSON.string),
            "returnLabel": told.returnLabel.map(JSON.string),
            "initiatedAt": told.initiatedAt.map(time),
            "dropOffBy": told.dropOffBy.map(time),
            "returnedAt": told.returnedAt.map(time),
            "lineItems": lineItems(told.lineItems),
            "notes": told.notes.map(JSON.string),
        ])
    }

    private func lineItems(_ items: [WalletLineItem]) -> JSON? {
        list(
            items.map { item in
                .object(omittingAbsent: [
                    "title": .string(item.title),
                    "subtitle": item.subtitle.map(JSON.string),
                    "quantity": .integer(item.quantity),
                    "price": item.price.map(amount),
                    "image": item.image.map(image),
                    "gtin": item.gtin.map(JSON.string),
                    "sku": item.sku.map(JSON.string),
                ])
            }
        )
    }

    private func address(_ address: WalletAddress) -> JSON {
        .object(omittingAbsent: [
            "addressLines": list(address.lines.map(JSON.string)),
            "locality": address.locality.map(JSON.string),
            "subLocality": address.subLocality.map(JSON.string),
            "administrativeArea": address.administrativeArea.map(JSON.string),
            "subAdministrativeArea": address.subAdministrativeArea.map(JSON.string),
            "postalCode": address.postalCode.map(JSON.string),
            "countryCode": address.countryCode.map(JSON.string),
        ])
    }

    private func customer(_ customer: WalletCustomer) -> JSON {
        .object(omittingAbsent: [
            "givenName": customer.givenName.map(JSON.string),
            "familyName": customer.familyName.map(JSON.string),
            "organizationName": customer.organizationName.map(JSON.string),
            "emailAddress": customer.emailAddress.map(JSON.string),
            "phoneNumber": customer.phoneNumber.map(JSON.string),
        ])
    }

    private func provider(_ provider: WalletOrderTexts.Provider) -> JSON {
        [
            "displayName": .string(provider.displayName),
            "url": .string(provider.url),
            "trackingLogoNameDarkColorScheme": image(provider.trackingLogoDark),
            "trackingLogoNameLightColorScheme": image(provider.trackingLogoLight),
        ]
    }

    private func amount(_ minorUnits: Int64) -> JSON {
        ["amount": .string(input.currency.decimal(minorUnits)), "currency": .string(input.currency.code)]
    }

    private func image(_ name: String) -> JSON { .string(ImageName(name).stem) }

    private func time(_ moment: Timestamp) -> JSON { .string(moment.wholeSecond.wholeSeconds) }

    private func list(_ elements: [JSON]) -> JSON? { elements.isEmpty ? nil : .array(elements) }

    /// Millionths of a degree as a decimal number.
    private func degrees(_ millionths: Int64) -> String {
        let digits = String(millionths.magnitude)
        let padded = String(repeating: "0", count: max(0, 7 - digits.utf8.count)) + digits
        return "\(millionths < 0 ? "-" : "")\(padded.dropLast(6)).\(padded.suffix(6))"
    }
}
