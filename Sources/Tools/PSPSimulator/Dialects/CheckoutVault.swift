import StrictJSON

/// Sources that are stored, and what pays without the buyer.
struct CheckoutVault: Sendable {
    /// Whose a stored source is that was stored without a customer.
    private static let nobody = "nobody"

    let methods: StoredMethods

    /// What the books call the payment that left the stored source that pays; nil if none does.
    static func firstPayment(_ body: CheckoutBody) -> String? {
        guard let source = body["source"], source["type"] == "id" else { return nil }
        return source["id"]?.stringValue.flatMap(CheckoutIdentifier.payment(ofSource:))
    }

    /// What is kept with a payment: its customer, its source if that was stored before, and whom it is stored for.
    ///
    /// - Throws: ``Refusal``.
    static func details(_ body: CheckoutBody) throws(Refusal) -> [String: String] {
        var details: [String: String] = [:]
        details["customer"] = body["customer"]?["id"]?.stringValue
        if firstPayment(body) != nil { details["source"] = body["source"]?["id"]?.stringValue }
        guard let stores = body["source"]?["store_for_future_use"] else { return details }
        guard let stores = stores.boolValue else {
            throw Refusal(422, "source_store_for_future_use_invalid", "store_for_future_use is no boolean.")
        }
        if stores { details[StoredMethods.ownerDetail] = details["customer"] ?? nobody }
        return details
    }

    /// What the merchant initiates is paid with a source that was stored, names the payment that it follows, and has no
    /// cryptogram; what the buyer initiates names no such payment.
    ///
    /// - Throws: ``Refusal``.
    func check(_ body: CheckoutBody) throws(Refusal) {
        let previous = try body.text("previous_payment_id", limit: 100)
        guard try body.flag("merchant_initiated") == true else {
            guard previous == nil else {
                throw Refusal(
                    422,
                    "previous_payment_id_invalid",
                    "Only merchant-initiated payments follow another one."
                )
            }
            return
        }
        let source = body["source"]
        guard source?["cryptogram"] == nil else {
            throw Refusal(422, "cryptogram_invalid", "A cryptogram is of the buyer's own payments only.")
        }
        guard source?["stored"] == true else {
            throw Refusal(422, "source_stored_required", "A merchant-initiated payment needs a stored source.")
        }
        guard previous != nil else {
            throw Refusal(422, "previous_payment_id_required", "A merchant-initiated payment follows another one.")
        }
        guard Self.firstPayment(body) != nil else {
            throw Refusal(422, "source_id_invalid", "The source was never stored.")
        }
    }

    /// Whether the source that a payment left may pay for what a body asks.
    ///
    /// - Throws: ``Refusal``.
    func check(_ payment: Authorization?, for body: CheckoutBody) throws(Refusal) {
        guard let payment, methods.keeps(methodOf: payment) else {
            throw Refusal(422, "source_id_invalid", "The source is not known.")
        }
        if let customer = body["customer"]?["id"]?.stringValue {
            guard methods.keeps(methodOf: payment, for: customer) else {
                throw Refusal(422, "customer_id_invalid", "The source belongs to another customer.")
            }
        }
        if let previous = try body.text("previous_payment_id", limit: 100) {
            guard CheckoutIdentifier.payment(previous) == payment.id else {
                throw Refusal(422, "previous_payment_id_invalid", "The payment is not the first with this source.")
            }
        }
    }

    /// `DELETE /instruments/{id}`.
    func forget(_ request: PSPRequest) throws(Refusal) -> Reply {
        let account = try CheckoutRequester.account(of: request)
        guard let first = CheckoutIdentifier.payment(ofSource: request.parameter("source")) else { throw .notFound }
        return .given(first, account: account) { payment throws(Refusal) in
            guard methods.remove(methodOf: payment) else { throw .notFound }
            return .answer(CheckoutAnswer.empty(204))
        }
    }
}
