import Crypto
import StrictJSON
import WireFormats

/// Payment methods that are kept for a Customer, and what pays without the buyer.
///
/// Customers are not kept: whose a payment method is, the payment that left it knows.
struct StripeVault: Sendable {
    let methods: StoredMethods

    /// `POST /v1/customers`, whose answer follows from the key alone.
    static func createCustomer(_ request: PSPRequest) throws(Refusal) -> Reply {
        let requester = try StripeRequester.requester(request)
        let form = try StripeForm(
            request,
            knowing: [
                "address", "description", "email", "expand", "invoice_settings", "metadata", "name", "payment_method",
                "phone", "preferred_locales", "shipping", "tax", "tax_exempt",
            ]
        )
        let name =
            requester.key.map { Hexadecimal.encode(SHA256.hash(data: Array("\(requester.account) \($0)".utf8))) }
            ?? String(NameDraw.number(UInt64.self), radix: 36)
        return .answer(
            PSPReply(
                200,
                [
                    "id": .string("cus_" + name.prefix(14)), "object": "customer",
                    "created": StripeDocument.seconds(SimulatorClock.system()), "description": .null, "email": .null,
                    "livemode": false, "metadata": StripeDocument.metadata(try form.metadata()),
                ]
            )
        )
    }

    /// `GET /v1/payment_methods/{payment_method}`.
    func retrieve(_ request: PSPRequest) throws(Refusal) -> Reply {
        try given(request) { payment in Self.document(payment, isKept: methods.keeps(methodOf: payment)) }
    }

    /// `POST /v1/payment_methods/{payment_method}/detach`.
    func detach(_ request: PSPRequest) throws(Refusal) -> Reply {
        _ = try StripeForm(request, knowing: ["expand"])
        return try given(request) { payment throws(Refusal) in
            guard methods.remove(methodOf: payment) else {
                throw .invalid(
                    "The payment method you provided is not attached to a customer so detachment is impossible."
                )
            }
            return Self.document(payment, isKept: false)
        }
    }

    private func given(
        _ request: PSPRequest,
        _ answer: @escaping @Sendable (Authorization) throws(Refusal) -> JSON
    ) throws(Refusal) -> Reply {
        let account = try StripeRequester.account(of: request)
        guard let first = Self.firstPayment(request.parameter("method")) else { throw .notFound }
        return .given(first, account: account) { payment throws(Refusal) in
            guard let payment, payment.command.details["payment_method"] == nil else { throw .notFound }
            return .answer(PSPReply(200, try answer(payment)))
        }
    }

    /// What the books call the payment that left the payment method of that name; nil if the name is of no such one.
    static func firstPayment(_ name: String) -> String? {
        guard name.hasPrefix("pm_") else { return nil }
        let payment = Books.identifierPrefix + name.dropFirst(3)
        return PSPNumber(payment) == nil ? nil : payment
    }

    /// What goes together with `off_session`: a payment method that is kept, and nothing of the buyer's.
    ///
    /// - Throws: ``Refusal``.
    static func check(_ form: StripeForm) throws(Refusal) {
        guard form.isOffSession else { return }
        guard !form.fields.contains("setup_future_usage") else {
            throw .invalid("You cannot provide `setup_future_usage` with `off_session`.")
        }
        guard !form.fields.contains("payment_method_options[card][network_token][cryptogram]") else {
            throw .invalid("A cryptogram is for payments that the customer makes.")
        }
        guard let name = form.fields.value("payment_method"), firstPayment(name) != nil else {
            throw .invalid("A payment without the customer needs a PaymentMethod that is attached to a Customer.")
        }
    }

    /// Whether a payment's method may pay for what a form asks.
    ///
    /// - Throws: ``Refusal``.
    static func check(
        _ payment: Authorization?,
        for form: StripeForm,
        by requester: Requester,
        _ methods: StoredMethods
    ) throws(Refusal) {
        guard let payment, payment.command.details["payment_method"] == nil else {
            throw Refusal(400, "resource_missing", "No such PaymentMethod.")
        }
        guard !methods.pays(methodOf: payment, for: form.fields.value("customer") ?? "", by: requester) else { return }
        guard methods.keeps(methodOf: payment) else {
            throw .invalid(
                "The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, or was "
                    + "detached from a Customer. It may not be used again."
            )
        }
        throw .invalid("The payment method supplied belongs to a different Customer.")
    }

    private static func document(_ payment: Authorization, isKept: Bool) -> JSON {
        [
            "id": .string(StripeDocument.methodName(payment)), "object": "payment_method",
            "billing_details": StripeDocument.noBillingDetails,
            "card": [
                "brand": .string(payment.command.method.network), "last4": .string(payment.command.method.last4),
            ],
            "created": StripeDocument.seconds(payment.createdAt),
            "customer": isKept ? .optional(payment.command.details[StoredMethods.ownerDetail]) : .null,
            "livemode": false, "metadata": .object([]), "type": "card",
        ]
    }
}

extension StripeForm {
    /// Whether the buyer is away.
    var isOffSession: Bool { fields.value("off_session").map { $0 != "false" } ?? false }
}
