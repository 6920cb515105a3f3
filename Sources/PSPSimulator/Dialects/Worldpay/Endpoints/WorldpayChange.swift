import StrictJSON

/// A settlement, cancellation, refund or reversal that follows a link.
struct WorldpayChange: Sendable {
    /// What it asks of the books.
    let command: ChangeCommand
    private let action: WorldpayAction

    /// Reads a request to follow the link in its path.
    ///
    /// A settlement in part releases the rest only if its `sequence` says that it is the last.
    ///
    /// - Throws: ``Refusal``.
    init(_ action: WorldpayAction, _ request: WorldpayRequest) throws(Refusal) {
        self.action = action
        let link = try request.link(action)
        var command = ChangeCommand(Self.kind(action), of: .id(link.authorization), reference: "")
        if action == .partlySettle || action == .partlyRefund {
            let body = try request.body(Self.field(action, link.api))
            guard body["value"]?["currency"]?.stringValue == link.currency else {
                throw WorldpayField.violation("fieldHasInvalidValue", "$.value.currency")
            }
            command.reference = body["reference"]?.stringValue ?? ""
            command.amount = body["value"]?["amount"]?.integerValue
            if action == .partlySettle { command.isFinal = try Self.isLast(body["sequence"]) }
        }
        command.isReversal = action == .reverse
        command.details["extent"] = command.amount == nil ? "full" : "partial"
        command.pace = WorldpayPayments.pace
        self.command = command
    }

    /// What the answer says of it.
    var outcome: String {
        switch action {
        case .settle, .partlySettle: "sentForSettlement"
        case .refund: "sentForRefund"
        case .partlyRefund: "sentForPartialRefund"
        case .reverse: "sentForReversal"
        case .cancel, .supplyDeviceData, .completeChallenge, .query: "sentForCancellation"
        }
    }

    /// What may be done after it, if it succeeds.
    var next: [WorldpayAction] {
        switch action {
        case .settle: [.refund, .partlyRefund, .reverse]
        case .partlySettle where command.isFinal: [.refund, .partlyRefund, .reverse]
        case .partlySettle: [.refund, .partlyRefund, .partlySettle, .cancel, .reverse]
        case .partlyRefund: [.partlyRefund]
        case .refund, .reverse, .cancel, .supplyDeviceData, .completeChallenge, .query: []
        }
    }

    private static func kind(_ action: WorldpayAction) -> OperationKind {
        switch action {
        case .settle, .partlySettle: .capture
        case .refund, .partlyRefund: .refund
        case .cancel, .reverse, .supplyDeviceData, .completeChallenge, .query: .void
        }
    }

    private static func field(_ action: WorldpayAction, _ api: WorldpayAPI) -> WorldpayField {
        if api == .cardPayments { return .partialCardChange }
        return action == .partlySettle ? .partialSettlement : .partialRefund
    }

    private static func isLast(_ sequence: JSON?) throws(Refusal) -> Bool {
        guard let number = sequence?["number"]?.integerValue, let total = sequence?["total"]?.integerValue else {
            return false
        }
        guard number <= total else { throw WorldpayField.violation("fieldHasInvalidValue", "$.sequence.number") }
        return number == total
    }
}
