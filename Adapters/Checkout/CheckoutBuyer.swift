import AdapterKit
import StrictJSON

/// Who buys what, as the members of a payment.
///
/// Fields: the models of Checkout.com's .NET library (August 2026), with their lengths; those of addresses and names are
/// in its older API reference (July 2021). A `billing_descriptor` has to name a city, which nobody tells us.
struct CheckoutBuyer {
    private let authorization: Call.Authorization
    private let unit: CheckoutUnit
    private var buyer: BuyerDetails? { authorization.buyer }

    /// What an authorization says of its buyer.
    init(of authorization: Call.Authorization, in unit: CheckoutUnit) {
        self.authorization = authorization
        self.unit = unit
    }

    /// `customer` of a buyer whom Checkout.com has no name for, by the email address.
    var customer: JSON? {
        guard let buyer, let email = buyer.plainEmail else { return nil }
        return .object(omittingAbsent: [
            "email": .string(email), "name": buyer.name.map(JSON.string), "phone": Self.phone(of: buyer),
        ])
    }

    /// What `source` says of its holder.
    var holder: [JSON.Member] {
        guard let buyer else { return [] }
        let json = JSON.object(omittingAbsent: [
            "billing_address": buyer.billingAddress.map(Self.address), "phone": Self.phone(of: buyer),
        ])
        return json.objectValue ?? []
    }

    /// `shipping`.
    var shipping: JSON? {
        guard let buyer, let address = buyer.shippingAddress else { return nil }
        let name = address.nameParts ?? buyer.nameParts
        return .object(omittingAbsent: [
            "first_name": name.map { .string($0.first) }, "last_name": name.map { .string($0.last) },
            "address": Self.address(address), "phone": Self.phone(of: buyer),
        ])
    }

    /// `risk`, whose assessment is on by default, with the device.
    var risk: JSON? {
        guard let buyer, buyer.ip != nil || buyer.browser != nil else { return nil }
        let browser = buyer.browser
        let isIPv6 = buyer.ip?.contains(":") ?? false
        let device = JSON.object(omittingAbsent: [
            "user_agent": browser?.userAgent.map(JSON.string),
            "network": buyer.ip.map { isIPv6 ? ["ipv6": .string($0)] : ["ipv4": .string($0)] },
            "timezone": browser?.timeZoneOffset.map { .string(String($0)) },
            "java_enabled": browser?.isJavaEnabled.map(JSON.bool),
            "javascript_enabled": browser?.isJavaScriptEnabled.map(JSON.bool),
            "language": browser?.language?.whole(within: 12).map(JSON.string),
            "color_depth": browser?.colorDepth.map { .string(String($0)) },
            "screen_height": browser?.screenHeight.map { .string(String($0)) },
            "screen_width": browser?.screenWidth.map { .string(String($0)) },
        ])
        return ["enabled": true, "device": device]
    }

    /// `items`, in Checkout.com's unit; none if one of them cannot be expressed in it.
    var items: JSON? {
        guard !authorization.lineItems.isEmpty else { return nil }
        var items: [JSON] = []
        for item in authorization.lineItems {
            let tax = item.taxAmount.map { unit.amount($0) }
            guard let price = unit.amount(item.unitAmount), tax != .some(nil),
                case (let total, false) = price.multipliedReportingOverflow(by: item.quantity)
            else { return nil }
            items.append(
                .object(omittingAbsent: [
                    "name": .string(item.name), "quantity": .integer(item.quantity), "unit_price": .integer(price),
                    "reference": item.productCode.map(JSON.string),
                    "commodity_code": item.commodityCode?.whole(within: 12).map(JSON.string),
                    "total_amount": .integer(total), "tax_amount": (tax ?? nil).map(JSON.integer),
                ])
            )
        }
        return .array(items)
    }

    private static func address(_ address: PostalAddress) -> JSON {
        .object(omittingAbsent: [
            "address_line1": address.line1.map(JSON.string), "address_line2": address.line2.map(JSON.string),
            "city": address.city.map { .string($0.cut(to: 50)) }, "state": address.state.map(JSON.string),
            "zip": address.postalCode.map(JSON.string), "country": .string(address.country),
        ])
    }

    /// The number in its two parts, if the second has as many digits as Checkout.com wants.
    private static func phone(of buyer: BuyerDetails) -> JSON? {
        guard let parts = buyer.phoneParts, parts.number.utf8.count >= 6 else { return nil }
        return ["country_code": .string(parts.countryCode), "number": .string(parts.number)]
    }
}
