import StrictJSON

/// What is done to a payment that is approved: change its amount, complete it, cancel it.
struct SquareChanges: Sendable {
    let edits: SquareEdits
    let document: SquareDocument

    /// `PUT /v2/payments/{payment_id}`.
    func update(_ request: PSPRequest) throws(Refusal) -> Ask {
        let body = try SquareBody(request, knowing: ["idempotency_key", "payment"])
        let key = try body.fields.key()
        try body.fields.object("payment")
        guard let json = body.fields.json["payment"], json.objectValue?.isEmpty == false else {
            throw SquareError.refusal("NO_FIELDS_SET", field: "payment", "No field of the payment is set.")
        }
        let fields = try SquareFields(json, in: "payment.", knowing: Self.editable)
        let id = try Self.payment(named: request)
        let requester = Requester(account: body.account, key: key)
        return .given(id, account: body.account) { found throws(Refusal) in
            if let reply = try edits.reply(to: json, of: id, by: requester) { return .answer(reply) }
            let payment = try check(found, fields)
            guard !payment.operations.contains(where: { $0.status == .pending }) else { throw .inProgress }
            edits.change(id, to: try edit(payment, fields, key: key))
            let reply = PSPReply(200, ["payment": document.payment(payment)])
            edits.keep(reply, to: json, of: id, by: requester)
            return .answer(reply)
        }
    }

    /// `POST /v2/payments/{payment_id}/complete`, which has no idempotency key.
    func complete(_ request: PSPRequest) throws(Refusal) -> Ask {
        let body = try SquareBody(request, knowing: ["version_token"], isOptional: true)
        let id = try Self.payment(named: request)
        return .given(id, account: body.account) { found throws(Refusal) in
            _ = try check(found, body.fields)
            let edit = edits.edit(of: id)
            let change = ChangeCommand(
                .capture,
                of: .id(id),
                reference: edit?.key ?? "",
                amount: edit?.total,
                applicationFee: edit?.fee
            )
            return .change(change, by: Requester(account: body.account, key: nil), reply: document.reply(changing:_:))
        }
    }

    /// `POST /v2/payments/{payment_id}/cancel`, which has no idempotency key.
    func cancel(_ request: PSPRequest) throws(Refusal) -> Ask {
        let body = try SquareBody(request, knowing: [], isOptional: true)
        let id = try Self.payment(named: request)
        return .given(id, account: body.account) { found throws(Refusal) in
            _ = try check(found, body.fields)
            let change = ChangeCommand(.void, of: .id(id), reference: "")
            return .change(change, by: Requester(account: body.account, key: nil), reply: document.reply(changing:_:))
        }
    }

    /// `POST /v2/payments/cancel` by the idempotency key of the payment, which succeeds if there is none.
    func cancelByKey(_ request: PSPRequest) throws(Refusal) -> Ask {
        let body = try SquareBody(request, knowing: ["idempotency_key"])
        let key = try body.fields.key()
        let name = SquareName.payment(of: body.account, key: key)
        return .given(name, account: body.account) { found throws(Refusal) in
            guard let payment = found, payment.status != .declined else { return .answer(PSPReply(200, .object([]))) }
            guard payment.status != .captured else { throw .alreadyCaptured }
            let change = ChangeCommand(.void, of: .id(payment.id), reference: key)
            return .change(change, by: Requester(account: body.account, key: nil)) { _, _ in
                PSPReply(200, .object([]))
            }
        }
    }

    /// The payment, if it is approved and of the version that the request expects.
    private func check(_ found: Authorization?, _ fields: SquareFields) throws(Refusal) -> Authorization {
        guard let payment = found else { throw .notFound }
        guard payment.status == .authorized else { throw SquareError.refusal(of: payment) }
        try document.check(fields, "version_token", of: payment)
        return payment
    }

    /// The amounts after a change; what it does not name stays as it is.
    private func edit(
        _ payment: Authorization,
        _ fields: SquareFields,
        key: String
    ) throws(Refusal) -> SquareEdits.Edit {
        let currency = payment.command.currency
        let last = edits.edit(of: payment.id)
        let oldTip = last.map(\.tip) ?? payment.command.details["tip"].flatMap { Int64($0) }
        let oldTotal = last?.total ?? payment.authorized
        let oldFee = last.map(\.fee) ?? payment.command.applicationFee
        let amount = try fields.money("amount_money", atLeast: 1, in: currency)?.amount ?? oldTotal - (oldTip ?? 0)
        let tip = fields.contains("tip_money") ? try fields.money("tip_money", in: currency)?.amount : oldTip
        let fee = fields.contains("app_fee_money") ? try fields.money("app_fee_money", in: currency)?.amount : oldFee
        if let action = try fields.text("delay_action"), action != "CANCEL" {
            throw fields.wrong("INVALID_VALUE", "delay_action", "The simulator only knows CANCEL.")
        }
        let total = amount + (tip ?? 0)
        guard total <= payment.authorized else {
            throw fields.wrong("AMOUNT_TOO_HIGH", "amount_money.amount", "The amount is more than was approved.")
        }
        try SquarePayments.check(fee: fee, of: total, fields)
        return SquareEdits.Edit(
            total: total,
            tip: tip,
            fee: fee,
            count: (last?.count ?? 0) + 1,
            at: SimulatorServer.systemClock(),
            key: key
        )
    }

    private static func payment(named request: PSPRequest) throws(Refusal) -> String {
        guard let id = SquareName.bookName(payment: request.parameter("payment")) else { throw .notFound }
        return id
    }

    /// The fields of a payment that are not read-only, as far as cards have them.
    private static let editable: Set<String> = [
        "amount_money", "app_fee_money", "delay_action", "team_member_id", "tip_money", "version_token",
    ]
}
