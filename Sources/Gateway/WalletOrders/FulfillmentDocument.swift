package import Domain
package import StrictJSON
import WalletOrders

/// How goods of a payment come to the buyer, as a marketplace or a merchant tells it: `PUT
/// /v1/orders/{id}/fulfillments/{external_identifier}`.
///
/// The document is stored as it came, sealed, and read again for each package. The words of `status`, `shipping_type` and
/// `format` are Apple's own.
package struct FulfillmentDocument: Hashable, Sendable {
    /// What was told, without the payment.
    package let json: JSON
    /// The payment that it names; nil if it names none.
    package let payment: PaymentID?
    private let fulfillment: WalletFulfillment

    /// Reads a document.
    ///
    /// - Throws: `InvalidDocument` with everything that is wrong, by pointer.
    package init(_ json: JSON) throws(InvalidDocument) {
        let (payment, fulfillment) = try json.read(refusingNull: true) { body -> (PaymentID?, WalletFulfillment)? in
            let payment = body.parsed("payment", .optional, expecting: "a payment's id") { PaymentID($0) }
            return Self.fulfillment(body).map { fulfillment in (payment, fulfillment) }
        }
        self.payment = payment
        self.fulfillment = fulfillment
        self.json = .object((json.objectValue ?? []).filter { !$0.key.utf8.elementsEqual("payment".utf8) })
    }

    /// What is told, as Wallet shows it: under its identifier there, of the payment whose goods it brings.
    func fulfillment(_ id: String, of payment: PaymentID) -> WalletFulfillment {
        var told = fulfillment
        told.externalIdentifier = id
        told.payment = payment
        told.lineItems = told.lineItems.map { item in
            var item = item
            item.payment = payment
            return item
        }
        return told
    }

    private static func fulfillment(_ body: ObjectReader) -> WalletFulfillment? {
        let details: WalletFulfillment.Details? =
            switch body.string("type", oneOf: ["shipping", "pickup"]) {
            case "shipping": shipping(body).map { .shipping($0) }
            case "pickup": pickup(body).map { .pickup($0) }
            default: ignored(body)
            }
        let items = body.array("line_items", .optional, count: 1...100) { lineItem($0) }
        let notes = text(body, "notes", WalletOrderLimits.notes)
        let status = text(body, "status_description", WalletOrderLimits.sentence)
        return details.map {
            WalletFulfillment(
                externalIdentifier: "",
                details: $0,
                lineItems: items ?? [],
                notes: notes,
                statusDescription: status
            )
        }
    }

    /// What a type that is not known would be made of, nobody can say.
    private static func ignored(_ body: ObjectReader) -> WalletFulfillment.Details? {
        for key in body.keys { body.ignore(key) }
        return nil
    }

    private static func shipping(_ body: ObjectReader) -> WalletShipping? {
        let status = body.choice("status", of: WalletShipping.Status.self)
        let kind = body.choice("shipping_type", .optional, of: WalletShipping.Kind.self)
        let carrier = text(body, "carrier", WalletOrderLimits.label)
        let number = text(body, "tracking_number", WalletOrderLimits.identifier)
        let page = text(body, "tracking_url", WalletOrderLimits.url)
        let times = times(body, ["shipped_at", "delivered_at", "estimated_delivery_at"])
        let window = text(body, "estimated_delivery_window", 40)
        let recipient = body.object("recipient", .optional) { Self.recipient($0) }
        return status.map {
            WalletShipping(
                status: $0,
                kind: kind,
                carrier: carrier,
                trackingNumber: number,
                trackingURL: page,
                shippedAt: times[0],
                deliveredAt: times[1],
                estimatedDeliveryAt: times[2],
                estimatedDeliveryWindow: window,
                recipient: recipient
            )
        }
    }

    private static func recipient(_ body: ObjectReader) -> WalletShipping.Recipient? {
        let names = labels(body, ["given_name", "family_name", "organization_name"])
        let address = body.object("address", .optional) { Self.address($0) }
        return WalletShipping.Recipient(
            givenName: names[0],
            familyName: names[1],
            organizationName: names[2],
            address: address
        )
    }

    private static func pickup(_ body: ObjectReader) -> WalletPickup? {
        let status = body.choice("status", of: WalletPickup.Status.self)
        let name = text(body, "display_name", WalletOrderLimits.label)
        let address = body.object("address", .optional) { Self.address($0) }
        let location = body.object("location", .optional) { Self.location($0) }
        let barcode = body.object("barcode", .optional) { Self.barcode($0) }
        let times = times(body, ["pickup_at", "picked_up_at"])
        let window = text(body, "pickup_window", 40)
        return status.map {
            WalletPickup(
                status: $0,
                displayName: name,
                address: address,
                location: location,
                barcode: barcode,
                pickupAt: times[0],
                pickupWindow: window,
                pickedUpAt: times[1]
            )
        }
    }

    private static func address(_ body: ObjectReader) -> WalletAddress? {
        let lines = body.strings("lines", .optional, count: 1...10, by: TextRule.freeText.accept)
        let keys = ["locality", "sub_locality", "administrative_area", "sub_administrative_area", "postal_code"]
        let parts = labels(body, keys)
        let country = text(body, "country", 2)
        return WalletAddress(
            lines: lines ?? [],
            locality: parts[0],
            subLocality: parts[1],
            administrativeArea: parts[2],
            subAdministrativeArea: parts[3],
            postalCode: parts[4],
            countryCode: country
        )
    }

    private static func location(_ body: ObjectReader) -> WalletLocation? {
        let latitude = body.integer("latitude_e6", in: -90_000_000...90_000_000)
        let longitude = body.integer("longitude_e6", in: -180_000_000...180_000_000)
        guard let latitude, let longitude else { return nil }
        return WalletLocation(latitude: latitude, longitude: longitude)
    }

    private static func barcode(_ body: ObjectReader) -> WalletBarcode? {
        let format = body.choice("format", of: WalletBarcode.Format.self)
        let message = body.string("message", length: 1...WalletOrderLimits.sentence, by: TextRule.freeText.accept)
        let alternative = text(body, "alt_text", WalletOrderLimits.label)
        guard let format, let message else { return nil }
        return WalletBarcode(format: format, message: message, altText: alternative)
    }

    private static func lineItem(_ body: ObjectReader) -> WalletLineItem? {
        let title = body.string("title", length: 1...WalletOrderLimits.label, by: TextRule.freeText.accept)
        let quantity = body.integer("quantity", in: 1...1_000_000)
        let sku = text(body, "product_code", WalletOrderLimits.identifier)
        guard let title, let quantity else { return nil }
        return WalletLineItem(title: title, quantity: quantity, sku: sku)
    }

    private static func text(_ body: ObjectReader, _ key: String, _ limit: Int) -> String? {
        body.string(key, .optional, length: 1...limit, by: TextRule.freeText.accept)
    }

    private static func labels(_ body: ObjectReader, _ keys: [String]) -> [String?] {
        var labels: [String?] = []
        for key in keys { labels.append(text(body, key, WalletOrderLimits.label)) }
        return labels
    }

    private static func times(_ body: ObjectReader, _ keys: [String]) -> [Timestamp?] {
        var times: [Timestamp?] = []
        for key in keys {
            times.append(
                body.parsed(key, .optional, expecting: "an RFC 3339 time") { RFC3339.timestamp($0, .strict) }
            )
        }
        return times
    }
}
