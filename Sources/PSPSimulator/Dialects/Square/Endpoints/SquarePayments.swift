/// Payments as they are made.
struct SquarePayments: Sendable {
    let document: SquareDocument

    /// Fields that stand in the answer as they came, with the greatest number of characters.
    private static let kept: [(name: String, limit: Int)] = [
        ("buyer_email_address", 255), ("customer_id", 191), ("location_id", 50), ("note", 500), ("order_id", 192),
        ("reference_id", 40), ("statement_description_identifier", 20), ("team_member_id", 192),
        ("verification_token", 1000), ("buyer_phone_number", 30), ("delay_duration", 30),
    ]

    /// `POST /v2/payments`.
    func create(_ request: PSPRequest) throws(Refusal) -> Ask {
        let body = try SquareBody(request, knowing: Self.known)
        let fields = body.fields
        let source = try fields.required("source_id")
        let key = try fields.key()
        let amount = try fields.requiredMoney("amount_money")
        let tip = try fields.money("tip_money", in: amount.currency)
        let fee = try fields.money("app_fee_money", in: amount.currency)
        let total = amount.amount + (tip?.amount ?? 0)
        try Self.check(fee: fee?.amount, of: total, fields)
        for name in Self.objects { try fields.object(name) }
        var details: [String: String] = [:]
        for (name, limit) in Self.kept { details[name] = try fields.text(name, limit: limit) }
        details["tip"] = tip.map { String($0.amount) }
        let autocomplete = try fields.bool("autocomplete") ?? true
        let takesPart = try Self.takesPart(fields, autocomplete: autocomplete)
        let paying = try SquareSource(
            source,
            customer: details["customer_id"],
            SquareSource.Terms(
                total: total,
                takesPart: takesPart,
                isShared: (tip?.amount ?? 0) > 0 || fee != nil,
                isVerified: details["verification_token"]?.isEmpty == false,
                life: try Self.life(fields, autocomplete: autocomplete)
            )
        )
        details.merge(paying.details) { _, new in new }
        let command = AuthorizeCommand(
            reference: details["reference_id"] ?? key,
            amount: total,
            currency: amount.currency,
            method: .token(paying.token),
            capture: autocomplete,
            applicationFee: fee?.amount,
            details: details,
            identifier: SquareName.payment(of: body.account, key: key)
        )
        return .authorize(command, by: Requester(account: body.account, key: key), reply: document.reply(creating:))
    }

    /// The developer's fee is at most 90 % of what the buyer pays.
    ///
    /// - Throws: ``Refusal``.
    static func check(fee: Int64?, of total: Int64, _ fields: SquareFields) throws(Refusal) {
        guard let fee, fee * 10 > total * 9 else { return }
        throw fields.wrong("INVALID_FEES", "app_fee_money.amount", "The app_fee_money on the payment is too high.")
    }

    private static func takesPart(_ fields: SquareFields, autocomplete: Bool) throws(Refusal) -> Bool {
        let takesPart = try fields.bool("accept_partial_authorization") ?? false
        guard takesPart, autocomplete else { return takesPart }
        throw fields.wrong(
            "BAD_REQUEST",
            "accept_partial_authorization",
            "accept_partial_authorization cannot be true when autocomplete is true."
        )
    }

    /// How long the payment is held, in milliseconds; nil unless the request says so.
    private static func life(_ fields: SquareFields, autocomplete: Bool) throws(Refusal) -> Int64? {
        if let action = try fields.text("delay_action") {
            guard action == "CANCEL" || action == "COMPLETE" else {
                throw fields.wrong("INVALID_ENUM_VALUE", "delay_action", "Must be CANCEL or COMPLETE.")
            }
            // The books let a hold run out; they do not capture by themselves.
            guard action == "CANCEL" else {
                throw fields.wrong("INVALID_VALUE", "delay_action", "The simulator only knows CANCEL.")
            }
        }
        guard let text = try fields.text("delay_duration") else { return nil }
        guard !autocomplete else {
            throw fields.wrong("BAD_REQUEST", "delay_duration", "Only a delayed capture can have a delay_duration.")
        }
        guard let life = SquareTime.milliseconds(ofDuration: text) else {
            throw fields.wrong("INVALID_VALUE", "delay_duration", "The duration is not in RFC 3339 format.")
        }
        guard life >= 60_000 else { throw fields.wrong("VALUE_TOO_LOW", "delay_duration", "At least one minute.") }
        guard life <= 36 * 86_400_000 else { throw fields.wrong("VALUE_TOO_HIGH", "delay_duration", "Too long.") }
        return life
    }

    private static let objects = ["billing_address", "shipping_address", "customer_details"]

    /// The fields of a payment, from the OpenAPI description of 2025-08-20.
    private static let known: Set<String> = [
        "accept_partial_authorization", "amount_money", "app_fee_money", "autocomplete", "billing_address",
        "buyer_email_address", "buyer_phone_number", "cash_details", "customer_details", "customer_id", "delay_action",
        "delay_duration", "external_details", "idempotency_key", "location_id", "note", "offline_payment_details",
        "order_id", "reference_id", "shipping_address", "source_id", "statement_description_identifier",
        "team_member_id", "tip_money", "verification_token",
    ]
}
