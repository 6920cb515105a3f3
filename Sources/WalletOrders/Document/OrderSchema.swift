import Domain
import StrictJSON

/// Apple's schema of `order.json` (developer.apple.com/documentation/walletorders/order and the pages below it).
///
/// One description for what is made and what is verified; members that it does not know are passed over, since Apple
/// adds some.
struct OrderSchema {
    /// Whether lengths and counts are held to ``WalletOrderLimits``, which only the gateway's own documents are.
    let hasOwnLimits: Bool

    /// Everything that is wrong with a document.
    func violations(of document: JSON) -> [Violation] {
        let violations = Violations()
        guard let order = ObjectReader(document, into: violations, toleratesUnknown: true) else {
            return violations.all
        }
        readIdentity(order)
        readTimes(order)
        members(order, "merchant") { merchant in
            text(merchant, "displayName", .required, WalletOrderLimits.label)
            text(merchant, "merchantIdentifier", .required, WalletOrderLimits.identifier)
            url(merchant, "url", .required)
            text(merchant, "logo", .optional, WalletOrderLimits.label)
            members(merchant, "address", .optional, address)
        }
        members(order, "payment", .optional, payment)
        lineItems(order)
        elements(order, "fulfillments", WalletOrderLimits.fulfillments, fulfillment)
        elements(order, "returns", WalletOrderLimits.fulfillments, walletReturn)
        refuseDuplicates(order, "fulfillments", "fulfillmentIdentifier")
        refuseDuplicates(order, "returns", "returnIdentifier")
        members(order, "customer", .optional) { customer in
            for key in ["givenName", "familyName", "organizationName", "emailAddress", "phoneNumber"] {
                text(customer, key, .optional, WalletOrderLimits.label)
            }
        }
        members(order, "orderProvider", .optional) { provider in
            text(provider, "displayName", .required, WalletOrderLimits.label)
            url(provider, "url", .required)
            text(provider, "trackingLogoNameDarkColorScheme", .required, WalletOrderLimits.label)
            text(provider, "trackingLogoNameLightColorScheme", .required, WalletOrderLimits.label)
        }
        members(order, "barcode", .optional, barcode)
        return violations.all
    }

    private func readIdentity(_ order: ObjectReader) {
        _ = order.integer("schemaVersion", in: 1...1)
        text(order, "orderTypeIdentifier", .required, WalletOrderLimits.identifier)
        text(order, "orderIdentifier", .required, WalletOrderLimits.identifier)
        _ = order.string("orderType", oneOf: ["ecommerce"])
        _ = order.choice("status", of: WalletOrderStatus.self)
        text(order, "statusDescription", .optional, WalletOrderLimits.sentence)
        text(order, "orderNumber", .optional, WalletOrderLimits.identifier)
        url(order, "orderManagementURL", .required)
        _ = order.string("changeNotifications", .optional, oneOf: ["enabled", "disabledIfAppInstalled"])
        url(order, "webServiceURL", .optional, isSecure: true)
        let hasService = order.contains("webServiceURL")
        _ = order.string("authenticationToken", hasService ? .required : .optional, length: 16...most(256))
    }

    private func readTimes(_ order: ObjectReader) {
        guard let created = time(order, "createdAt", .required), let updated = time(order, "updatedAt", .required)
        else {
            return
        }
        guard updated < created else { return }
        order.refuse("updatedAt", "not_allowed", "Must not be before createdAt.")
    }

    private func payment(_ payment: ObjectReader) {
        _ = payment.choice("status", of: WalletPaymentStatus.self)
        amount(payment, "total", .required)
        elements(payment, "summaryItems", WalletOrderLimits.lineItems) { item in
            text(item, "label", .required, WalletOrderLimits.label)
            amount(item, "value", .required)
        }
        elements(payment, "transactions", 10 * WalletOrderLimits.lineItems) { transaction in
            amount(transaction, "amount", .required)
            _ = time(transaction, "createdAt", .required)
            _ = transaction.choice("status", of: WalletTransactionStatus.self)
            _ = transaction.string("transactionType", oneOf: ["purchase", "refund"])
            members(transaction, "paymentMethod") { text($0, "displayName", .required, WalletOrderLimits.label) }
            text(transaction, "applePayTransactionIdentifier", .optional, WalletOrderLimits.identifier)
            text(transaction, "receipt", .optional, WalletOrderLimits.label)
        }
    }

