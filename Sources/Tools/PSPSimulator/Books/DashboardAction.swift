/// What somebody does to an authorization without the API: the merchant in the PSP's dashboard, or the bank.
package struct DashboardAction: Hashable, Sendable {
    /// The kinds of doing, as the address spells them.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Takes an amount; all that is held if none is named.
        case capture
        /// Releases what is held.
        case void
        /// Gives an amount back; all that can be given back if none is named.
        case refund
        /// Lets the hold run out.
        case lapse
        /// Lets a capture or a refund that had succeeded, named by identifier or reference, fail after all.
        case fail
        /// Opens a dispute about an amount; about all that is left if none is named.
        case dispute
        /// Decides a dispute, the open one if none is named, for the merchant; in part if an amount is named.
        case win
        /// Decides a dispute, the open one if none is named, for the buyer.
        case lose
    }

    /// When, in milliseconds since 1970.
    package var at: Int64 = 0
    /// The authorization; a reference is looked for in every account.
    package var target: ChangeCommand.Target
    /// What is done.
    package var kind: Kind
    /// The amount in minor units.
    package var amount: Int64?
    /// For a capture: whether what is not taken is released.
    package var isFinal = true
    /// The operation or dispute it is done to.
    package var subject: String?
    /// For a dispute: why.
    package var reason: String?
    /// For a dispute: how long evidence may be sent, in milliseconds.
    package var respondWithin: Int64?
    /// How webhooks tell of it.
    package var announcement = WebhookAnnouncement.prompt

    /// Makes an action; the time is the bookkeeper's.
    package init(_ kind: Kind, to target: ChangeCommand.Target) {
        self.kind = kind
        self.target = target
    }
}

/// What is done to an authorization without the API.
///
/// Triggers do not apply: who works in a dashboard sees at once what happened.
extension Authorization {
    /// What the reference of an operation says that nobody asked for through the API.
    static let dashboardReference = "dashboard"
    /// How long evidence may be sent unless the action says otherwise: 7 days, in milliseconds.
    private static let evidenceMilliseconds: Int64 = 7 * 86_400_000

    /// Does what the action says.
    ///
    /// - Throws: ``Refusal`` if the state or an amount does not allow it; nothing has changed then.
    mutating func act(_ action: DashboardAction) throws(Refusal) {
        switch action.kind {
        case .capture: try change(.capture, action.amount ?? held, action)
        case .void: try change(.void, nil, action)
        case .refund: try change(.refund, action.amount ?? refundable, action)
        case .lapse:
            guard status == .authorized, !hasPendingOperation else { throw .notAuthorized }
            lapse(at: action.at, action.announcement)
        case .fail: try fail(action)
        case .dispute: try dispute(action)
        case .win: try decide(.won, action)
        case .lose: try decide(.lost, action)
        }
    }

    private mutating func change(_ kind: OperationKind, _ amount: Int64?, _ action: DashboardAction) throws(Refusal) {
        let change = ChangeCommand(
            kind,
            of: .id(id),
            reference: Self.dashboardReference,
            amount: amount,
            isFinal: action.isFinal
        )
        _ = try self.change(change, key: "", at: action.at, .approve, action.announcement)
    }

    private mutating func fail(_ action: DashboardAction) throws(Refusal) {
        let found = operations.lastIndex { operation in
            let isNamed = action.subject.map { $0 == operation.id || $0 == operation.reference } ?? true
            return isNamed && operation.status == .succeeded && [.capture, .refund].contains(operation.kind)
        }
        guard let index = found ?? saleCapture(action) else { throw .notFound }
        guard operations[index].kind == .refund || operations[index].amount <= refundable else { throw .amountTooLarge }
        operations[index].failsAt = action.at
        failAfterAll(index, action.announcement)
    }

    /// The capture that came with the authorization, written down so that it can fail; nil if that is not meant.
    private mutating func saleCapture(_ action: DashboardAction) -> Int? {
        guard action.subject == nil, capturesAtOnce, status == .captured, captured > 0, captured <= refundable else {
            return nil
        }
        var capture = BookedOperation(
            id: nextIdentifier(of: .capture),
            kind: .capture,
            amount: captured,
            key: "",
            reference: command.reference,
            applicationFee: command.applicationFee,
            at: createdAt,
            status: .succeeded
        )
        capture.isOfSale = true
        operations.append(capture)
        return operations.count - 1
    }

    private mutating func dispute(_ action: DashboardAction) throws(Refusal) {
        let amount = action.amount ?? refundable
        guard captured > 0 else { throw .notCaptured }
        guard amount > 0, amount <= refundable else { throw .amountTooLarge }
        let dispute = BookedDispute(
            id: "dsp_\(id.dropFirst(Books.identifierPrefix.count))_\(disputes.count + 1)",
            amount: amount,
            reason: action.reason ?? "fraudulent",
            at: action.at,
            respondBy: action.at + (action.respondWithin ?? Self.evidenceMilliseconds)
        )
        disputes.append(dispute)
        record(of: dispute, at: action.at, action.announcement)
    }

    private mutating func decide(_ status: BookedDispute.Status, _ action: DashboardAction) throws(Refusal) {
        let found = disputes.firstIndex { $0.status == .opened && (action.subject ?? $0.id) == $0.id }
        guard let index = found else { throw .notFound }
        let won = status == .won ? action.amount ?? disputes[index].amount : 0
        guard won <= disputes[index].amount else { throw .amountTooLarge }
        disputes[index].status = status
        disputes[index].returned = won
        disputes[index].decidedAt = action.at
        record(of: disputes[index], at: action.at, action.announcement)
    }
}
