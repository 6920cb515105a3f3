import StrictJSON

/// Payment profiles that transactions leave, and what pays without the buyer.
///
/// A customer's profile is called by `1` and the transaction that left it, its payment profile by `2` and the same.
struct AuthorizeNetProfiles: Sendable {
    /// There is no such profile.
    static let unknown = Refusal(400, "E00040", "The record cannot be found.")

    let methods = StoredMethods()

    /// What the books call the transaction that left the payment profile that is to pay; nil if none is named.
    ///
    /// - Throws: ``Refusal`` if the profile is nobody's or another customer's, or if what the merchant initiates names none.
    func firstPayment(_ transaction: JSON) throws(Refusal) -> String? {
        let profile = transaction["profile"]
        let isMerchants = transaction["processingOptions"]?.isTrue("isSubsequentAuth") ?? false
        guard let customer = profile?.filled("customerProfileId") else {
            guard !isMerchants else {
                throw Refusal(400, "E00027", "A merchant-initiated transaction needs a stored payment profile.")
            }
            return nil
        }
        guard transaction["payment"] == nil else {
            throw Refusal(400, "E00095", "Payment and profile cannot be used together.")
        }
        return try Self.transaction(customer, profile?["paymentProfile"]?.filled("paymentProfileId"))
    }

    /// `getCustomerProfileRequest`, by the caller's name of the customer.
    func find(_ request: AuthorizeNetRequest) throws(Refusal) -> Reply {
        guard let owner = request.json.filled("merchantCustomerId") else { throw Self.unknown }
        return .inquire(account: request.account) { [methods] view throws(Refusal) in
            let kept = view.authorizations { methods.keeps(methodOf: $0, for: owner) }
            guard let first = kept.first else { throw Self.unknown }
            let profiles = kept.map { authorization -> JSON in
                [
                    "customerPaymentProfileId": .string("2" + AuthorizeNetNumbers.text(of: authorization)),
                    "payment": [
                        "creditCard": [
                            "cardNumber": .string("XXXX" + authorization.command.method.last4),
                            "expirationDate": "XXXX", "cardType": "Visa",
                        ]
                    ], "customerType": "individual",
                ]
            }
            let profile: JSON = [
                "paymentProfiles": .array(profiles), "profileType": "regular",
                "customerProfileId": .string("1" + AuthorizeNetNumbers.text(of: first)),
                "merchantCustomerId": .string(owner),
            ]
            return AuthorizeNetAnswer.success([JSON.Member("profile", profile)], echoing: request.refId)
        }
    }

    /// `deleteCustomerPaymentProfileRequest`.
    func forget(_ request: AuthorizeNetRequest) throws(Refusal) -> Reply {
        let customer = request.json.filled("customerProfileId") ?? ""
        let first = try Self.transaction(customer, request.json.filled("customerPaymentProfileId"))
        return .given(first, account: request.account) { [methods] payment throws(Refusal) in
            guard methods.remove(methodOf: payment) else { throw Self.unknown }
            return .answer(AuthorizeNetAnswer.success([], echoing: request.refId))
        }
    }

    /// What is kept with a transaction: whom its payment profile is for.
    ///
    /// - Throws: ``Refusal`` if a profile is to be made of nobody.
    static func details(_ transaction: JSON) throws(Refusal) -> [String: String] {
        guard transaction["profile"]?.isTrue("createProfile") ?? false else { return [:] }
        let customer = transaction["customer"]
        guard let name = customer?.filled("id") ?? customer?.filled("email") else {
            throw Refusal(400, "E00041", "One or more fields must contain a value.")
        }
        return [StoredMethods.ownerDetail: name]
    }

    /// The member `profileResponse`; nil if a transaction left no profile.
    static func response(_ authorization: Authorization) -> JSON? {
        guard authorization.authorized > 0, authorization.command.details[StoredMethods.ownerDetail] != nil else {
            return nil
        }
        let name = AuthorizeNetNumbers.text(of: authorization)
        return [
            "messages": [
                "resultCode": "Ok", "message": [["code": "I00001", "text": "Successful."]],
            ],
            "customerProfileId": .string("1" + name), "customerPaymentProfileIdList": .strings(["2" + name]),
            "customerShippingAddressIdList": [],
        ]
    }

    /// What the card scheme calls a transaction.
    static func networkTransId(_ authorization: Authorization) -> JSON {
        .string("0TN" + String(AuthorizeNetNumbers.text(of: authorization).suffix(12)))
    }

    private static func transaction(_ customer: String, _ profile: String?) throws(Refusal) -> String {
        let name = customer.dropFirst()
        guard customer.hasPrefix("1"), let profile, profile.hasPrefix("2"), profile.dropFirst() == name else {
            throw unknown
        }
        return String(name)
    }
}
