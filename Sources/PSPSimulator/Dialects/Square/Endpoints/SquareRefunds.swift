import StrictJSON

/// Refunds.
struct SquareRefunds: Sendable {
    let document: SquareDocument

    /// How soon a refund is done unless a trigger says otherwise; the answer is always `PENDING`.
    private static let pace = Pace(milliseconds: 50, takesAll: false)

    /// `POST /v2/refunds`.
    func create(_ request: PSPRequest) throws(Refusal) -> Ask {
        let body = try SquareBody(request, knowing: Self.known)
        let fields = body.fields
        let key = try fields.key()
        let amount = try fields.requiredMoney("amount_money")
        let fee = try fields.money("app_fee_money", in: amount.currency)
        guard fee?.amount ?? 0 <= amount.amount else {
            throw fields.wrong("INVALID_FEES", "app_fee_money.amount", "The fee is more than the refund.")
        }
        try Self.checkLink(fields)
        guard let id = SquareName.bookName(payment: try fields.required("payment_id", limit: 192)) else {
            throw .notFound
        }
        var change = ChangeCommand(
            .refund,
            of: .id(id),
            reference: key,
            amount: amount.amount,
            applicationFee: fee?.amount
        )
        change.details["reason"] = try fields.text("reason", limit: 192)
        change.details["team_member_id"] = try fields.text("team_member_id", limit: 192)
        change.pace = Self.pace
        // Keys are of an endpoint; the books know only one kind.
        let requester = Requester(account: body.account, key: "refund \(key)")
        return .given(id, account: body.account) { [change] found throws(Refusal) in
            guard let payment = found else { throw .notFound }
            if !payment.operations.contains(where: { $0.key == requester.key }) {
                try check(payment, amount.currency, hasFee: fee != nil, fields)
            }
            return .change(change, by: requester) { operation, authorization in
                PSPReply(200, ["refund": document.refund(operation, of: authorization)])
            }
        }
    }

    /// `GET /v2/refunds/{refund_id}`.
    func retrieve(_ request: PSPRequest) throws(Refusal) -> Ask {
        let account = try SquareBody.account(of: request)
        guard let id = SquareName.bookName(refund: request.parameter("refund")) else { throw .notFound }
        return .inquire(account: account) { view throws(Refusal) in
            guard let found = view.operation(id) else { throw .notFound }
            return PSPReply(200, ["refund": document.refund(found.operation, of: found.authorization)])
        }
    }

    /// `GET /v2/refunds`.
    func list(_ request: PSPRequest) throws(Refusal) -> Ask {
        let account = try SquareBody.account(of: request)
        let page = try SquarePage(request, knowing: ["location_id", "status", "source_type"])
        let location = request.query("location_id")
        let status = request.query("status")
        let isOfCards = request.query("source_type") ?? "CARD" == "CARD"
        return .inquire(account: account) { view throws(Refusal) in
            var entries: [SquarePage.Entry] = []
            view.survey { authorization in
                let actual = SquareDocument.location(authorization)
                guard isOfCards, location ?? actual == actual else { return }
                for refund in authorization.operations where refund.kind == .refund {
                    let word = SquareDocument.status(refund)
                    guard status ?? word == word else { continue }
                    let name = SquareName.refund(refund.id)
                    entries.append(
                        SquarePage.Entry(name: name, createdAt: refund.at, updatedAt: refund.at, id: refund.id)
                    )
                }
            }
            let (part, cursor) = try page.part(of: entries, at: view.now)
            let found = part.compactMap { view.operation($0.id) }
            return SquarePage.reply(
                "refunds",
                found.map { document.refund($0.operation, of: $0.authorization) },
                cursor: cursor
            )
        }
    }

    /// Refuses what the payment does not allow and the books do not know of.
    private func check(
        _ payment: Authorization,
        _ currency: String,
        hasFee: Bool,
        _ fields: SquareFields
    ) throws(Refusal) {
        try document.check(fields, "payment_version_token", of: payment)
        guard currency == payment.command.currency else {
            throw fields.wrong("UNSUPPORTED_CURRENCY", "amount_money.currency", "Not the currency of the payment.")
        }
        guard !hasFee || document.fee(of: payment) != nil else {
            throw fields.wrong("INVALID_FEES", "app_fee_money", "The payment was taken without an app_fee_money.")
        }
        guard payment.disputes.allSatisfy({ $0.status == .won }) else {
            throw SquareError.refusal("PAYMENT_NOT_REFUNDABLE_DUE_TO_DISPUTE", "The payment has been disputed.")
        }
        guard !payment.operations.contains(where: { $0.kind == .refund && $0.status == .pending }) else {
            throw SquareError.refusal("REFUND_ALREADY_PENDING", "The payment already has a pending refund.")
        }
    }

    /// Only refunds of payments are made here.
    private static func checkLink(_ fields: SquareFields) throws(Refusal) {
        if try fields.bool("unlinked") == true {
            throw fields.wrong("UNSUPPORTED_SOURCE_TYPE", "unlinked", "The simulator only refunds payments.")
        }
        for name in ["location_id", "customer_id"] where try fields.text(name) != nil {
            throw fields.wrong("CONFLICTING_PARAMETERS", name, "Only an unlinked refund can have this field.")
        }
    }

    /// The fields of a refund, from the OpenAPI description of 2025-08-20.
    private static let known: Set<String> = [
        "amount_money", "app_fee_money", "cash_details", "customer_id", "destination_id", "external_details",
        "idempotency_key", "location_id", "payment_id", "payment_version_token", "reason", "team_member_id", "unlinked",
    ]
}
