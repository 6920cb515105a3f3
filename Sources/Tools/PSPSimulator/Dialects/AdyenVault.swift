import StrictJSON

/// Payment methods that are stored for a shopper, and what pays without the shopper.
struct AdyenVault: Sendable {
    let methods: StoredMethods

    /// `POST /payments`, with the payment method that a stored one's name leads to.
    func pay(_ request: PSPRequest) throws(Refusal) -> Reply {
        let body = try AdyenPayments.body(request)
        let name = body.json["paymentMethod"]?["storedPaymentMethodId"]?.stringValue
        let first = name.flatMap(AdyenReference.payment)
        if Self.isMerchants(body) {
            guard body.json["mpiData"] == nil else { throw .invalid("mpiData is for payments of the shopper's only.") }
            guard first != nil else { throw Self.noContract }
        }
        guard let first else { return try AdyenPayments.create(body, request) }
        let shopper = try body.text("shopperReference", limit: 256)
        guard body.json["recurringProcessingModel"] != nil else {
            throw .invalid("Required field 'recurringProcessingModel' is not provided.")
        }
        return .given(first, account: body.requester.account) { [methods] payment throws(Refusal) in
            guard methods.keeps(methodOf: payment, for: shopper) else { throw Self.noContract }
            return try AdyenPayments.create(body, request, paying: StoredMethods.method)
        }
    }

    /// `GET /storedPaymentMethods` of a shopper.
    func list(_ request: PSPRequest) throws(Refusal) -> Reply {
        let (account, shopper) = try Self.shopper(of: request)
        return .inquire(account: account) { [methods] view throws(Refusal) in
            let kept = view.authorizations { methods.keeps(methodOf: $0, for: shopper) }
            return PSPReply(
                200,
                [
                    "merchantAccount": .string(account), "shopperReference": .string(shopper),
                    "storedPaymentMethods": .array(kept.map(AdyenDocument.stored)),
                ]
            )
        }
    }

    /// The merchant account and the shopper that a request names.
    private static func shopper(of request: PSPRequest) throws(Refusal) -> (account: String, shopper: String) {
        guard ["v71", "v72"].contains(request.parameter("version")) else { throw .notFound }
        guard let key = request.header("X-API-Key") ?? request.basic?.password else { throw .unauthorized }
        _ = try AccountName(key: key)
        guard let account = request.query("merchantAccount"), !account.isEmpty else {
            throw Refusal(403, "901", "Invalid Merchant Account")
        }
        guard let shopper = request.query("shopperReference"), shopper.unicodeScalars.count >= 3 else {
            throw .invalid("Required field 'shopperReference' is not provided.")
        }
        return (account, shopper)
    }

    /// `DELETE /storedPaymentMethods/{storedPaymentMethodId}`.
    func forget(_ request: PSPRequest) throws(Refusal) -> Reply {
        let (account, shopper) = try Self.shopper(of: request)
        guard let first = AdyenReference.payment(request.parameter("method")) else { throw Self.noContract }
        return .given(first, account: account) { [methods] payment throws(Refusal) in
            guard methods.remove(methodOf: payment, for: shopper) else { throw Self.noContract }
            return .answer(PSPReply(204, contentType: "application/json", body: []))
        }
    }

    /// What is kept with a payment: whom its method is stored for.
    ///
    /// - Throws: ``Refusal`` if a method is to be stored for nobody, or for no purpose.
    static func details(_ body: AdyenBody) throws(Refusal) -> [String: String] {
        guard let stores = body.json["storePaymentMethod"] else { return [:] }
        guard let stores = stores.boolValue else { throw .invalid("Field 'storePaymentMethod' is not a boolean.") }
        guard stores else { return [:] }
        let shopper = try body.text("shopperReference", limit: 256)
        guard shopper.unicodeScalars.count >= 3 else { throw .invalid("Field 'shopperReference' is too short.") }
        let models = ["CardOnFile", "Subscription", "UnscheduledCardOnFile"]
        guard let model = body.json["recurringProcessingModel"]?.stringValue, models.contains(model) else {
            throw .invalid("Required field 'recurringProcessingModel' is not provided.")
        }
        return [StoredMethods.ownerDetail: shopper]
    }

    /// Whether the merchant initiates the payment: the shopper's own with a stored card follow another model.
    private static func isMerchants(_ body: AdyenBody) -> Bool {
        let model = body.json["recurringProcessingModel"]?.stringValue
        return body.json["shopperInteraction"]?.stringValue == "ContAuth" && model != nil && model != "CardOnFile"
    }

    private static let noContract = Refusal(422, "800", "Contract not found")
}
