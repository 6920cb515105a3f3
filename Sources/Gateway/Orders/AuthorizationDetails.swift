import AdapterKit
import StrictJSON

/// What an authorization is written from and no order remembers: what pays, and what the checkout told for the PSP alone.
///
/// One document, sealed as a whole and erased as a whole, so that a replay after a crash sends the same bytes and
/// nothing of the buyer outlives the credential.
struct AuthorizationDetails: Hashable, Sendable {
    /// What pays.
    var credential: Credential
    /// Who pays.
    var buyer: BuyerDetails?
    /// What the buyer reads on the statement.
    var statementDescriptor: String?
    /// What is sold.
    var lineItems: [LineItem] = []
    /// What the buyer pays for shipping, in minor units; nil for nothing.
    ///
    /// It is more than the lines of kind `shipping` where those bear commission.
    var shipping: Int64?
    /// For a charge under an agreement: what it names of the payment that began it.
    var earlierPayment: EarlierPayment?

    /// The details as bytes, only ever for the vault.
    ///
    /// Without a buyer, a descriptor, items and shipping it is the credential's own document, and whoever knows only that reads
    /// it in any.
    var document: [UInt8] {
        let more = JSON.object(omittingAbsent: [
            "buyer": buyer?.json, "statement_descriptor": statementDescriptor.map(JSON.string),
            "line_items": lineItems.isEmpty ? nil : .some(.array(lineItems.map(\.json))),
            "shipping": shipping.map(JSON.integer), "earlier_payment": earlierPayment?.json,
        ])
        return JSON.object((credential.json.objectValue ?? []) + (more.objectValue ?? [])).bytes
    }

    /// The details of a credential alone.
    init(_ credential: Credential) { self.credential = credential }

    /// Reads details back; nil for what ``document`` does not write.
    init?(document: [UInt8]) {
        guard let json = try? JSON.parse(document), let credential = Credential(json) else { return nil }
        self.credential = credential
        buyer = json["buyer"].map { BuyerDetails($0) }
        statementDescriptor = json["statement_descriptor"]?.stringValue
        shipping = json["shipping"]?.integerValue
        earlierPayment = json["earlier_payment"].map { EarlierPayment($0) }
        for item in json["line_items"]?.arrayValue ?? [] {
            guard let item = LineItem(item) else { return nil }
            lineItems.append(item)
        }
    }
}

extension BuyerDetails {
    fileprivate var json: JSON {
        .object(omittingAbsent: [
            "name": name.map(JSON.string), "email": email.map(JSON.string), "phone": phone.map(JSON.string),
            "ip": ip.map(JSON.string), "country": country.map(JSON.string), "reference": reference.map(JSON.string),
            "billing_address": billingAddress?.json, "shipping_address": shippingAddress?.json,
            "browser": browser?.json,
        ])
    }

    fileprivate init(_ json: JSON) {
        self.init()
        (name, email, phone) = (json["name"]?.stringValue, json["email"]?.stringValue, json["phone"]?.stringValue)
        (ip, country) = (json["ip"]?.stringValue, json["country"]?.stringValue)
        reference = json["reference"]?.stringValue
        billingAddress = json["billing_address"].flatMap { PostalAddress($0) }
        shippingAddress = json["shipping_address"].flatMap { PostalAddress($0) }
        browser = json["browser"].map { BrowserDetails($0) }
    }
}

extension PostalAddress {
    fileprivate var json: JSON {
        .object(omittingAbsent: [
            "name": name.map(JSON.string), "line1": line1.map(JSON.string), "line2": line2.map(JSON.string),
            "city": city.map(JSON.string), "state": state.map(JSON.string),
            "postal_code": postalCode.map(JSON.string), "country": .string(country),
        ])
    }

    fileprivate init?(_ json: JSON) {
        guard let country = json["country"]?.stringValue else { return nil }
        self.init(
            name: json["name"]?.stringValue,
            line1: json["line1"]?.stringValue,
            line2: json["line2"]?.stringValue,
            city: json["city"]?.stringValue,
            state: json["state"]?.stringValue,
            postalCode: json["postal_code"]?.stringValue,
            country: country
        )
    }
}

extension BrowserDetails {
    fileprivate var json: JSON {
        .object(omittingAbsent: [
            "accept_header": acceptHeader.map(JSON.string), "user_agent": userAgent.map(JSON.string),
            "language": language.map(JSON.string), "color_depth": colorDepth.map(JSON.integer),
            "screen_height": screenHeight.map(JSON.integer), "screen_width": screenWidth.map(JSON.integer),
            "time_zone_offset": timeZoneOffset.map(JSON.integer), "java_enabled": isJavaEnabled.map(JSON.bool),
            "javascript_enabled": isJavaScriptEnabled.map(JSON.bool),
        ])
    }

    fileprivate init(_ json: JSON) {
        self.init()
        (acceptHeader, userAgent) = (json["accept_header"]?.stringValue, json["user_agent"]?.stringValue)
        (language, colorDepth) = (json["language"]?.stringValue, json["color_depth"]?.integerValue)
        (screenHeight, screenWidth) = (json["screen_height"]?.integerValue, json["screen_width"]?.integerValue)
        timeZoneOffset = json["time_zone_offset"]?.integerValue
        (isJavaEnabled, isJavaScriptEnabled) = (json["java_enabled"]?.boolValue, json["javascript_enabled"]?.boolValue)
    }
}

extension LineItem {
    fileprivate var json: JSON {
        .object(omittingAbsent: [
            "name": .string(name), "quantity": .integer(quantity), "unit_amount": .integer(unitAmount),
            "tax_amount": taxAmount.map(JSON.integer), "product_code": productCode.map(JSON.string),
            "commodity_code": commodityCode.map(JSON.string),
        ])
    }

    fileprivate init?(_ json: JSON) {
        guard let name = json["name"]?.stringValue, let quantity = json["quantity"]?.integerValue,
            let unitAmount = json["unit_amount"]?.integerValue
        else { return nil }
        self.init(
            name: name,
            quantity: quantity,
            unitAmount: unitAmount,
            taxAmount: json["tax_amount"]?.integerValue,
            productCode: json["product_code"]?.stringValue,
            commodityCode: json["commodity_code"]?.stringValue
        )
    }
}
