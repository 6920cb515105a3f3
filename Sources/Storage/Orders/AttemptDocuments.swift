import Domain
import SQL
import StrictJSON

/// A payment's attempts with their operations, as JSON text in one column.
///
/// What has its usual value is left out: nothing said yet, all done that was asked, sent once when it was begun. What the
/// order says is told shortly (``OrderParts``), and an operation that the PSP calls what it calls the attempt says `true`.
enum AttemptDocuments {
    private static let column = "attempts"

    static func text(_ attempts: [Attempt], of order: OrderID) -> String {
        let parts = OrderParts(of: order)
        return JSON.array(attempts.map { json($0, parts) }).text
    }

    /// Whether a column has attempts with a card of these last four digits; no text inside the document can look like it.
    static func hasCard(endingIn last4: String, in column: SQL) -> SQL {
        SQL.contains("\"last4\":\(JSON.string(last4).text)", in: column)
    }

    /// Reads attempts back.
    ///
    /// - Throws: `SQLError.unexpectedValue(column:)` for what ``text(_:)`` does not write.
    static func attempts(_ text: String, of order: OrderID) throws(SQLError) -> [Attempt] {
        guard let documents = (try? JSON.parse(text: text))?.arrayValue else {
            throw .unexpectedValue(column: column)
        }
        let parts = OrderParts(of: order)
        return try documents.map { document throws(SQLError) in try attempt(document, parts) }
    }

    private static func json(_ attempt: Attempt, _ parts: OrderParts) -> JSON {
        let route = attempt.route
        return .object(omittingAbsent: [
            "id": parts.json(attempt.id), "psp": .string(route.psp), "psp_account": .string(route.pspAccount),
            "merchant_account": route.merchantAccount.map(JSON.string),
            "settles_to": route.settlesTo == .marketplace ? nil : .string(route.settlesTo.rawValue),
            "commission_by": route.commissionBy == .psp ? nil : .string(route.commissionBy.rawValue),
            "psp_reference": attempt.pspReference.map(JSON.string), "psp_state": attempt.pspState.map(JSON.string),
            "network": attempt.network.map(JSON.string), "last4": attempt.last4.map(JSON.string),
            "expires_at": attempt.expiresAt.map { parts.json($0) },
            "operations": .array(attempt.operations.map { json($0, namedAs: attempt.pspReference, parts) }),
        ])
    }

    private static func attempt(_ document: JSON, _ parts: OrderParts) throws(SQLError) -> Attempt {
        let fields = Fields(document, parts)
        guard let operations = document["operations"]?.arrayValue else { throw .unexpectedValue(column: column) }
        let route = RouteSnapshot(
            psp: try fields.text("psp"),
            pspAccount: try fields.text("psp_account"),
            merchantAccount: try fields.optionalText("merchant_account"),
            settlesTo: try fields.optionalWord("settles_to") ?? .marketplace,
            commissionBy: try fields.optionalWord("commission_by") ?? .psp
        )
        let name = try fields.optionalText("psp_reference")
        var attempt = Attempt(
            id: try fields.identifier("id"),
            route: route,
            operations: try operations.map { item throws(SQLError) in try operation(item, namedAs: name, parts) }
        )
        guard attempt.operations.first?.kind == .authorize else { throw .unexpectedValue(column: column) }
        attempt.pspReference = name
        attempt.pspState = try fields.optionalText("psp_state")
        attempt.network = try fields.optionalText("network")
        attempt.last4 = try fields.optionalText("last4")
        attempt.expiresAt = try fields.optionalTime("expires_at")
        return attempt
    }

    private static func json(_ operation: Operation, namedAs name: String?, _ parts: OrderParts) -> JSON {
        func count(_ number: Int64, usually usual: Int64 = 0) -> JSON? { number == usual ? nil : .integer(number) }
        func moment(_ time: Timestamp?) -> JSON? { time.map { parts.json($0) } }
        func isName(_ reference: String) -> Bool { name.map { UTF8Text.same($0, reference) } ?? false }
        return .object(omittingAbsent: [
            "id": parts.json(operation.id), "kind": .string(operation.kind.rawValue),
            "amount": .integer(operation.amount), "commission": operation.commission.map(JSON.integer),
            "is_final": operation.isFinal ? nil : .bool(false), "refund": operation.refund.map { parts.json($0) },
            "origin": operation.origin == .gateway ? nil : .string(operation.origin.rawValue),
            "state": .string(operation.state.name), "detail": operation.state.detail,
            "done_amount": count(operation.doneAmount, usually: operation.usuallyDone),
            "reference": operation.reference.map { isName($0) ? .bool(true) : .string($0) },
            "created_at": parts.json(operation.createdAt), "replied_at": moment(operation.repliedAt),
            "succeeded_at": moment(operation.succeededLaterAt),
            "due_at": moment(operation.dueAt), "leases": count(operation.leases, usually: 1),
            "leased_by": operation.leasedBy.map(JSON.string), "sendings": count(operation.sendings, usually: 1),
            "sent_at": operation.sentAt == operation.createdAt ? nil : .optional(moment(operation.sentAt)),
            "sent_under_lease": count(operation.sentUnderLease, usually: operation.leases),
            "doubts": count(operation.doubts), "answered_in_doubt": operation.isAnsweredInDoubt ? .bool(true) : nil,
            "retries": count(operation.retries), "skipped": count(operation.skippedMicroseconds),
        ])
    }

