import StrictJSON

/// Adyen's endpoints.
enum AdyenPayments {
    /// How soon a modification is done unless a trigger says otherwise; the answer is always `received`.
    private static let pace = Pace(milliseconds: 50, takesAll: true)

    /// `POST /payments`.
    static func create(_ request: PSPRequest) throws(Refusal) -> Ask {
        let body = try AdyenBody(request, knowing: payment)
        let amount = try body.amount()
        let reference = try body.text("reference")
        guard body.json["returnUrl"]?.stringValue?.isEmpty == false else {
            throw Refusal(422, "14_030", "Return URL is missing.")
        }
        let command = AuthorizeCommand(
            reference: reference,
            amount: amount.value,
            currency: amount.currency,
            method: try AdyenMethod.method(in: body),
            capture: !isManual(body.json),
            applicationFee: try body.commission(of: amount.value),
            returnURL: try body.text("returnUrl", limit: 1024),
            metadata: try body.metadata()
        )
        return .authorize(command, by: body.requester) { authorization in
            reply(200, AdyenDocument.payment(authorization, request.origin), to: request)
        }
    }

    /// `POST /payments/{paymentPspReference}/captures` and `/refunds`.
    static func amountChange(_ kind: OperationKind, _ request: PSPRequest) throws(Refusal) -> Ask {
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
        change.pace = pace
        return modify(change, body, request)
    }

    /// `POST /payments/{paymentPspReference}/cancels`, and `/reversals`, which refund what has been captured.
    static func undo(isReversal: Bool, _ request: PSPRequest) throws(Refusal) -> Ask {
        let body = try AdyenBody(request, knowing: modification)
        var change = ChangeCommand(
            .void,
            of: .id(try target(request)),
            reference: body.json["reference"]?.stringValue ?? ""
        )
        change.isReversal = isReversal
        change.pace = pace
        return modify(change, body, request)
    }

    /// `POST /cancels` by the caller's own reference, which is taken whether there is such a payment or not.
    static func cancelByReference(_ request: PSPRequest) throws(Refusal) -> Ask {
        let body = try AdyenBody(request, knowing: modification.union(["paymentReference"]))
        let reference = try body.text("paymentReference")
        var change = ChangeCommand(
            .void,
            of: .reference(reference),
            reference: body.json["reference"]?.stringValue ?? ""
        )
        change.pace = pace
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

    private static func modify(_ change: ChangeCommand, _ body: AdyenBody, _ request: PSPRequest) -> Ask {
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
