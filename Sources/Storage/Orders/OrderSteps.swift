package import Domain
package import SQL
import StrictJSON

/// The history of orders: a row for each stored step, with the facts that it heard and the events that it emitted in one
/// document.
///
/// Rows are only ever added. They are read by order; what is asked of many orders stands in columns elsewhere.
package enum OrderSteps {
    /// What one stored step heard and emitted.
    package struct Entry: Hashable, Sendable {
        /// What was heard of operations, each thing once in a step.
        package let facts: [Fact]
        /// What happened, by number.
        package let events: [OrderEvent]
    }

    /// Adds the row of a step, with the final answer to the checkout if the step makes it; one that heard, emitted and
    /// answered nothing has none.
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
                \(record.events.last?.sequence), \(text(record, told, of: order)), \(answer),
                \(told.isEmpty ? nil : told.count))
            """
        )
    }

    /// The steps of an order, oldest first.
    package static func all(of order: OrderID, in session: any Session) throws(SQLError) -> [Entry] {
        try session.rows("SELECT document FROM order_step WHERE order_id = \(order) ORDER BY version")
            .map { row throws(SQLError) in try read(row) }
    }

    /// The final answer to an order's checkout, if one was made.
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
            SELECT document FROM order_step WHERE order_id = \(order) AND last_event > \(after)
            ORDER BY version LIMIT \(limit)
            """
        )
        let entries = try rows.map { row throws(SQLError) in try read(row) }
        return Array(entries.flatMap(\.events).filter { $0.sequence > after }.prefix(limit))
    }

    /// Reads `document` of a row.
    static func read(_ row: Row) throws(SQLError) -> Entry {
        guard let document = try? JSON.parse(text: try row.text("document")),
            let facts = document["facts"]?.arrayValue, let events = document["events"]?.arrayValue
        else { throw .unexpectedValue(column: "order_step.document") }
        return Entry(
            facts: try facts.map { item throws(SQLError) in try read(item, fact) },
            events: try events.map { item throws(SQLError) in try read(item, event) }
        )
    }

    private static func read<Value>(_ item: JSON, _ read: (JSON) -> Value?) throws(SQLError) -> Value {
        guard let value = read(item) else { throw .unexpectedValue(column: "order_step.document") }
        return value
    }

    private static func text(_ record: OrderMachine.Record, _ told: [Announcement], of order: Order) -> String {
        var known: Set<Fact.Subject> = []
        let facts = record.facts.filter { known.insert($0.subject).inserted }
        let members: [JSON.Member] = [
            .init("facts", .array(facts.map(json))), .init("events", .array(record.events.map(json))),
        ]
        return JSON.object(members + (told.isEmpty ? [] : [.init("told", ToldStep.json(told, of: order))])).text
    }

    private static func json(_ fact: Fact) -> JSON {
        .object(omittingAbsent: [
            "operation": .string(fact.operation.text), "kind": .string(fact.kind),
            "reference": fact.reference.isEmpty ? nil : .string(fact.reference),
            "origin": .string(fact.origin.rawValue), "amount": fact.amount.map(JSON.integer),
            "code": fact.code.map(JSON.string), "at": .integer(fact.at.microseconds),
        ])
    }

    private static func fact(_ json: JSON) -> Fact? {
        guard let operation = json["operation"]?.stringValue.flatMap({ OperationID($0) }),
            let kind = json["kind"]?.stringValue,
            let origin = json["origin"]?.stringValue.flatMap(Operation.Origin.init(rawValue:)),
            let at = json["at"]?.integerValue
        else { return nil }
        return Fact(
            operation: operation,
            kind: kind,
            reference: json["reference"]?.stringValue ?? "",
            origin: origin,
            amount: json["amount"]?.integerValue,
            code: json["code"]?.stringValue,
            at: Timestamp(microseconds: at)
        )
    }

    private static func json(_ event: OrderEvent) -> JSON {
        .object(omittingAbsent: [
            "sequence": .integer(event.sequence), "id": .string(event.id.text), "type": .string(event.type),
            "payment": event.payment.map { .string($0.text) },
            "operation": event.operation.map { .string($0.text) }, "at": .integer(event.at.microseconds),
            "details": event.details.isEmpty ? nil : OrderDocuments.json(event.details),
            "actor": (event.caller?.actor).map(JSON.string), "peer": (event.caller?.peer).map(JSON.string),
            "request": (event.caller?.request).map(JSON.string),
        ])
    }

    private static func event(_ json: JSON) -> OrderEvent? {
        guard let id = json["id"]?.stringValue.flatMap({ EventID($0) }), let sequence = json["sequence"]?.integerValue,
            let type = json["type"]?.stringValue, let at = json["at"]?.integerValue
        else { return nil }
        let caller = json["actor"]?.stringValue.map {
            Caller(actor: $0, peer: json["peer"]?.stringValue, request: json["request"]?.stringValue)
        }
        return OrderEvent(
            id: id,
            sequence: sequence,
            type: type,
            payment: json["payment"]?.stringValue.flatMap { PaymentID($0) },
            operation: json["operation"]?.stringValue.flatMap { OperationID($0) },
            at: Timestamp(microseconds: at),
            details: json["details"].map(OrderDocuments.details) ?? [],
            caller: caller
        )
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
