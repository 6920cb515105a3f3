/// One step of an order's history, numbered from 1 without gaps.
package struct OrderEvent: Hashable, Sendable {
    /// Its identifier.
    package let id: EventID
    /// Its number within the order.
    package let sequence: Int64
    /// What happened, for example `payment.authorized`.
    package let type: String
    /// The payment it is about.
    package let payment: PaymentID?
    /// The operation it is about.
    package let operation: OperationID?
    /// When.
    package let at: Timestamp
    /// The inputs of a decision, the code of a decline, an amount: never anything secret.
    package let details: [Detail]
    /// Who asked for the step; nil if a PSP's word, a clock or an earlier step led to it.
    package let caller: Caller?

    /// Makes an event.
    package init(
        id: EventID,
        sequence: Int64,
        type: String,
        payment: PaymentID?,
        operation: OperationID?,
        at: Timestamp,
        details: [Detail],
        caller: Caller? = nil
    ) {
        self.id = id
        self.sequence = sequence
        self.type = type
        self.payment = payment
        self.operation = operation
        self.at = at
        self.details = details
        self.caller = caller
    }

    /// A named value of an event.
    package struct Detail: Hashable, Sendable {
        /// The name.
        package let name: String
        /// The value.
        package let value: Value

        /// Makes a detail.
        package init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// A value of a detail.
    package enum Value: Hashable, Sendable, ExpressibleByStringLiteral {
        /// Text.
        case text(String)
        /// An integer, for example an amount in minor units.
        case integer(Int64)
        /// Several texts.
        case list([String])

        package init(stringLiteral text: String) { self = .text(text) }
    }
}

/// Who asked from outside for a step.
package struct Caller: Hashable, Sendable {
    /// An API key's identifier, or `operator:` and the user who typed a command.
    package let actor: String
    /// The address that the request came from, as the server saw it; nil for a command.
    package let peer: String?
    /// The identifier of the request, which answers and logs have too; nil for a command.
    package let request: String?

    /// Makes a caller.
    package init(actor: String, peer: String? = nil, request: String? = nil) {
        self.actor = actor
        self.peer = peer
        self.request = request
    }

    /// A user of the command line.
    package init(operator user: String) { self.init(actor: "operator:" + user) }
}
