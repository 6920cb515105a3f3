import StrictJSON
import WireFormats

/// Adyen's endpoints.
enum AdyenPayments {
    /// How soon a modification is done unless a trigger says otherwise; the answer is always `received`.
    private static let latency = Latency(milliseconds: 50, takesAll: true)

    /// `POST /payments`, read.
    ///
    /// - Throws: ``Refusal``.
    static func body(_ request: PSPRequest) throws(Refusal) -> AdyenBody { try AdyenBody(request, knowing: payment) }

    /// `POST /payments`, with a payment method that was stored if one is given.
    static func create(
        _ body: AdyenBody,
        _ request: PSPRequest,
        paying stored: PaymentMethod? = nil
    ) throws(Refusal) -> Reply {
        let method: PaymentMethod
        if let stored { method = stored } else { method = try AdyenMethod.method(in: body) }
        let amount = try body.amount()
        let reference = try body.text("reference")
        guard body.json["returnUrl"]?.stringValue?.isEmpty == false else {
            throw Refusal(422, "14_030", "Return URL is missing.")
        }
        try body.requireWholeObjects()
        let command = AuthorizeCommand(
            reference: reference,
            amount: amount.value,
            currency: amount.currency,
            method: method,
            capture: !isManual(body.json),
            applicationFee: try body.commission(of: amount.value),
            returnURL: try body.text("returnUrl", limit: 1024),
            metadata: try body.metadata(),
            details: try AdyenVault.details(body)
        )
        return .authorize(command, by: body.requester) { authorization in
            reply(200, AdyenDocument.payment(authorization, request.origin), to: request)
        }
    }

    /// `POST /payments/{paymentPspReference}/captures` and `/refunds`.
    static func amountChange(_ kind: OperationKind, _ request: PSPRequest) throws(Refusal) -> Reply {
        let body = try AdyenBody(
            request,
            knowing: modification.union(["amount", "splits", "lineItems", "subMerchants"])
        )
        let amount = try body.amount()
        var change = ChangeCommand(
            kind,
            of: .id(try target(request)),
            reference: body.json["reference"]?.stringValue ?? "",
            amount: amount.value,
            applicationFee: try body.commission(of: amount.value)
        )
        change.latency = latency
        return modify(change, body, request)
    }

    /// `POST /payments/{paymentPspReference}/cancels`, and `/reversals`, which refund what has been captured.
    static func undo(isReversal: Bool, _ request: PSPRequest) throws(Refusal) -> Reply {
        let body = try AdyenBody(request, knowing: modification)
        var change = ChangeCommand(
            .void,
            of: .id(try target(request)),
            reference: body.json["reference"]?.stringValue ?? ""
        )
        change.isReversal = isReversal
        change.latency = latency
        return modify(change, body, request)
    }

    /// `POST /cancels` by the caller's own reference, which is taken whether there is such a payment or not.
    static func cancelByReference(_ request: PSPRequest) throws(Refusal) -> Reply {
        let body = try AdyenBody(request, knowing: modification.union(["paymentReference"]))
        let reference = try body.text("paymentReference")
        var change = ChangeCommand(
            .void,
            of: .reference(reference),
            reference: body.json["reference"]?.stringValue ?? ""
        )
        change.latency = latency
        change.details["event"] = "TECHNICAL_CANCEL"
        return .change(change, by: body.requester) { operation, _ in
            reply(201, AdyenDocument.cancellation(operation.id, of: reference, body.requester.account), to: request)
        }
    }

    /// An answer, with the idempotency key that it is kept under.
    static func reply(_ status: Int, _ json: JSON, to request: PSPRequest) -> PSPReply {
        var reply = PSPReply(status, json)
        if let key = request.header("Idempotency-Key") { reply.headers.append(("Idempotency-Key", key)) }
        return reply
    }

    private static func modify(_ change: ChangeCommand, _ body: AdyenBody, _ request: PSPRequest) -> Reply {
        .change(change, by: body.requester) { operation, authorization in
            reply(201, AdyenDocument.modification(operation, of: authorization, amount: change.amount), to: request)
        }
    }

    private static func target(_ request: PSPRequest) throws(Refusal) -> String {
        guard let id = AdyenReference.payment(request.parameter("reference")) else { throw .notFound }
        return id
    }

    /// Whether the request asks for a capture of its own; the account captures at once otherwise.
    private static func isManual(_ json: JSON) -> Bool {
        json["additionalData"]?["manualCapture"]?.stringValue == "true"
            || (json["captureDelayHours"]?.integerValue ?? 0) > 0
    }

