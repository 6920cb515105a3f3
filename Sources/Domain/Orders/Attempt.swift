/// One try to authorize a payment at one PSP account.
///
/// Never overwritten.
package struct Attempt: Hashable, Sendable {
    /// Its identifier, which is our reference at the PSP.
    package let id: AttemptID
    /// Where it was routed.
    package let route: RouteSnapshot
    /// The PSP's name for the payment, once known.
    package var pspReference: String?
    /// Opaque provider state.
    package var pspState: String?
    /// The card network, as the PSP names it.
    package var network: String?
    /// The last four digits of the card or token.
    package var last4: String?
    /// When the authorization lapses.
    package var expiresAt: Timestamp?
    /// What was asked of the PSP, in the order of asking; the first is the authorization.
    package var operations: [Operation]

    /// Makes an attempt with its authorization.
    package init(id: AttemptID, route: RouteSnapshot, operations: [Operation]) {
        self.id = id
        self.route = route
        self.operations = operations
    }

    /// The authorization.
    ///
    /// - Precondition: the attempt has one, which placing and loading see to.
    package var authorization: Operation { operations[authorizationIndex] }

    /// Where the authorization is: what asks for a part of it need not take a copy of all of it.
    private var authorizationIndex: Int {
        guard !operations.isEmpty, operations[0].kind == .authorize else {
            preconditionFailure("an attempt begins with an authorization")
        }
        return 0
    }

    /// Whether it is a second authorization that turned up at the PSP under another attempt's name, to be undone.
    package var isSurplus: Bool { operations[authorizationIndex].origin == .psp }

    /// What is known of the authorization.
    var authorizationState: OperationState { operations[authorizationIndex].state }

    /// Whether the PSP is known to have said that it approved it, and not that it failed after all.
    private var isAuthorizationDone: Bool { authorizationState.isDone }

    /// What the PSP approved, in minor units; at least what is captured, which implies it.
    package var authorized: Int64 { amounts.authorized }
    /// What is captured, given back or not; what is refunded implies it, unless a capture is known to have failed.
    package var captured: Int64 { amounts.captured }
    /// What is given back; by a void of the capture, all of it.
    package var refunded: Int64 { amounts.refunded }
    /// What was released without being captured: by a void, or by a final capture of less than the authorization.
    package var released: Int64 { amounts.released }
    /// What is still held on the card.
    package var held: Int64 { amounts.held }
    /// What is captured and not given back.
    package var net: Int64 { amounts.net }
    /// All of these at once.
    package var amounts: AttemptAmounts { AttemptAmounts(of: operations) }
    /// What captures under way claim of the hold: all of it if one of them releases the rest.
    package var openCaptures: Int64 {
        let open = openOperations.filter { $0.kind == .capture }
        return open.contains(where: \.isFinal) ? held : min(held, open.reduce(0) { $0 + $1.amount })
    }
    /// Whether a capture may still come to something, whatever is left of the hold.
    package var hasOpenCapture: Bool { openOperations.contains { $0.kind == .capture } }
    /// What refunds under way claim of what is captured.
    package var openRefunds: Int64 { openOperations.reduce(0) { $0 + ($1.givesBack ? $1.amount : 0) } }
    /// What can be asked to be captured: what is held, and neither claimed by a capture nor being released.
    package var capturable: Int64 {
        openOperations.contains { $0.kind == .void } ? 0 : held - openCaptures
    }

    /// Whether the PSP is known to have approved it: it said so, or moved money that it could not move otherwise.
    package var isApproved: Bool { isAuthorizationDone || captured > 0 }
    /// Whether its hold lapsed by itself: what was released of it was released at its expiry or later.
    package var isLapsed: Bool {
        guard let expiresAt else { return false }
        return operations.contains { $0.kind == .void && $0.state == .succeeded && $0.createdAt >= expiresAt }
    }
    /// Whether nobody knows of something that was asked of the PSP what became of it.
    package var hasDoubt: Bool {
        operations.contains { if case .unknown = $0.state { true } else { false } }
    }
    /// Whether a capture was refused for good, or failed after all.
    package var hasFailedCapture: Bool {
        operations.contains {
            $0.kind == .capture && $0.state.isDefinite && $0.state != .succeeded && !$0.isWithdrawn && !$0.isTakenBack
        }
    }
    /// Whether a capture failed after all: a PSP may go on saying of it that all is captured.
    var hasReversedCapture: Bool {
        operations.contains {
            $0.kind == .capture && $0.state.hasSucceeded && $0.state != .succeeded && !$0.isWithdrawn
        }
    }
    /// The captures that somebody asked for, us or others: none that another explains, that a refund implies, or that was taken
    /// back.
    private var askedCaptures: [Operation] {
        all(.capture).filter { !$0.isWithdrawn && !$0.isTakenBack && !$0.isImplied(after: authorization) }
    }
    /// The latest capture, whoever asked for it.
    var latestCapture: Operation? { askedCaptures.last }
    /// The captures that we asked for, were refused for good, and that nothing has made up for.
    ///
    /// One that we asked for since takes the place of a refused one. What somebody else captured and became known behind it makes
    /// up for it if that was as much, even if it failed after all, which is told for itself; and nothing can be made up for
    /// where no hold is left.
    var failedCaptures: [Operation] {
        let captures = askedCaptures
        return captures.indices.filter { place in
            let isOurs = captures[place].origin == .gateway && !captures[place].isReplaced
            return isOurs && hasFailed(captures[place], before: captures[(place + 1)...])
        }.map { captures[$0] }
    }

    private func hasFailed(_ capture: Operation, before later: ArraySlice<Operation>) -> Bool {
        guard capture.state.isRefusal else { return false }
        if case .rejected(let rejection) = capture.state, rejection.reason == .alreadyCaptured, captured >= authorized {
            return false
        }
        let others = later.filter { $0.origin != .gateway }
        guard !others.isEmpty else { return true }
        let taken = others.reduce(0) { $0 + ($1.state.isDone ? $1.doneAmount : $1.amount) }
        return held > 0 && taken < capture.amount
    }
    /// Whether the PSP approved less than was asked.
    package var isPartialApproval: Bool {
        isAuthorizationDone && authorized < operations[authorizationIndex].amount
            && !PlantedBug.partialTakenForWhole.isPlanted
    }

    /// Whether less is known to be approved than was asked: by captures alone, before the approval itself is heard, or
    /// although the PSP had refused it.
    var isApprovedInPart: Bool {
        !isAuthorizationDone && authorized < operations[authorizationIndex].amount
            && !PlantedBug.partTakenForApproval.isPlanted
    }

    /// The operations behind the authorization that may still come to something.
    package var openOperations: [Operation] {
        let open = operations.indices.filter {
            operations[$0].kind != .authorize && !operations[$0].state.isDefinite
        }
        return open.map { operations[$0] }
    }

    /// The operations of a kind.
    package func all(_ kind: Operation.Kind) -> [Operation] {
        operations.indices.filter { operations[$0].kind == kind }.map { operations[$0] }
    }

    /// What those of its refunds that match gave back.
    ///
    /// A void of the capture gives back whatever the others did not.
    package func refunded(by matches: (Operation) -> Bool) -> Int64 {
        var (mine, others, voids): (Int64, Int64, Bool) = (0, 0, false)
        for operation in operations where operation.givesBack && operation.state == .succeeded {
            let isMine = matches(operation)
            if operation.kind == .reverse { voids = voids || isMine }
            guard operation.kind == .refund else { continue }
            if isMine { mine += operation.doneAmount } else { others += operation.doneAmount }
        }
        return voids ? max(mine, captured - others) : mine
    }
}

