import AdapterKit
import StrictJSON

/// Who buys what, as the members of a payment request.
///
/// Fields, lengths and what an object must have: Adyen's OpenAPI file of Checkout v72. An object that would lack something
/// is left out as a whole, and so is a part that would be too long; only texts for people to read are cut.
struct AdyenBuyer {
    /// The longest line on a statement that Adyen recommends.
    private static let statementLimit = 22

    private let authorization: Call.Authorization
    private let unit: AdyenUnit
    private var buyer: BuyerDetails? { authorization.buyer }

    /// What an authorization says of its buyer.
    init(of authorization: Call.Authorization, in unit: AdyenUnit) {
        self.authorization = authorization
        self.unit = unit
    }

    /// The checkout's name of the shopper, for a payment method that is not stored at Adyen.
    var reference: String? { buyer?.reference.flatMap { $0.unicodeScalars.count >= 3 ? $0 : nil } }

    /// The members but the shopper's reference.
    var members: [JSON.Member] {
        let json = JSON.object(omittingAbsent: [
            "shopperName": buyer?.nameParts.map(Self.name),
            "shopperEmail": buyer?.plainEmail.map(JSON.string),
            "shopperIP": buyer?.ip.map(JSON.string),
            "telephoneNumber": buyer?.phone.map(JSON.string),
            "countryCode": buyer?.country.map(JSON.string),
            "billingAddress": buyer?.billingAddress.flatMap { Self.address($0) },
            "deliveryAddress": buyer?.shippingAddress.flatMap { address in
                Self.address(address, to: (address.nameParts ?? buyer?.nameParts).map(Self.name))
            },
            "browserInfo": buyer?.browser.flatMap(Self.browser),
            "shopperStatement": authorization.statementDescriptor.flatMap(Self.statement),
            "lineItems": lineItems,
        ])
        return json.objectValue ?? []
    }

    private static func name(_ parts: (first: String, last: String)) -> JSON {
        ["firstName": .string(parts.first.cut(to: 80)), "lastName": .string(parts.last.cut(to: 80))]
    }

    /// An address, if it has what Adyen demands of one.
    ///
    /// The house number must be there and not be empty; who writes it behind the street, as addresses are written, sends
    /// "NA", as Adyen's own plugins do.
    private static func address(_ address: PostalAddress, to name: JSON? = nil) -> JSON? {
        let code = address.country == "US" ? address.postalCode?.cut(to: 5) : address.postalCode?.whole(within: 10)
        let state = address.state?.whole(within: 3)
        guard let street = address.line1, let city = address.city, let code,
            state != nil || !["US", "CA"].contains(address.country)
        else { return nil }
        return .object(
            (name?.objectValue ?? []) + [
                JSON.Member("street", .string(street)),
                JSON.Member("houseNumberOrName", .string(address.line2 ?? "NA")),
                JSON.Member("postalCode", .string(code)), JSON.Member("city", .string(city)),
            ] + (state.map { [JSON.Member("stateOrProvince", .string($0))] } ?? []) + [
                JSON.Member("country", .string(address.country))
            ]
        )
    }

    /// The browser, if everything is known that Adyen demands.
    private static func browser(_ browser: BrowserDetails) -> JSON? {
        guard let acceptHeader = browser.acceptHeader, let userAgent = browser.userAgent,
            let language = browser.language, let depth = browser.colorDepth, let height = browser.screenHeight,
            let width = browser.screenWidth, let offset = browser.timeZoneOffset, let java = browser.isJavaEnabled
        else { return nil }
        return .object(omittingAbsent: [
            "acceptHeader": .string(acceptHeader), "userAgent": .string(userAgent), "language": .string(language),
            "colorDepth": .integer(depth), "screenHeight": .integer(height), "screenWidth": .integer(width),
            "timeZoneOffset": .integer(offset), "javaEnabled": .bool(java),
            "javaScriptEnabled": browser.isJavaScriptEnabled.map(JSON.bool),
        ])
    }

    /// The descriptor without what Adyen does not allow; nil if nothing is left.
    private static func statement(_ descriptor: String) -> JSON? {
        let text = String(
            descriptor.filter { character in
                character.isASCII && (character.isLetter || character.isNumber) || " .,'_-?+*/".contains(character)
            }
        ).cut(to: statementLimit)
        return text.allSatisfy { $0 == " " } ? nil : .some(.string(text))
    }

    /// The items in Adyen's unit, whose amounts are of one piece; none if one of them cannot be expressed in it.
    ///
    /// A tax that is not the same for every piece is left out.
    private var lineItems: JSON? {
        guard !authorization.lineItems.isEmpty else { return nil }
        var items: [JSON] = []
        for item in authorization.lineItems {
            guard let price = unit.amount(item.unitAmount) else { return nil }
            let tax = item.taxAmount.flatMap { $0 % item.quantity == 0 ? unit.amount($0 / item.quantity) : nil }
            let sum = tax.map { price.addingReportingOverflow($0) }
            items.append(
                .object(omittingAbsent: [
                    "description": .string(item.name), "quantity": .integer(item.quantity),
                    "amountExcludingTax": .integer(price), "taxAmount": tax.map(JSON.integer),
                    "amountIncludingTax": sum.flatMap { $0.overflow ? nil : .some(.integer($0.partialValue)) },
                    "sku": item.productCode.map(JSON.string),
                ])
            )
        }
        return .array(items)
    }
}
