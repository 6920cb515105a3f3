package import Domain
import SQL
import StrictJSON

/// A payment's attempts with their operations, as JSON text in one column.
///
/// Steps write it again and again, so it is short: values are known by their places, those that change last. An attempt is an
/// array of its identifier, PSP, PSP account, the PSP's name for it, an object of what else is known, and then its operations,
/// oldest first; an operation is an array of its identifier, kind, amount, state, when it was begun and replied to, the PSP's
/// name for it, and an object of the rest. What has its usual value is left out: nothing said yet, all done that was asked, sent
/// once when it was begun. What the order says is told shortly (``OrderParts``), and an operation that the PSP calls what it
/// calls the attempt says `true`.
package enum AttemptDocuments {
    private static let column = "attempts"
    /// Where the operations begin in an attempt.
    private static let firstOperation = 5

    /// Writes attempts.
    package static func text(_ attempts: [Attempt], of order: OrderID) -> String {
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
        let read = Reader(parts: OrderParts(of: order))
        return try documents.map { document throws(SQLError) in try attempt(document, read) }
    }

    private static func json(_ attempt: Attempt, _ parts: OrderParts) -> JSON {
        let route = attempt.route
        let more = JSON.members([
            "merchant_account": route.merchantAccount.map(JSON.string),
            "settles_to": route.settlesTo == .marketplace ? nil : .string(route.settlesTo.rawValue),
            "commission_by": route.commissionBy == .psp ? nil : .string(route.commissionBy.rawValue),
            "psp_state": attempt.pspState.map(JSON.string), "network": attempt.network.map(JSON.string),
            "last4": attempt.last4.map(JSON.string), "expires_at": attempt.expiresAt.map { parts.json($0) },
        ])
        let values: [JSON] = [
            parts.json(attempt.id), .string(route.psp), .string(route.pspAccount), .optional(attempt.pspReference),
            .optional(more),
        ]
        return .array(values + attempt.operations.map { json($0, namedAs: attempt.pspReference, parts) })
    }

    private static func attempt(_ document: JSON, _ read: Reader) throws(SQLError) -> Attempt {
        let more = try read.members(document[4])
        let route = RouteSnapshot(
            psp: try read.text(document[1]),
            pspAccount: try read.text(document[2]),
            merchantAccount: try read.optionalText(more["merchant_account"]),
            settlesTo: try read.optionalWord(more["settles_to"]) ?? .marketplace,
            commissionBy: try read.optionalWord(more["commission_by"]) ?? .psp
        )
        let name = try read.optionalText(document[3])
        let operations = (document.arrayValue ?? []).dropFirst(firstOperation)
        var attempt = Attempt(
            id: try read.identifier(document[0]),
            route: route,
            operations: try operations.map { item throws(SQLError) in try operation(item, namedAs: name, read) }
        )
        guard attempt.operations.first?.kind == .authorize else { throw .unexpectedValue(column: column) }
        attempt.pspReference = name
        attempt.pspState = try read.optionalText(more["psp_state"])
        attempt.network = try read.optionalText(more["network"])
        attempt.last4 = try read.optionalText(more["last4"])
        attempt.expiresAt = try read.optionalTime(more["expires_at"])
        return attempt
    }

    private static func json(_ operation: Operation, namedAs name: String?, _ parts: OrderParts) -> JSON {
        func count(_ number: Int64, usually usual: Int64 = 0) -> JSON? { number == usual ? nil : .integer(number) }
        func moment(_ time: Timestamp?) -> JSON? { time.map { parts.json($0) } }
        func isName(_ reference: String) -> Bool { name.map { UTF8Text.same($0, reference) } ?? false }
        return .places([
            parts.json(operation.id), .string(operation.kind.rawValue), .integer(operation.amount),
            .string(operation.state.name), parts.json(operation.createdAt), moment(operation.repliedAt),
            operation.reference.map { isName($0) ? .bool(true) : .string($0) },
            .members([
                "commission": operation.commission.map(JSON.integer),
                "is_final": operation.isFinal ? nil : .bool(false), "refund": operation.refund.map { parts.json($0) },
                "cancels_step": operation.cancelsStep ? .bool(true) : nil,
                "replaced": operation.isReplaced ? .bool(true) : nil,
                "origin": operation.origin == .gateway ? nil : .string(operation.origin.rawValue),
                "detail": operation.state.detail,
                "done_amount": count(operation.doneAmount, usually: operation.usuallyDone),
                "succeeded_at": moment(operation.succeededLaterAt), "due_at": moment(operation.dueAt),
                "leases": count(operation.leases, usually: 1), "leased_by": operation.leasedBy.map(JSON.string),
                "sendings": count(operation.sendings, usually: 1),
                "sent_at": operation.sentAt == operation.createdAt ? nil : .optional(moment(operation.sentAt)),
                "sent_under_lease": count(operation.sentUnderLease, usually: operation.leases),
                "first_sent_at": operation.firstSentAt == operation.sentAt
                    ? nil : .optional(moment(operation.firstSentAt)),
                "distrusted_at": moment(operation.distrustedAt),
                "doubts": count(operation.doubts), "answered_in_doubt": operation.isAnsweredInDoubt ? .bool(true) : nil,
                "failed_unheard": operation.hasFailedUnheard ? .bool(true) : nil,
                "retries": count(operation.retries), "skipped": count(operation.skippedMicroseconds),
            ]),
        ])
    }

    private static func operation(
        _ document: JSON,
        namedAs name: String?,
        _ read: Reader
    ) throws(SQLError) -> Operation {
        let more = try read.members(document[7])
        var operation = Operation(
            id: try read.identifier(document[0]),
            kind: try read.word(document[1]),
            amount: try read.integer(document[2]),
            origin: try read.optionalWord(more["origin"]) ?? .gateway,
            createdAt: try read.time(document[4]),
            refund: more["refund"] == nil ? nil : try read.identifier(more["refund"]),
            isFinal: try read.flag(more["is_final"]) ?? true
        )
        operation.cancelsStep = try read.flag(more["cancels_step"]) ?? false
        operation.isReplaced = try read.flag(more["replaced"]) ?? false
        operation.commission = try read.optionalInteger(more["commission"])
        operation.state = try OperationState(name: try read.text(document[3]), detail: more["detail"])
        operation.doneAmount = try read.optionalInteger(more["done_amount"]) ?? operation.usuallyDone
        operation.reference = document[6] == .bool(true) ? try read.required(name) : try read.optionalText(document[6])
        operation.repliedAt = try read.optionalTime(document[5])
        operation.succeededLaterAt = try read.optionalTime(more["succeeded_at"])
        operation.dueAt = try read.optionalTime(more["due_at"])
        operation.leases = try read.optionalInteger(more["leases"]) ?? 1
        operation.leasedBy = try read.optionalText(more["leased_by"])
        operation.sendings = try read.optionalInteger(more["sendings"]) ?? 1
        operation.sentAt = more["sent_at"] == nil ? operation.createdAt : try read.optionalTime(more["sent_at"])
        operation.firstSentAt =
            more["first_sent_at"] == nil ? operation.sentAt : try read.optionalTime(more["first_sent_at"])
        operation.distrustedAt = try read.optionalTime(more["distrusted_at"])
        operation.skippedMicroseconds = try read.optionalInteger(more["skipped"]) ?? 0
        operation.sentUnderLease = try read.optionalInteger(more["sent_under_lease"]) ?? operation.leases
        operation.doubts = try read.optionalInteger(more["doubts"]) ?? 0
        operation.isAnsweredInDoubt = try read.flag(more["answered_in_doubt"]) ?? false
        operation.hasFailedUnheard = try read.flag(more["failed_unheard"]) ?? false
        operation.retries = try read.optionalInteger(more["retries"]) ?? 0
        guard operation.amount > 0, (0...operation.amount).contains(operation.doneAmount) else {
            throw .unexpectedValue(column: column)
        }
        return operation
    }

    /// Reads values of a stored document, each of the type that is expected; what is absent may be null.
    private struct Reader {
        let parts: OrderParts

        func members(_ value: JSON?) throws(SQLError) -> JSON {
            switch value {
            case nil, .null?: .object([])
            case .object?: try required(value)
            default: throw .unexpectedValue(column: column)
            }
        }

        func optionalText(_ value: JSON?) throws(SQLError) -> String? {
            switch value {
            case nil, .null?: nil
            case .string(let text)?: text
            default: throw .unexpectedValue(column: column)
            }
        }

        func text(_ value: JSON?) throws(SQLError) -> String { try required(try optionalText(value)) }

        func optionalInteger(_ value: JSON?) throws(SQLError) -> Int64? {
            switch value {
            case nil, .null?: nil
            case .integer(let integer)?: integer
            default: throw .unexpectedValue(column: column)
            }
        }

        func integer(_ value: JSON?) throws(SQLError) -> Int64 { try required(try optionalInteger(value)) }

        func optionalTime(_ value: JSON?) throws(SQLError) -> Timestamp? { try optionalInteger(value).map(parts.time) }

        func time(_ value: JSON?) throws(SQLError) -> Timestamp { parts.time(try integer(value)) }

        func flag(_ value: JSON?) throws(SQLError) -> Bool? {
            switch value {
            case nil: nil
            case .bool(let flag)?: flag
            default: throw .unexpectedValue(column: column)
            }
        }

        func word<Word: RawRepresentable<String>>(_ value: JSON?) throws(SQLError) -> Word {
            try required(Word(rawValue: try text(value)))
        }

        func optionalWord<Word: RawRepresentable<String>>(_ value: JSON?) throws(SQLError) -> Word? {
            try optionalText(value) == nil ? nil : word(value)
        }

        func identifier<Tag>(_ value: JSON?) throws(SQLError) -> Identifier<Tag> {
            try required(parts.identifier(value))
        }

        func required<Value>(_ value: Value?) throws(SQLError) -> Value {
            guard let value else { throw .unexpectedValue(column: column) }
            return value
        }
    }
}

extension Operation {
    /// The amount that is done of an operation in its state, unless it is said: all of it once it succeeded.
    fileprivate var usuallyDone: Int64 { kind != .void && state == .succeeded ? amount : 0 }
}
