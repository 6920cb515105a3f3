import StrictJSON

/// What is done to a payment: accepted with 202 if it is possible, done later.
struct CheckoutActions: Sendable {
    /// How soon an action is done unless a trigger says otherwise.
    private static let latency = Latency(milliseconds: 50, takesAll: false)

    let splits: CheckoutSplits

    /// `POST /payments/{id}/captures`; the rest is released unless `capture_type` is `NonFinal`.
    func capture(_ request: PSPRequest) throws(Refusal) -> Reply {
        let body = try CheckoutBody(request, knowing: Self.captureFields)
        var isFinal = true
        switch body["capture_type"] {
        case nil, .string("Final"): break
        case .string("NonFinal"): isFinal = false
        default: throw Refusal(422, "parameter_invalid", "capture_type is invalid.")
        }
        return try change(.capture, body, request) { $0.isFinal = isFinal }
    }

    /// `POST /payments/{id}/voids`.
    func void(_ request: PSPRequest) throws(Refusal) -> Reply {
        try change(.void, CheckoutBody(request, knowing: ["metadata", "reference"]), request)
    }

    /// `POST /payments/{id}/refunds`.
    func refund(_ request: PSPRequest) throws(Refusal) -> Reply {
        let body = try CheckoutBody(request, knowing: Self.refundFields)
        if let action = body["capture_action_id"] {
            guard let text = action.stringValue, text.hasPrefix("act_"), text.utf8.count == 30 else {
                throw Refusal(422, "parameter_invalid", "capture_action_id is invalid.")
            }
        }
        return try change(.refund, body, request)
    }

    /// `POST /payments/{id}/reversals`, which void or refund; not among the requests that know an idempotency key.
    func reverse(_ request: PSPRequest) throws(Refusal) -> Reply {
        let body = try CheckoutBody(request, knowing: ["metadata", "reference"])
        return try change(.void, body, request, hasKey: false) { $0.isReversal = true }
    }

    private func change(
        _ kind: OperationKind,
        _ body: CheckoutBody,
        _ request: PSPRequest,
        hasKey: Bool = true,
        _ adjust: (inout ChangeCommand) -> Void = { _ in }
    ) throws(Refusal) -> Reply {
        var requester = try CheckoutRequester.requester(request)
        if !hasKey { requester = Requester(account: requester.account, key: nil) }
        guard let payment = CheckoutIdentifier.payment(request.parameter("id")) else { throw .notFound }
        let amount = try body.amount()
        let allocations = try CheckoutAllocations(body, of: amount)
        try splits.check(payment, amount: amount, allocations)
        let reference = try body.reference()
        var change = ChangeCommand(
            kind,
            of: .id(payment),
            reference: reference ?? requester.key ?? "",
            amount: amount,
            applicationFee: allocations?.commission
        )
        change.metadata = try body.metadata()
        change.details["reference"] = reference
        change.details["metadata"] = body["metadata"]?.text
        change.details["allocations"] = allocations?.json.text
        change.latency = Self.latency
        adjust(&change)
        return .change(change, by: requester) { operation, authorization in
            CheckoutAnswer.reply(202, CheckoutDocument.accepted(operation, of: authorization, request.origin))
        }
    }

    private static let captureFields: Set<String> = [
        "amount", "amount_allocations", "billing_descriptor", "capture_type", "customer", "description", "items",
        "marketplace", "metadata", "processing", "reference", "shipping",
    ]

    private static let refundFields: Set<String> = [
        "amount", "amount_allocations", "capture_action_id", "destination", "items", "metadata", "reference",
    ]
}

/// What became of payments.
enum CheckoutInquiries {
    /// `GET /payments/{id}`.
    static func payment(_ request: PSPRequest) throws(Refusal) -> Reply {
        try inquire(request) { authorization in
            CheckoutDocument.payment(authorization, request.origin, isFirst: false)
        }
    }

    /// `GET /payments/{id}/actions`, the latest first.
    static func actions(_ request: PSPRequest) throws(Refusal) -> Reply {
        try inquire(request) { authorization in
            .array(CheckoutActionDocument.all(of: authorization).reversed().map { $0.document })
        }
    }

    /// `GET /payments`, those with the caller's reference, the latest first.
    static func list(_ request: PSPRequest) throws(Refusal) -> Reply {
        let account = try CheckoutRequester.account(of: request)
        let limit = try number(request, "limit", 10, in: 1...100)
        let skip = try number(request, "skip", 0, in: 0...1_000_000)
        let reference = request.query("reference")
        return .inquire(account: account) { view in
            let found = view.authorizations { authorization in
                reference == nil || authorization.command.details["reference"] == reference
            }
            let page = found.reversed().dropFirst(skip).prefix(limit)
            return CheckoutAnswer.reply(
                200,
                [
                    "limit": .integer(Int64(limit)), "skip": .integer(Int64(skip)),
                    "total_count": .integer(Int64(found.count)),
                    "data": .array(page.map { CheckoutDocument.payment($0, request.origin, isFirst: false) }),
                ]
            )
        }
    }