    private static func operation(
        _ document: JSON,
        namedAs name: String?,
        _ parts: OrderParts
    ) throws(SQLError) -> Operation {
        let fields = Fields(document, parts)
        var operation = Operation(
            id: try fields.identifier("id"),
            kind: try fields.word("kind"),
            amount: try fields.integer("amount"),
            origin: try fields.optionalWord("origin") ?? .gateway,
            createdAt: parts.time(try fields.integer("created_at")),
            refund: document["refund"] == nil ? nil : try fields.identifier("refund"),
            isFinal: try fields.flag("is_final") ?? true
        )
        operation.commission = try fields.optionalInteger("commission")
        operation.state = try OperationState(name: try fields.text("state"), detail: document["detail"])
        operation.doneAmount = try fields.optionalInteger("done_amount") ?? operation.usuallyDone
        operation.reference = try fields.reference(or: name)
        operation.repliedAt = try fields.optionalTime("replied_at")
        operation.succeededLaterAt = try fields.optionalTime("succeeded_at")
        operation.dueAt = try fields.optionalTime("due_at")
        operation.leases = try fields.optionalInteger("leases") ?? 1
        operation.leasedBy = try fields.optionalText("leased_by")
        operation.sendings = try fields.optionalInteger("sendings") ?? 1
        operation.sentAt = document["sent_at"] == nil ? operation.createdAt : try fields.optionalTime("sent_at")
        operation.skippedMicroseconds = try fields.optionalInteger("skipped") ?? 0
        operation.sentUnderLease = try fields.optionalInteger("sent_under_lease") ?? operation.leases
        operation.doubts = try fields.optionalInteger("doubts") ?? 0
        operation.isAnsweredInDoubt = try fields.flag("answered_in_doubt") ?? false
        operation.retries = try fields.optionalInteger("retries") ?? 0
        guard operation.amount > 0, (0...operation.amount).contains(operation.doneAmount) else {
            throw .unexpectedValue(column: column)
        }
        return operation
    }

    /// The members of a stored object, each of the type that is expected.
    private struct Fields {
        private let document: JSON
        private let parts: OrderParts

        init(_ document: JSON, _ parts: OrderParts) {
            self.document = document
            self.parts = parts
        }

        func optionalText(_ key: String) throws(SQLError) -> String? {
            switch document[key] {
            case nil: nil
            case .string(let text)?: text
            default: throw .unexpectedValue(column: column)
            }
        }

        func text(_ key: String) throws(SQLError) -> String { try required(try optionalText(key)) }

        func optionalInteger(_ key: String) throws(SQLError) -> Int64? {
            switch document[key] {
            case nil, .null?: nil
            case .integer(let integer)?: integer
            default: throw .unexpectedValue(column: column)
            }
        }

        func integer(_ key: String) throws(SQLError) -> Int64 { try required(try optionalInteger(key)) }

        /// What the PSP calls an operation, which may be what it calls the attempt.
        func reference(or name: String?) throws(SQLError) -> String? {
            document["reference"] == .bool(true) ? try required(name) : try optionalText("reference")
        }

        func optionalTime(_ key: String) throws(SQLError) -> Timestamp? {
            try optionalInteger(key).map(parts.time)
        }

        func flag(_ key: String) throws(SQLError) -> Bool? {
            switch document[key] {
            case nil: nil
            case .bool(let flag)?: flag
            default: throw .unexpectedValue(column: column)
            }
        }

        func word<Word: RawRepresentable<String>>(_ key: String) throws(SQLError) -> Word {
            try required(Word(rawValue: try text(key)))
        }

        func optionalWord<Word: RawRepresentable<String>>(_ key: String) throws(SQLError) -> Word? {
            try optionalText(key) == nil ? nil : word(key)
        }

        func identifier<Tag>(_ key: String) throws(SQLError) -> Identifier<Tag> {
            try required(parts.identifier(document[key]))
        }

        private func required<Value>(_ value: Value?) throws(SQLError) -> Value {
            guard let value else { throw .unexpectedValue(column: column) }
            return value
        }
    }
}

extension Operation {
    /// The amount that is done of an operation in its state, unless it is said: all of it once it succeeded.
    fileprivate var usuallyDone: Int64 { kind != .void && state == .succeeded ? amount : 0 }
}
