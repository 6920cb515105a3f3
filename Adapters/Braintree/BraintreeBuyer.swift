import AdapterKit
import Domain
import StrictJSON

/// Who buys what, as the members of a `TransactionInput`.
///
/// Fields and lengths: `schema.graphql` of braintree/graphql-api (29 April 2025). A billing address is taken with card
/// details or by other mutations only, and there is no field for the checkout's name of the shopper.
struct BraintreeBuyer {
    /// The members in the order they are sent.
    let members: [JSON.Member]

    /// What an authorization says of its buyer.
    ///
    /// - Parameters:
    ///   - authorization: the authorization.
    ///   - isSingleUse: whether the payment method is one that we have just made: only such a one takes `customerDetails`.
    ///   - unit: how Braintree writes amounts of the currency.
    ///   - currency: the currency.
    init(of authorization: Call.Authorization, isSingleUse: Bool, in unit: BraintreeUnit, _ currency: Currency) {
        let buyer = authorization.buyer
        let details = JSON.object(omittingAbsent: [
            "email": buyer?.plainEmail.map(JSON.string), "phoneNumber": buyer?.phone.map(JSON.string),
        ])
        let risk = JSON.object(omittingAbsent: [
            "customerBrowser": buyer?.browser?.userAgent.map { .string($0.cut(to: 255)) },
            "customerIp": buyer?.ip.map(JSON.string),
        ])
        let shipping = buyer?.shippingAddress.map { address in
            Self.address(address, of: address.nameParts ?? buyer?.nameParts)
        }
        let json = JSON.object(omittingAbsent: [
            "riskData": Self.filled(risk),
            "descriptor": authorization.statementDescriptor.flatMap(Self.descriptor),
            "shipping": shipping.map { ["shippingAddress": $0] },
            "lineItems": Self.lineItems(authorization.lineItems, in: unit, currency),
            "customerDetails": isSingleUse ? Self.filled(details) : nil,
        ])
        members = json.objectValue ?? []
    }

    private static func filled(_ json: JSON) -> JSON? { json == .object([]) ? nil : .some(json) }

    private static func address(_ address: PostalAddress, of name: (first: String, last: String)?) -> JSON {
        .object(omittingAbsent: [
            "firstName": name.map { .string($0.first) }, "lastName": name.map { .string($0.last) },
            "streetAddress": address.line1.map(JSON.string), "extendedAddress": address.line2.map(JSON.string),
            "locality": address.city.map(JSON.string), "region": address.state.map(JSON.string),
            "postalCode": address.postalCode.flatMap(postalCode), "countryCodeAlpha2": .string(address.country),
        ])
    }

    /// Nine letters and digits at most; spaces and hyphens do not count.
    private static func postalCode(_ text: String) -> JSON? {
        let letters = text.filter { $0 != " " && $0 != "-" }
        let arePlain = letters.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return arePlain && 1...9 ~= letters.count ? .some(.string(text)) : nil
    }

    /// A descriptor as Braintree wants one, `company*product` with 3, 7 or 12 characters before the asterisk and 22 in all;
    /// nil for any other, which Braintree refuses the transaction for.
    ///
    /// Source: Braintree's page "Descriptors", read in November 2026; the schema says nothing of the form.
    private static func descriptor(_ text: String) -> JSON? {
        let parts = text.split(separator: "*", omittingEmptySubsequences: false)
        let arePlain = text.allSatisfy { $0.isLetter || $0.isNumber || "*.+- ".contains($0) }
        guard parts.count == 2, [3, 7, 12].contains(parts[0].count), !parts[1].isEmpty, text.count <= 22, arePlain,
            !text.hasPrefix(" ")
        else { return nil }
        return ["name": .string(text)]
    }

    /// The items; none if one of them cannot be expressed, and no item that costs nothing, which Braintree does not take.
    private static func lineItems(_ items: [LineItem], in unit: BraintreeUnit, _ currency: Currency) -> JSON? {
        func text(_ amount: Int64) -> String? {
            (try? Money(minorUnits: amount, currency: currency)).flatMap { unit.text($0) }
        }
        var written: [JSON] = []
        for item in items where item.unitAmount > 0 {
            let tax = item.taxAmount.map { text($0) }
            guard let price = text(item.unitAmount), tax != .some(nil),
                case (let sum, false) = item.unitAmount.multipliedReportingOverflow(by: item.quantity),
                let total = text(sum)
            else { return nil }
            written.append(
                .object(omittingAbsent: [
                    "name": .string(item.name.cut(to: 35)), "kind": "DEBIT", "quantity": .string(String(item.quantity)),
                    "unitAmount": .string(price), "totalAmount": .string(total),
                    "taxAmount": (tax ?? nil).map(JSON.string),
                    "productCode": item.productCode?.whole(within: 12).map(JSON.string),
                    "commodityCode": item.commodityCode?.whole(within: 12).map(JSON.string),
                ])
            )
        }
        return written.isEmpty ? nil : .some(.array(written))
    }
}
