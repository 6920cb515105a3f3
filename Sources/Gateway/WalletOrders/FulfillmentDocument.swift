import Domain
import StrictJSON
import WalletOrders

/// How goods of a payment come to the buyer, as a marketplace or a merchant tells it: `PUT
/// /v1/orders/{id}/fulfillments/{external_identifier}`.
///
/// The words of `status`, `shipping_type` and `format` are Apple's own.
struct FulfillmentDocument: ToldDocument {
    let json: JSON
    private let fulfillment: WalletFulfillment

    init(_ json: JSON) throws(InvalidDocument) {
        self.json = json.without("payment")
        fulfillment = try json.read(refusingNull: true) { body in
            _ = body.walletPayment()
            return Self.fulfillment(body)
        }
    }

    var answer: JSON { json }

    func add(to subject: inout WalletPackageBuilder.Subject, as name: ToldName) {
        var shown = fulfillment
        shown.externalIdentifier = name.walletIdentifier
        shown.payment = name.payment
        subject.details.content.fulfillments.append(shown)
    }

    private static func fulfillment(_ body: ObjectReader) -> WalletFulfillment? {
        let details: WalletFulfillment.Details? =
            switch body.string("type", oneOf: ["shipping", "pickup"]) {
            case "shipping": shipping(body).map { .shipping($0) }
            case "pickup": pickup(body).map { .pickup($0) }
            default: ignored(body)
            }
        let items = body.walletItems()
        let notes = body.walletText("notes", WalletOrderLimits.notes)
        let status = body.walletText("status_description", WalletOrderLimits.sentence)
        return details.map {
            WalletFulfillment(
                externalIdentifier: "",
                details: $0,
                lineItems: items,
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
        let carrier = body.walletText("carrier", WalletOrderLimits.label)
        let number = body.walletText("tracking_number", WalletOrderLimits.identifier)
        let page = body.walletText("tracking_url", WalletOrderLimits.url)
        let times = body.walletTimes(["shipped_at", "delivered_at", "estimated_delivery_at"])
        let window = body.walletText("estimated_delivery_window", 40)
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
        let names = body.walletLabels(["given_name", "family_name", "organization_name"])
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
        let name = body.walletText("display_name", WalletOrderLimits.label)
        let address = body.object("address", .optional) { Self.address($0) }
        let location = body.object("location", .optional) { Self.location($0) }
        let barcode = body.object("barcode", .optional) { Self.barcode($0) }
        let times = body.walletTimes(["pickup_at", "picked_up_at"])
        let window = body.walletText("pickup_window", 40)
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
        let parts = body.walletLabels(keys)
        let country = body.walletText("country", 2)
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
        let alternative = body.walletText("alt_text", WalletOrderLimits.label)
        guard let format, let message else { return nil }
        return WalletBarcode(format: format, message: message, altText: alternative)
    }
}