    private static let modification: Set<String> = [
        "applicationInfo", "capturePspReference", "enhancedSchemeData", "merchantAccount", "merchantRefundReason",
        "platformChargebackLogic", "reference", "store",
    ]

    /// The fields of a payment, from the OpenAPI description of Checkout v72.
    private static let payment: Set<String> = [
        "accountInfo", "additionalAmount", "additionalData", "amount", "applicationInfo", "authenticationData",
        "bankAccount", "billingAddress", "browserInfo", "captureDelayHours", "channel", "checkoutAttemptId", "company",
        "countryCode", "dateOfBirth", "dccQuote", "deliverAt", "deliveryAddress", "deliveryDate", "deviceFingerprint",
        "enableOneClick", "enablePayOut", "enableRecurring", "enhancedSchemeData", "entityType", "fraudOffset",
        "fundOrigin", "fundRecipient", "industryUsage", "installments", "lineItems", "localizedShopperStatement",
        "mandate", "mcc", "merchantAccount", "merchantOrderReference", "merchantRiskIndicator", "metadata", "mpiData",
        "order", "orderReference", "origin", "paymentMethod", "paymentValidations", "platformChargebackLogic",
        "recurringExpiry", "recurringFrequency", "recurringProcessingModel", "redirectFromIssuerMethod",
        "redirectToIssuerMethod", "reference", "returnUrl", "riskData", "sessionValidity", "shopperConversionId",
        "shopperEmail", "shopperIP", "shopperInteraction", "shopperLocale", "shopperName", "shopperReference",
        "shopperStatement", "shopperTaxInfo", "socialSecurityNumber", "splits", "store", "storePaymentMethod",
        "subMerchants", "surcharge", "telephoneNumber", "threeDS2RequestData", "threeDSAuthenticationOnly",
        "trustedShopper",
    ]
}

/// The body of a request to Adyen, and who sends it.
struct AdyenBody: Sendable {
    let json: JSON
    let requester: Requester

    /// Reads a body.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - known: the endpoint's fields.
    /// - Throws: ``Refusal``.
    init(_ request: PSPRequest, knowing known: Set<String>) throws(Refusal) {
        guard ["v71", "v72"].contains(request.parameter("version")) else { throw .notFound }
        guard let key = request.header("X-API-Key") ?? request.basic?.password else { throw .unauthorized }
        _ = try AccountName(key: key)
        json = try request.json()
        guard let members = json.objectValue else { throw .invalid("The body is not an object.") }
        if let unknown = members.first(where: { !known.contains($0.key) }) {
            throw Refusal(400, "702", "The request contains the following unknown fields: [\(unknown.key.prefix(60))]")
        }
        guard let account = json["merchantAccount"]?.stringValue, !account.isEmpty, account.utf8.count <= 80 else {
            throw Refusal(403, "901", "Invalid Merchant Account")
        }
        requester = Requester(account: account, key: try request.key("Idempotency-Key", limit: 64))
    }

    /// A text.
    ///
    /// - Throws: ``Refusal`` if it is missing or too long.
    func text(_ name: String, limit: Int = 80) throws(Refusal) -> String {
        guard let text = json[name]?.stringValue, 1...limit ~= text.utf8.count else {
            throw .invalid("Required field '\(name)' is null, empty or too long.")
        }
        return text
    }

    /// The amount.
    ///
    /// - Throws: ``Refusal`` if it is missing or wrong.
    func amount() throws(Refusal) -> (value: Int64, currency: String) {
        guard let value = json["amount"]?["value"]?.integerValue, 1...CommandReader.greatestAmount ~= value else {
            throw Refusal(422, "137", "Invalid amount specified")
        }
        guard let currency = json["amount"]?["currency"]?.stringValue, currency.utf8.count == 3,
            currency.utf8.allSatisfy({ (0x41...0x5A).contains($0) })
        else { throw Refusal(422, "138", "Unsupported currency specified") }
        return (value, currency)
    }

    /// Refuses an object that lacks what the description demands of it.
    ///
    /// - Throws: ``Refusal``.
    func requireWholeObjects() throws(Refusal) {
        for (name, members) in Self.demanded {
            guard let object = json[name] else { continue }
            guard object.objectValue != nil else { throw .invalid("Field '\(name)' is not an object.") }
            for member in members where object[member] == nil || object[member]?.stringValue == "" {
                throw .invalid("Required field '\(name).\(member)' is not provided.")
            }
        }
    }

