import AdapterKit
import Domain
import StrictJSON

/// Who buys what, as elements of a transaction.
///
/// Elements, their order and lengths: Authorize.Net's schema (`AnetApiSchema.xsd`). A stored profile has its own customer
/// and addresses, so that only what is sold and the buyer's address on the network go with it.
struct AuthorizeNetBuyer {
    /// More items are none: Authorize.Net's reference takes 30.
    private static let itemLimit = 30

    private let authorization: Call.Authorization
    private let currency: Currency
    private let isProfile: Bool
    private var buyer: BuyerDetails? { isProfile ? nil : authorization.buyer }

    /// What an authorization says of its buyer; `isProfile` if a stored profile pays.
    init(of authorization: Call.Authorization, in currency: Currency, isProfile: Bool) {
        self.authorization = authorization
        self.currency = currency
        self.isProfile = isProfile
    }

    /// `lineItems`; none if one of them cannot be expressed or there are too many.
    var lineItems: JSON? {
        let items = authorization.lineItems
        guard 1...Self.itemLimit ~= items.count else { return nil }
        let written = items.enumerated().compactMap { index, item -> JSON? in
            guard let price = decimal(item.unitAmount) else { return nil }
            return .object(omittingAbsent: [
                "itemId": .string(item.productCode?.whole(within: 31) ?? String(index + 1)),
                "name": .string(item.name.cut(to: 31)), "quantity": .string(String(item.quantity)),
                "unitPrice": .string(price), "taxAmount": item.taxAmount.flatMap(decimal).map(JSON.string),
                "commodityCode": item.commodityCode?.whole(within: 15).map(JSON.string),
                "productCode": item.productCode?.whole(within: 30).map(JSON.string),
            ])
        }
        return written.count == items.count ? .some(["lineItem": .array(written)]) : nil
    }

    /// `customer`, to whom Authorize.Net is told to send no mail; by that name if one is given, else by the checkout's.
    func customer(named name: String?) -> JSON? {
        let json = JSON.object(omittingAbsent: [
            "id": (name ?? buyer?.reference?.whole(within: 20)).map(JSON.string),
            "email": buyer?.plainEmail.map(JSON.string),
        ])
        return Self.filled(json)
    }

    /// Whether an email address is told, so that it has to be said that it is not for receipts.
    var hasEmail: Bool { buyer?.plainEmail != nil }

    /// `billTo`.
    var billTo: JSON? {
        guard let buyer else { return nil }
        let phone = buyer.phone.map { [JSON.Member("phoneNumber", .string($0))] } ?? []
        let members = Self.address(buyer.billingAddress, of: buyer.nameParts) + phone
        return members.isEmpty ? nil : .some(.object(members))
    }

    /// `shipTo`.
    var shipTo: JSON? {
        guard let buyer, let address = buyer.shippingAddress else { return nil }
        return .object(Self.address(address, of: address.nameParts ?? buyer.nameParts))
    }

    /// `customerIP`, which the reference knows in version 4 only.
    var ip: JSON? { authorization.buyer?.ip.flatMap { $0.contains(":") ? nil : .some(.string($0)) } }

    private func decimal(_ amount: Int64) -> String? {
        (try? Money(minorUnits: amount, currency: currency))?.decimal
    }

    private static func filled(_ json: JSON) -> JSON? { json == .object([]) ? nil : .some(json) }

    /// The street is one element: what stands on the second line follows the first.
    private static func address(_ address: PostalAddress?, of name: (first: String, last: String)?) -> [JSON.Member] {
        let street = [address?.line1, address?.line2].compactMap(\.self).joined(separator: ", ")
        let json = JSON.object(omittingAbsent: [
            "firstName": name.map { .string($0.first.cut(to: 50)) },
            "lastName": name.map { .string($0.last.cut(to: 50)) },
            "address": street.isEmpty ? nil : .some(.string(street.cut(to: 60))),
            "city": address?.city.map { .string($0.cut(to: 40)) },
            "state": address?.state.map { .string($0.cut(to: 40)) },
            "zip": address?.postalCode.map(JSON.string), "country": address.map { .string($0.country) },
        ])
        return json.objectValue ?? []
    }
}