    private func lineItems(_ reader: ObjectReader) {
        elements(reader, "lineItems", WalletOrderLimits.lineItems) { item in
            text(item, "title", .required, WalletOrderLimits.label)
            text(item, "subtitle", .optional, WalletOrderLimits.label)
            quantity(item)
            amount(item, "price", .optional)
            for key in ["image", "gtin", "sku"] { text(item, key, .optional, WalletOrderLimits.label) }
        }
    }

    private func quantity(_ item: ObjectReader) {
        switch item.value("quantity") {
        case nil: return
        case .integer(let value) where value > 0: return
        case .number(let text) where !hasOwnLimits && !text.hasPrefix("-"): return
        default: item.refuse("quantity", "not_allowed", "Must be a number above 0.")
        }
    }

    private func fulfillment(_ fulfillment: ObjectReader) {
        text(fulfillment, "fulfillmentIdentifier", .required, WalletOrderLimits.identifier)
        text(fulfillment, "statusDescription", .optional, WalletOrderLimits.sentence)
        text(fulfillment, "notes", .optional, WalletOrderLimits.notes)
        lineItems(fulfillment)
        switch fulfillment.string("fulfillmentType", oneOf: ["shipping", "pickup"]) {
        case "shipping": shipping(fulfillment)
        case "pickup": pickup(fulfillment)
        default: return
        }
    }

    private func shipping(_ shipping: ObjectReader) {
        _ = shipping.choice("status", of: WalletShipping.Status.self)
        _ = shipping.choice("shippingType", .optional, of: WalletShipping.Kind.self)
        text(shipping, "carrier", .optional, WalletOrderLimits.label)
        text(shipping, "trackingNumber", .optional, WalletOrderLimits.identifier)
        url(shipping, "trackingURL", .optional)
        for key in ["shippedAt", "deliveredAt", "estimatedDeliveryAt"] { _ = time(shipping, key, .optional) }
        duration(shipping, "estimatedDeliveryWindowDuration")
        members(shipping, "recipient", .optional) { recipient in
            for key in ["givenName", "familyName", "organizationName"] {
                text(recipient, key, .optional, WalletOrderLimits.label)
            }
            members(recipient, "address", .optional, address)
        }
    }

    private func pickup(_ pickup: ObjectReader) {
        _ = pickup.choice("status", of: WalletPickup.Status.self)
        text(pickup, "displayName", .required, WalletOrderLimits.label)
        for key in ["pickupAt", "pickedUpAt"] { _ = time(pickup, key, .optional) }
        duration(pickup, "pickupWindowDuration")
        members(pickup, "address", .optional, address)
        members(pickup, "location", .optional) { location in
            degrees(location, "latitude", limit: 90)
            degrees(location, "longitude", limit: 180)
        }
        members(pickup, "barcode", .optional, barcode)
    }

    private func walletReturn(_ body: ObjectReader) {
        text(body, "returnIdentifier", .required, WalletOrderLimits.identifier)
        _ = body.choice("status", of: WalletReturn.Status.self)
        text(body, "returnNumber", .optional, WalletOrderLimits.identifier)
        text(body, "carrier", .optional, WalletOrderLimits.label)
        text(body, "statusDescription", .optional, WalletOrderLimits.sentence)
        text(body, "notes", .optional, WalletOrderLimits.notes)
        text(body, "returnLabel", .optional, WalletOrderLimits.label)
        url(body, "returnManagementURL", .optional)
        for key in ["dropOffBy", "initiatedAt", "returnedAt"] { _ = time(body, key, .optional) }
        lineItems(body)
    }

    private func barcode(_ barcode: ObjectReader) {
        _ = barcode.choice("format", of: WalletBarcode.Format.self)
        text(barcode, "messageEncoding", .required, WalletOrderLimits.label)
        text(barcode, "altText", .optional, WalletOrderLimits.label)
        guard let message = barcode.string("message", length: 1...most(WalletOrderLimits.sentence)), hasOwnLimits else {
            return
        }
        guard message.unicodeScalars.allSatisfy({ $0.value < 0x100 }) else {
            barcode.refuse("message", "not_allowed", "Must consist of characters of ISO 8859-1.")
            return
        }
    }

    private func address(_ address: ObjectReader) {
        _ = address.strings("addressLines", .optional, count: count(10), length: 1...most(WalletOrderLimits.label))
        for key in ["locality", "subLocality", "administrativeArea", "subAdministrativeArea", "postalCode"] {
            text(address, key, .optional, WalletOrderLimits.label)
        }
        _ = address.parsed("countryCode", .optional, expecting: "two letters of ISO 3166-1") { code in
            code.utf8.count == 2 && code.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
                ? code : nil
        }
    }

