package import Domain
package import SQL
import StrictJSON

/// The history of orders: a row for each stored step, with the facts that it heard and the events that it emitted in one
/// document (``StepDocument``).
///
/// Rows are only ever added. They are read by order; what is asked of many orders stands in columns elsewhere. A fact is an
/// array of operation, kind, moment, origin, reference, amount and code; an event of number, identifier, type, moment, payment,
/// operation, details, and the caller's name, address and request, or `true` for whoever called for the event before. What is
/// absent at an array's end is left out, and what the order says is told shortly (``OrderParts``): in details too, where `true`
/// stands for the name that the step heard of the operation.
package enum OrderSteps {
    /// What one stored step heard and emitted.
    package struct Entry: Hashable, Sendable {
        /// What was heard of operations, each thing once in a step.
        package let facts: [Fact]
        /// What happened, by number.
        package let events: [OrderEvent]
    }

    /// Adds the row of a step, with the final answer to the checkout if an earlier step made it and it is not kept yet; one that
    /// heard and emitted nothing and keeps no answer has none.
    static func insert(
        _ record: OrderMachine.Record,
        of order: Order,
        told: [Announcement] = [],
        answer: [UInt8]?,
        in session: any Session
    ) throws(SQLError) {
        guard !record.facts.isEmpty || !record.events.isEmpty || !told.isEmpty || answer != nil else { return }
        let at = told.first?.at ?? record.events.first?.at ?? record.facts.first?.at ?? order.createdAt
        try session.run(
            """
            INSERT INTO order_step (order_id, version, marketplace, at, first_event, last_event, document, answer, told)
            VALUES (\(order.id), \(order.version), \(order.marketplace), \(at), \(record.events.first?.sequence),
                \(record.events.last?.sequence), \(StepDocument.packed(document(record, told, of: order))), \(answer),
                \(told.isEmpty ? nil : told.count))
            """
        )
    }

    /// The steps of an order, oldest first.
    package static func all(of order: OrderID, in session: any Session) throws(SQLError) -> [Entry] {
        try session.rows("SELECT document FROM order_step WHERE order_id = \(order) ORDER BY version")
            .map { row throws(SQLError) in try read(row, of: order) }
    }

    /// The final answer to an order's checkout, if it is kept.
    ///
    /// It is once a step follows the one that made it; until then it is what the order says.
    package static func answer(to order: OrderID, in session: any Session) throws(SQLError) -> [UInt8]? {
        try session.rows(
            "SELECT answer FROM order_step WHERE order_id = \(order) AND answer IS NOT NULL ORDER BY version LIMIT 1"
        ).first?.optionalBytes("answer")
    }

    /// The events of an order behind `after`, in their order, at most `limit`.
    package static func events(
        of order: OrderID,
        after: Int64,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [OrderEvent] {
        let rows = try session.rows(
            """
            SELECT document FROM order_step WHERE order_id = \(order) AND last_event > CAST(\(after) AS BIGINT)
            ORDER BY version LIMIT \(limit)
            """
        )
        let entries = try rows.map { row throws(SQLError) in try read(row, of: order) }
        return Array(entries.flatMap(\.events).filter { $0.sequence > after }.prefix(limit))
    }

    /// Reads `document` of a row.
    static func read(_ row: Row, of order: OrderID) throws(SQLError) -> Entry {
        let document = try StepDocument.read(row.bytes("document"))
        guard let facts = document["facts"]?.arrayValue, let events = document["events"]?.arrayValue else {
            throw .unexpectedValue(column: "order_step.document")
        }
        let parts = OrderParts(of: order)
        let heard = try facts.map { item throws(SQLError) in try required(fact(item, parts)) }
        var caller: Caller?
        return Entry(
            facts: heard,
            events: try events.map { item throws(SQLError) in try required(event(item, heard, &caller, parts)) }
        )
    }

    private static func required<Value>(_ value: Value?) throws(SQLError) -> Value {
        guard let value else { throw .unexpectedValue(column: "order_step.document") }
        return value
    }

    private static func document(_ record: OrderMachine.Record, _ told: [Announcement], of order: Order) -> JSON {
        let parts = OrderParts(of: order.id)
        var known: Set<Fact.Subject> = []
        let facts = record.facts.filter { known.insert($0.subject).inserted }
        var caller: Caller?
        let members: [JSON.Member] = [
            .init("facts", .array(facts.map { json($0, parts) })),
            .init("events", .array(record.events.map { json($0, facts, &caller, parts) })),
        ]
        return JSON.object(members + (told.isEmpty ? [] : [.init("told", ToldStep.json(told, of: order))]))
    }

    private static func json(_ fact: Fact, _ parts: OrderParts) -> JSON {
        .places([
            parts.json(fact.operation), .string(fact.kind), parts.json(fact.at), .string(fact.origin.rawValue),
            fact.reference.isEmpty ? nil : .string(fact.reference), fact.amount.map(JSON.integer),
            fact.code.map(JSON.string),
        ])
    }

    private static func fact(_ json: JSON, _ parts: OrderParts) -> Fact? {
        guard let operation: OperationID = parts.identifier(json[0]), let kind = json[1]?.stringValue,
            let at = json[2]?.integerValue,
            let origin = json[3]?.stringValue.flatMap(Operation.Origin.init(rawValue:))
        else { return nil }
        return Fact(
            operation: operation,
            kind: kind,
            reference: json[4]?.stringValue ?? "",
            origin: origin,
            amount: json[5]?.integerValue,
            code: json[6]?.stringValue,
            at: parts.time(at)
        )
    }

    /// An event; `caller` is who called for the one before it, if anybody did for any.
    private static func json(
        _ event: OrderEvent,
        _ facts: [Fact],
        _ caller: inout Caller?,
        _ parts: OrderParts
    ) -> JSON {
        let isSame = event.caller != nil && event.caller == caller
        let named: [JSON?] = [
            (event.caller?.actor).map(JSON.string), (event.caller?.peer).map(JSON.string),
            (event.caller?.request).map(JSON.string),
        ]
        caller = event.caller ?? caller
        let values: [JSON?] = [
            .integer(event.sequence), parts.json(event.id), .string(event.type), parts.json(event.at),
            event.payment.map { parts.json($0) }, event.operation.map { parts.json($0) },
            event.details.isEmpty ? nil : json(event.details, name(of: event.operation, facts), parts),
        ]
        return .places(values + (isSame ? [.bool(true)] : named))
    }

    private static func event(
        _ json: JSON,
        _ facts: [Fact],
        _ caller: inout Caller?,
        _ parts: OrderParts
    ) -> OrderEvent? {
        guard let sequence = json[0]?.integerValue, let id: EventID = parts.identifier(json[1]),
            let type = json[2]?.stringValue, let at = json[3]?.integerValue
        else { return nil }
        if let actor = json[7]?.stringValue {
            caller = Caller(actor: actor, peer: json[8]?.stringValue, request: json[9]?.stringValue)
        }
        let isCalled = json[7]?.isNull == false
        let operation: OperationID? = parts.identifier(json[5])
        return OrderEvent(
            id: id,
            sequence: sequence,
            type: type,
            payment: parts.identifier(json[4]),
            operation: operation,
            at: parts.time(at),
            details: json[6].map { details($0, name(of: operation, facts), parts) } ?? [],
            caller: isCalled ? caller : nil
        )
    }

    /// What the step heard that the PSP calls an operation.
    private static func name(of operation: OperationID?, _ facts: [Fact]) -> String? {
        operation.flatMap { id in facts.first { $0.operation == id && !$0.reference.isEmpty }?.reference }
    }

    private static func json(_ details: [OrderEvent.Detail], _ name: String?, _ parts: OrderParts) -> JSON {
        .object(
            details.map { detail in
                let value: JSON =
                    switch detail.value {
                    case .text(let text): name.map { UTF8Text.same($0, text) } ?? false ? .bool(true) : .string(text)
                    case .integer(let integer): .integer(integer)
                    case .list(let texts): .array(texts.map { PaymentID($0).map { parts.json($0) } ?? .string($0) })
                    }
                return .init(detail.name, value)
            }
        )
    }

    private static func details(_ document: JSON, _ name: String?, _ parts: OrderParts) -> [OrderEvent.Detail] {
        (document.objectValue ?? []).map { member in
            switch member.value {
            case .integer(let integer): .init(member.key, .integer(integer))
            case .array(let items):
                .init(
                    member.key,
                    .list(items.compactMap { $0.stringValue ?? (parts.identifier($0) as PaymentID?)?.text })
                )
            case .bool(true): .init(member.key, .text(name ?? ""))
            default: .init(member.key, .text(member.value.stringValue ?? ""))
            }
        }
    }
}

extension Fact {
    /// What makes two facts of one step the same.
    fileprivate struct Subject: Hashable {
        let operation: OperationID
        let kind: String
        let reference: String
    }

    fileprivate var subject: Subject { Subject(operation: operation, kind: kind, reference: reference) }
}