    /// What objects of a payment must have, from the OpenAPI description of Checkout v72.
    private static let demanded: [(name: String, members: [String])] = [
        ("shopperName", ["firstName", "lastName"]), ("billingAddress", address), ("deliveryAddress", address),
        (
            "browserInfo",
            [
                "acceptHeader", "colorDepth", "javaEnabled", "language", "screenHeight", "screenWidth",
                "timeZoneOffset", "userAgent",
            ]
        ),
    ]
    private static let address = ["city", "country", "houseNumberOrName", "postalCode", "street"]

    /// What the splits leave to the platform: the sum of the commissions; nil without splits.
    ///
    /// - Throws: ``Refusal`` if a split is not whole, or their amounts are not the sum.
    func commission(of total: Int64) throws(Refusal) -> Int64? {
        guard let splits = json["splits"]?.arrayValue, !splits.isEmpty else { return nil }
        var commission: Int64 = 0
        var sum: Int64 = 0
        for split in splits {
            let amount = split["amount"]?["value"]?.integerValue
            switch split["type"]?.stringValue {
            case "BalanceAccount":
                guard split["account"]?.stringValue != nil, split["reference"]?.stringValue != nil, amount != nil else {
                    throw .invalid("A split of type BalanceAccount needs account, amount and reference.")
                }
            case "Commission":
                guard let amount else { throw .invalid("A split of type Commission needs an amount.") }
                commission += amount
            case nil: throw .invalid("A split needs a type.")
            default: break
            }
            guard 0...CommandReader.greatestAmount ~= amount ?? 0 else { throw .invalid("Invalid split amount.") }
            sum += amount ?? 0
        }
        guard sum == total else { throw .invalid("The splits' amounts are not the sum of the amount.") }
        return commission
    }

    /// The caller's notes, at most 20.
    ///
    /// - Throws: ``Refusal``.
    func metadata() throws(Refusal) -> [String: String] {
        let notes = json["metadata"]?.objectValue ?? []
        guard notes.count <= 20 else { throw Refusal(422, "177", "Metadata size exceeds limit") }
        return Dictionary(notes.map { ($0.key, $0.value.stringValue ?? "") }) { first, _ in first }
    }
}

/// What pays, as `paymentMethod` and `mpiData` say it.
private enum AdyenMethod {
    /// Reads the payment method.
    ///
    /// - Throws: ``Refusal`` that repeats nothing secret.
    static func method(in body: AdyenBody) throws(Refusal) -> PaymentMethod {
        guard let method = body.json["paymentMethod"], method.objectValue != nil else {
            throw Refusal(422, "14_0407", "Missing payment method details")
        }
        if let token = method["storedPaymentMethodId"]?.stringValue { return .token(token) }
        switch method["type"]?.stringValue {
        case "applepay":
            let data = method["applePayToken"]?.stringValue.flatMap { Base64.decode($0) }
            guard let data, let wallet = try? JSON.parse(data), let found = WalletData.method(wallet) else {
                throw .invalid("Invalid applePayToken.")
            }
            return found
        case "googlepay":
            guard let text = method["googlePayToken"]?.stringValue, let wallet = try? JSON.parse(text: text),
                let found = WalletData.method(wallet)
            else { throw .invalid("Invalid googlePayToken.") }
            return found
        case "scheme": return .networkToken(try networkToken(method, body, cryptogram: "cavv"))
        case "networkToken":
            return .networkToken(try networkToken(method, body, cryptogram: "tokenAuthenticationVerificationValue"))
        default: throw Refusal(422, "14_0407", "Missing or unsupported payment method type")
        }
    }

    private static func networkToken(
        _ method: JSON,
        _ body: AdyenBody,
        cryptogram: String
    ) throws(Refusal) -> NetworkTokenDigest {
        guard let month = method["expiryMonth"]?.stringValue, month.utf8.count <= 2, let monthNumber = Int64(month),
            1...12 ~= monthNumber
        else { throw Refusal(422, "140", "Expiry month should be between 1 and 12 inclusive") }
        guard let year = method["expiryYear"]?.stringValue, year.utf8.count == 4, let yearNumber = Int64(year) else {
            throw Refusal(422, "141", "Expiry year should be a 4 digit number greater than 2000")
        }
        guard let code = body.json["mpiData"]?[cryptogram]?.stringValue, Base64.decode(code)?.isEmpty == false else {
            throw .invalid("Required field 'mpiData.\(cryptogram)' is not base 64.")
        }
        let number = method["number"]?.stringValue ?? ""
        guard let digest = NetworkTokenDigest(number: number, expiryMonth: monthNumber, expiryYear: yearNumber) else {
            throw Refusal(422, "101", "Invalid card number")
        }
        return digest
    }
}