/// What the operations of an attempt come to, in minor units: a pure function of them, in whatever order they came
/// about.
package struct AttemptAmounts: Hashable, Sendable {
    /// What the PSP approved; at least what is captured, which implies it.
    package let authorized: Int64
    /// What is captured, given back or not; what is refunded implies it, unless a capture is known to have failed.
    package let captured: Int64
    /// What is given back.
    package let refunded: Int64
    /// What was released without being captured.
    package let released: Int64

    /// Adds operations up, the first of which is the authorization.
    init(of operations: [Operation]) {
        var (approved, captured, refunded): (Int64, Int64, Int64) = (0, 0, 0)
        var (isReleased, isVoided, hasFailedAfterAll) = (false, false, false)
        // By their places, since this is asked all the time: a loop over the operations copies each of them.
        for place in operations.indices where operations[place].state.hasSucceeded {
            let isReversed = !operations[place].state.isDone
            let doneAmount = operations[place].doneAmount
            switch operations[place].kind {
            case .authorize: approved += doneAmount
            case .capture:
                captured += doneAmount
                hasFailedAfterAll = hasFailedAfterAll || (isReversed && !operations[place].isWithdrawn)
                isReleased = isReleased || (operations[place].isFinal && doneAmount > 0)
            case .void: isReleased = isReleased || !isReversed
            case .refund: refunded += doneAmount
            case .reverse: isVoided = isVoided || !isReversed
            }
        }
        if isVoided { refunded = max(refunded, captured) }
        // Orders from before such captures were kept as operations have none to show.
        if refunded > captured, !hasFailedAfterAll, !Self.isCaptureImplied(in: operations) {
            captured = max(captured, min(refunded, operations.first?.amount ?? 0))
        }
        authorized = max(approved, captured)
        released = isReleased ? authorized - captured : 0
        self.captured = captured
        self.refunded = refunded
    }

    /// Whether a capture among them is one that a refund implies.
    private static func isCaptureImplied(in operations: [Operation]) -> Bool {
        guard let authorization = operations.first else { return false }
        return operations.contains { $0.state.hasSucceeded && $0.isImplied(after: authorization) }
    }

    /// What is still held on the card.
    package var held: Int64 { authorized - captured - released }
    /// What is captured and not given back.
    package var net: Int64 { max(0, captured - refunded) }
}
