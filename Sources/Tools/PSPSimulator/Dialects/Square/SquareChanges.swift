import StrictJSON

/// What is done to a payment that is approved: change its amount, complete it, cancel it.
struct SquareChanges: Sendable {
    let edits: SquareEdits
    let document: SquareDocument

    /// `PUT /v2/payments/{payment_id}`.
    func update(_ request: PSPRequest) throws(Refusal) -> Reply {
        let body = try SquareBody(request, knowing: ["idempotency_key", "payment"])
        let key = try body.fields.key()
        try body.fields.object("payment")
        guard let json = body.fields.json["payment"], json.objectValue?.isEmpty == false else {
            throw SquareErrorDocument.refusal("NO_FIELDS_SET", field: "payment", "No field of the payment is set.")
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
    func complete(_ request: PSPRequest) throws(Refusal) -> Reply {
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
    func cancel(_ request: PSPRequest) throws(Refusal) -> Reply {
        let body = try SquareBody(request, knowing: [], isOptional: true)
        let id = try Self.payment(named: request)
        return .given(id, account: body.account) { found throws(Refusal) in
            _ = try check(found, body.fields)
            let change = ChangeCommand(.void, of: .id(id), reference: "")
            return .change(change, by: Requester(account: body.account, key: nil), reply: document.reply(changing:_:))
        }
    }

    /// `POST /v2/payments/cancel` by the idempotency key of the payment, which succeeds if there is none.
    func cancelByKey(_ request: PSPRequest) throws(Refusal) -> Reply {
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
        guard payment.status == .authorized else { throw SquareErrorDocument.refusal(of: payment) }
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
            at: SimulatorClock.system(),
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

/// Refunds.
struct SquareRefunds: Sendable {
    let document: SquareDocument

    /// How soon a refund is done unless a trigger says otherwise; the answer is always `PENDING`.
    private static let latency = Latency(milliseconds: 50, takesAll: false)

    /// `POST /v2/refunds`.
    func create(_ request: PSPRequest) throws(Refusal) -> Reply {
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
        change.latency = Self.latency
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
    func retrieve(_ request: PSPRequest) throws(Refusal) -> Reply {
        let account = try SquareBody.account(of: request)
        guard let id = SquareName.bookName(refund: request.parameter("refund")) else { throw .notFound }
        return .inquire(account: account) { view throws(Refusal) in
            guard let found = view.operation(id) else { throw .notFound }
            return PSPReply(200, ["refund": document.refund(found.operation, of: found.authorization)])
        }
    }

    /// `GET /v2/refunds`.
    func list(_ request: PSPRequest) throws(Refusal) -> Reply {
        let account = try SquareBody.account(of: request)
        let page = try SquareCursor(request, knowing: ["location_id", "status", "source_type"])
        let location = request.query("location_id")
        let status = request.query("status")
        let isOfCards = request.query("source_type") ?? "CARD" == "CARD"
        return .inquire(account: account) { view throws(Refusal) in
            var entries: [SquareCursor.Entry] = []
            view.survey { authorization in
                let actual = SquareDocument.location(authorization)
                guard isOfCards, location ?? actual == actual else { return }
                for refund in authorization.operations where refund.kind == .refund {
                    let word = SquareDocument.status(refund)
                    guard status ?? word == word else { continue }
                    let name = SquareName.refund(refund.id)
                    let changedAt = refund.changedAt ?? refund.at
                    entries.append(
                        SquareCursor.Entry(name: name, createdAt: refund.at, updatedAt: changedAt, id: refund.id)
                    )
                }
            }
            let (part, cursor) = try page.part(of: entries, at: view.now)
            let found = part.compactMap { view.operation($0.id) }
            return SquareCursor.reply(
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
            throw SquareErrorDocument.refusal("PAYMENT_NOT_REFUNDABLE_DUE_TO_DISPUTE", "The payment has been disputed.")
        }
        guard !payment.operations.contains(where: { $0.kind == .refund && $0.status == .pending }) else {
            throw SquareErrorDocument.refusal("REFUND_ALREADY_PENDING", "The payment already has a pending refund.")
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
