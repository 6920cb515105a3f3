import AdapterKit
import StrictJSON

/// Who buys, as the members of an instruction.
///
/// Fields and lengths: Worldpay's description of the Payments API 2024-06-01, from which Worldpay's own MCP server and an
/// SDK are made. There is no field for what is sold; the browser belongs to an authentication, which is not asked for.
struct WorldpayBuyer {
    private let buyer: BuyerDetails?

    /// What an authorization says of its buyer.
    init(of authorization: Call.Authorization) { buyer = authorization.buyer }

    /// `customer`.
    var customer: JSON? {
        let json = JSON.object(omittingAbsent: [
            "customerId": buyer?.reference.map(JSON.string),
            "firstName": buyer?.nameParts.map { .string($0.first.cut(to: Self.nameLimit)) },
            "lastName": buyer?.nameParts.map { .string($0.last.cut(to: Self.nameLimit)) },
            "phone": phone, "email": buyer?.plainEmail?.whole(within: 128).map(JSON.string),
            "ipAddress": buyer?.ip.map(JSON.string),
        ])
        return json == .object([]) ? nil : .some(json)
    }

    /// `shipping`, if the address is whole: Worldpay demands street, city and postal code.
    var shipping: JSON? {
        guard let buyer, let address = buyer.shippingAddress, address.postalCode != nil,
            let json = Self.address(address)
        else { return nil }
        let name = address.nameParts ?? buyer.nameParts
        return .object(omittingAbsent: [
            "firstName": name.map { .string($0.first.cut(to: Self.nameLimit)) },
            "lastName": name.map { .string($0.last.cut(to: Self.nameLimit)) }, "phone": phone, "address": json,
        ])
    }

    /// An instrument with `billingAddress`, if it is of a type that has one and the address is whole: the description
    /// has none for opened wallets' tokens and for stored cards.
    func billed(_ instrument: JSON) -> JSON {
        guard ["encrypted", "networkToken", "checkout"].contains(instrument["type"]?.stringValue),
            let address = buyer?.billingAddress, address.postalCode != nil || address.country == "IE",
            let json = Self.address(address)
        else { return instrument }
        return .object((instrument.objectValue ?? []) + [JSON.Member("billingAddress", json)])
    }

    private static let nameLimit = 22

    /// The digits alone.
    private var phone: JSON? { buyer?.phone.map { .string(String($0.dropFirst())) } }

    private static func address(_ address: PostalAddress) -> JSON? {
        guard let street = address.line1, let city = address.city?.whole(within: 50),
            address.postalCode?.unicodeScalars.count ?? 0 <= 15
        else { return nil }
        return .object(omittingAbsent: [
            "address1": .string(street.cut(to: 80)), "address2": address.line2.map { .string($0.cut(to: 80)) },
            "postalCode": address.postalCode.map(JSON.string), "city": .string(city),
            "state": address.state?.whole(within: 30).map(JSON.string), "countryCode": .string(address.country),
        ])
    }
}
