package import Domain
package import StrictJSON

/// Writes an order's history as the API shows it.
package enum EventPresenter {
    /// An event as JSON.
    package static func json(_ event: OrderEvent) -> JSON {
        .object(omittingAbsent: [
            "id": .string(event.id.text), "sequence": .integer(event.sequence), "type": .string(event.type),
            "payment": .optional(event.payment?.text), "operation": .optional(event.operation?.text),
            "at": .string(event.at.description), "actor": .optional(event.caller?.actor),
            "request": .optional(event.caller?.request),
            "details": .object(event.details.map { .init($0.name, value($0.value)) }),
        ])
    }

    private static func value(_ value: OrderEvent.Value) -> JSON {
        switch value {
        case .text(let text): .string(text)
        case .integer(let integer): .integer(integer)
        case .list(let texts): .strings(texts)
        }
    }
}