    private func refuseDuplicates(_ order: ObjectReader, _ list: String, _ key: String) {
        var seen: Set<UTF8Text> = []
        for (index, element) in (order.value(list, .optional)?.arrayValue ?? []).enumerated() {
            guard let name = element[key]?.stringValue, !seen.insert(UTF8Text(name)).inserted else { continue }
            let place = order.pointer(to: list).appending(index).appending(key)
            order.violations.add(at: place, "duplicate", "Must not be that of another one.")
        }
    }
}

/// Members of one kind.
extension OrderSchema {
    private func most(_ limit: Int) -> Int { hasOwnLimits ? limit : WalletOrderLimits.packageBytes }

    private func count(_ limit: Int) -> ClosedRange<Int> { 0...most(limit) }

    private func members(
        _ reader: ObjectReader,
        _ key: String,
        _ presence: Presence = .required,
        _ body: (ObjectReader) -> Void
    ) {
        _ = reader.object(key, presence) { nested -> Bool? in
            body(nested)
            return true
        }
    }

    private func elements(_ reader: ObjectReader, _ key: String, _ limit: Int, _ body: (ObjectReader) -> Void) {
        _ = reader.array(key, .optional, count: count(limit)) { nested -> Bool? in
            body(nested)
            return true
        }
    }

    private func text(_ reader: ObjectReader, _ key: String, _ presence: Presence, _ limit: Int) {
        guard hasOwnLimits else {
            _ = reader.string(key, presence, length: 1...most(limit))
            return
        }
        // Notes have several lines, and everything else is a line.
        guard let text = reader.string(key, presence, length: 1...limit), limit != WalletOrderLimits.notes else {
            return
        }
        guard text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else { return }
        reader.refuse(key, "invalid_character", "Must be one line without control characters.")
    }

    private func amount(_ reader: ObjectReader, _ key: String, _ presence: Presence) {
        members(reader, key, presence) { amount in
            let currency = amount.parsed("currency", expecting: "a code of ISO 4217") { Currency(code: $0) }
            switch amount.value("amount") {
            // Apple's own sample has numbers, and Wallet took it.
            case nil, .integer, .number: return
            case .string(let text):
                guard let currency, !isDecimal(text, currency) else { return }
                amount.refuse("amount", "not_allowed", "Must be a decimal amount of \(currency).")
            default: amount.refuse("amount", "wrong_type", "Must be a decimal amount as a string.")
            }
        }
    }

    private func isDecimal(_ text: String, _ currency: Currency) -> Bool {
        let digits = text.hasPrefix("-") ? String(text.dropFirst()) : text
        return (try? Money(decimal: digits, currency: currency)) != nil
    }

    private func time(_ reader: ObjectReader, _ key: String, _ presence: Presence) -> Timestamp? {
        reader.parsed(key, presence, expecting: "a time of RFC 3339") { RFC3339.timestamp($0, .strict) }
    }

    private func duration(_ reader: ObjectReader, _ key: String) {
        _ = reader.parsed(key, .optional, expecting: "a duration of ISO 8601") { text in
            isDuration(text) ? text : nil
        }
    }

    /// `P1D`, `PT2H30M`, `P0Y0M0DT0H30M0S`, `P2W`.
    private func isDuration(_ text: String) -> Bool {
        guard text.utf8.count <= 40 else { return false }
        let form = /P(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?)/
        return text.utf8.count > 2 && text.wholeMatch(of: form) != nil
    }

    private func url(_ reader: ObjectReader, _ key: String, _ presence: Presence, isSecure: Bool = false) {
        guard let text = reader.string(key, presence, length: 1...most(WalletOrderLimits.url)) else { return }
        let lower = text.lowercased()
        let schemes = isSecure ? ["https://"] : ["https://", "http://"]
        let isURL =
            schemes.contains { lower.hasPrefix($0) && lower.utf8.count > $0.utf8.count }
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        if !isURL {
            reader.refuse(key, "not_allowed", "Must be a URL that begins with \(schemes.joined(separator: " or ")).")
        }
    }

    private func degrees(_ reader: ObjectReader, _ key: String, limit: Double) {
        let degrees: Double? =
            switch reader.value(key) {
            case nil: nil
            case .integer(let value): Double(value)
            case .number(let text): Double(text)
            default: .infinity
            }
        guard let degrees, !(-limit...limit).contains(degrees) else { return }
        reader.refuse(key, "out_of_range", "Must be a number from -\(Int(limit)) to \(Int(limit)).")
    }
}
