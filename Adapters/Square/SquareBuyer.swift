import AdapterKit
import StrictJSON

/// Who buys, as the members of a payment.
///
/// Fields and lengths: Square's OpenAPI description of the API version. It has none for the buyer's address on the network,
/// the browser and what is sold.
struct SquareBuyer {
    /// The members in the order they are sent.
    let members: [JSON.Member]

    /// What an authorization says of its buyer.
    init(of authorization: Call.Authorization) {
        let buyer = authorization.buyer
        let phone = buyer?.phone.flatMap { 9...16 ~= $0.utf8.count - 1 ? $0 : nil }
        let json = JSON.object(omittingAbsent: [
            "buyer_email_address": buyer?.plainEmail.map(JSON.string),
            "buyer_phone_number": phone.map(JSON.string),
            "billing_address": buyer?.billingAddress.map { Self.address($0, of: buyer?.nameParts) },
            "shipping_address": buyer?.shippingAddress.map { Self.address($0, of: $0.nameParts ?? buyer?.nameParts) },
            "statement_description_identifier": authorization.statementDescriptor.map { .string($0.cut(to: 20)) },
        ])
        members = json.objectValue ?? []
    }

    private static func address(_ address: PostalAddress, of name: (first: String, last: String)?) -> JSON {
        .object(omittingAbsent: [
            "address_line_1": address.line1.map(JSON.string), "address_line_2": address.line2.map(JSON.string),
            "locality": address.city.map(JSON.string),
            "administrative_district_level_1": address.state.map(JSON.string),
            "postal_code": address.postalCode.map(JSON.string), "country": .string(address.country),
            "first_name": name.map { .string($0.first) }, "last_name": name.map { .string($0.last) },
        ])
    }
}