    private static func inquire(
        _ request: PSPRequest,
        _ document: @escaping @Sendable (Authorization) -> JSON
    ) throws(Refusal) -> Reply {
        let account = try CheckoutRequester.account(of: request)
        guard let id = CheckoutIdentifier.payment(request.parameter("id")) else { throw .notFound }
        return .inquire(account: account) { view throws(Refusal) in
            guard let found = view.authorization(id) else { throw .notFound }
            return CheckoutAnswer.reply(200, document(found))
        }
    }

    private static func number(
        _ request: PSPRequest,
        _ name: String,
        _ usual: Int,
        in range: ClosedRange<Int>
    ) throws(Refusal) -> Int {
        guard let text = request.query(name) else { return usual }
        guard let number = Int(text), range ~= number else {
            throw Refusal(422, "parameter_invalid", "\(name) is out of range.")
        }
        return number
    }
}

/// The body of a request to Checkout.com; limits are those of its API reference, read 2026.
struct CheckoutBody: Sendable {
    /// The greatest amount, in minor units.
    private static let greatestAmount: Int64 = 9_999_999_999

    private let members: [JSON.Member]

    /// Reads a body; none at all is an empty object.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - known: the endpoint's fields.
    /// - Throws: ``Refusal``.
    init(_ request: PSPRequest, knowing known: Set<String>) throws(Refusal) {
        let json = request.body.isEmpty ? .object([]) : try? request.json()
        guard let json, json.objectValue != nil else {
            throw Refusal(422, "request_json_invalid", "The body is not a JSON object.")
        }
        try self.init(json, knowing: known)
    }

    /// Reads an object; members that are null count as absent.
    ///
    /// - Throws: ``Refusal`` if it is no object or has a field that the API reference does not name.
    init(_ json: JSON, knowing known: Set<String>) throws(Refusal) {
        guard let members = json.objectValue, members.allSatisfy({ known.contains($0.key) }) else {
            throw Refusal(422, "request_invalid", "A field is not known.")
        }
        self.members = members.filter { !$0.value.isNull }
    }

    /// A field's value; nil if it is absent.
    subscript(name: String) -> JSON? { members.first { $0.key == name }?.value }

    /// A text; nil if it is absent.
    ///
    /// - Throws: ``Refusal`` if it is none or too long.
    func text(_ name: String, limit: Int) throws(Refusal) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.stringValue, text.utf8.count <= limit else {
            throw Refusal(422, "parameter_invalid", "\(name) is not a text of at most \(limit) characters.")
        }
        return text
    }

    /// A truth value; nil if it is absent.
    ///
    /// - Throws: ``Refusal`` if it is none.
    func flag(_ name: String) throws(Refusal) -> Bool? {
        guard let value = self[name] else { return nil }
        guard let flag = value.boolValue else { throw Refusal(422, "parameter_invalid", "\(name) is not a boolean.") }
        return flag
    }

    /// The amount in minor units; nil if it is absent.
    ///
    /// - Throws: ``Refusal`` if it is no integer from 1.
    func amount() throws(Refusal) -> Int64? {
        guard let value = self["amount"] else { return nil }
        guard let amount = value.integerValue, 1...Self.greatestAmount ~= amount else {
            throw Refusal(422, "amount_invalid", "The amount is invalid.")
        }
        return amount
    }

    /// The caller's reference, at most 80 characters; nil if it is absent.
    ///
    /// - Throws: ``Refusal``.
    func reference() throws(Refusal) -> String? { try text("reference", limit: 80) }

    /// The caller's notes, at most 20 of at most 255 characters: texts, numbers and truth values.
    ///
    /// - Throws: ``Refusal``.
    func metadata() throws(Refusal) -> [String: String] {
        guard let value = self["metadata"] else { return [:] }
        guard let notes = value.objectValue, notes.count <= 20 else {
            throw Refusal(422, "parameter_invalid", "The metadata has more than 20 fields.")
        }
        var metadata: [String: String] = [:]
        for note in notes {
            guard note.value.objectValue == nil, note.value.arrayValue == nil else {
                throw Refusal(422, "parameter_invalid", "The metadata is nested.")
            }
            let text = note.value.stringValue ?? note.value.text
            guard text.utf8.count <= 255 else {
                throw Refusal(422, "parameter_invalid", "A value in the metadata is too long.")
            }
            metadata[note.key] = text
        }
        return metadata
    }
}
