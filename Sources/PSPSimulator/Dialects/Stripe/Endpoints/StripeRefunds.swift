import StrictJSON

/// Refunds.
enum StripeRefunds {
    /// `POST /v1/refunds`.
    static func create(_ request: PSPRequest) throws(Refusal) -> Ask {
        let requester = try StripeRequester.requester(request)
        let form = try StripeForm(request, knowing: parameters)
        let reason = form.fields.value("reason")
        guard reason.map({ ["duplicate", "fraudulent", "requested_by_customer"].contains($0) }) ?? true else {
            throw .invalid("Invalid reason.")
        }
        let metadata = try form.metadata()
        var change = ChangeCommand(
            .refund,
            of: .id(try payment(named: form)),
            reference: StripeForm.reference(in: metadata, words: ["operation", "reference"], else: requester.key),
            amount: try form.integer("amount", atLeast: 1)
        )
        change.metadata = metadata
        change.details["reason"] = reason
        for name in ["refund_application_fee", "reverse_transfer"] where try form.bool(name) == true {
            change.details[name] = "true"
        }
        return .change(change, by: requester) { operation, authorization in
            let expansions = form.expansions
            return PSPReply(
                200,
                StripeDocument.refund(operation, of: authorization, expanding: expansions, request.origin)
            )
        }
    }

    /// `GET /v1/refunds/{refund}`.
    static func retrieve(_ request: PSPRequest) throws(Refusal) -> Ask {
        .inquire(account: try StripeRequester.account(of: request)) { view throws(Refusal) in
            let found = view.operation(StripeDocument.bookName(refund: request.parameter("refund")))
            guard let found, found.operation.kind == .refund else { throw .notFound }
            return PSPReply(200, StripeDocument.refund(found.operation, of: found.authorization))
        }
    }

    /// `GET /v1/refunds` of a payment or a charge, the newest first.
    static func list(_ request: PSPRequest) throws(Refusal) -> Ask {
        let account = try StripeRequester.account(of: request)
        let page = try StripePage(request)
        let payment = request.query("payment_intent").map(StripeDocument.bookName(payment:))
        let charge = request.query("charge").map(StripeDocument.bookName(charge:))
        return .inquire(account: account) { view in
            let meant = view.authorizations { authorization in
                let isMeant = [payment, charge].allSatisfy { name in
                    name.map { $0 == authorization.id || $0 == authorization.command.identifier } ?? true
                }
                return isMeant && authorization.operations.contains { $0.kind == .refund }
            }
            let refunds = meant.flatMap { authorization in
                authorization.operations.filter { $0.kind == .refund }.map { ($0, authorization) }
            }
            let newest = refunds.sorted { ($0.0.at, $0.0.id) > ($1.0.at, $1.0.id) }
            return page.reply(newest.map { StripeDocument.refund($0.0, of: $0.1) }, at: "/v1/refunds")
        }
    }

    private static func payment(named form: StripeForm) throws(Refusal) -> String {
        if let id = form.fields.value("payment_intent") { return StripeDocument.bookName(payment: id) }
        if let id = form.fields.value("charge") { return StripeDocument.bookName(charge: id) }
        throw Refusal(
            400,
            "parameter_missing",
            "One of the following params should be provided: payment_intent or charge."
        )
    }

    private static let parameters: Set<String> = [
        "amount", "charge", "currency", "customer", "expand", "instructions_email", "metadata", "origin",
        "payment_intent", "reason", "refund_application_fee", "reverse_transfer",
    ]
}
