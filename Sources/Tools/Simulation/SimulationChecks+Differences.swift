import Domain
import PSPSimulator

/// What stands otherwise at a PSP than here.
extension SimulationChecks {
    /// What is not the same here and at the PSP, and no item of attention says so.
    static func differences(
        _ payment: Payment,
        _ theirs: [PSPSimulator.Authorization],
        _ items: [Attention],
        unheard: Int64,
        restoredAt: Int64?
    ) -> [String] {
        let booked = theirs.map(BookedAmounts.init)
        // Of what was captured and voided before restored books hear of it a PSP says that it is void; so it does of a sale of
        // which nothing else is heard.
        let isUntaken = payment.attempts.allSatisfy { $0.all(.capture).isEmpty }
        let passing = theirs.filter { $0.createdAt <= restoredAt ?? .min || ($0.capturesAtOnce && isUntaken) }
        let undone = passing.reduce(0) { $0 + BookedAmounts($1).undone }
        let isPassed = payment.captured == booked.reduce(0) { $0 + $1.captured } - undone
        let passed = isPassed ? undone : 0
        let pairs: [(String, Int64, Int64, Set<Attention.Reason>)] = [
            ("held", payment.held, booked.reduce(0) { $0 + $1.held }, AttentionMeaning.held),
            ("captured", payment.captured, booked.reduce(-passed) { $0 + $1.captured }, AttentionMeaning.captured),
            ("refunded", payment.refunded, booked.reduce(-passed) { $0 + $1.refunded }, AttentionMeaning.refunded),
            ("charged back", payment.chargedBack, theirs.reduce(0) { $0 + $1.chargedBack }, AttentionMeaning.disputed),
        ]
        // Where several captures are possible, nobody but the simulator says that one made in the portal let go of the rest, nor
        // one of ours that restored books do not know: it lapses.
        let tellsRest = payment.attempt.route.psp == "simulator"
        let unsaid = (tellsRest ? [] : theirs).filter { authorization in
            authorization.operations.contains { operation in
                let isOld = authorization.createdAt <= restoredAt ?? .min
                return operation.kind == .capture
                    && (operation.isPortals || (isOld && operation.isForgotten(by: payment)))
            }
        }
        let rest = unsaid.reduce(0) { $0 + $1.authorized - BookedAmounts($1).captured - $1.held }
        let lastCaptures = Set(payment.attempts.flatMap { $0.all(.capture) }.filter(\.isFinal).map(\.id))
        let differing = pairs.filter { name, ours, theirs, meaning in
            let said = items.reduce(Int64(0)) { sum, item in
                // Where it is not known what became of the last capture, whether the rest is held is in question, too.
                let isWhole = name == "held" && lastCaptures.contains(item.operation)
                return sum + (meaning.contains(item.reason) ? (isWhole ? payment.authorized : item.amountAtRisk) : 0)
            }
            // A refund that failed unheard implies a capture, as far as nothing else was taken.
            let isImplied = name == "captured" && ours > theirs && ours - theirs <= unheard
            let isUnheard = isImplied || (name == "refunded" && ours - theirs == unheard)
            let isRest = name == "held" && ours > theirs && ours - theirs <= rest
            return abs(ours - theirs) > said && !isUnheard && !isRest
        }
        return differing.map { "we say \($0.0) \($0.1), the PSP \($0.2)" }
    }

    /// Whether something failed that was asked for before books were restored, and that they do not know.
    static func hasForgottenFailure(
        in theirs: [PSPSimulator.Authorization],
        of payment: Payment,
        restoredAt: Int64?
    ) -> Bool {
        guard let restoredAt else { return false }
        return theirs.flatMap(\.operations).contains { operation in
            operation.at <= restoredAt && [.failed, .failedLater].contains(operation.status)
                && operation.isForgotten(by: payment)
        }
    }

    /// What refunds that were made in Worldpay's portal, and failed, come to, if a person was told of an event that nobody
    /// could tell on: it names them by words that somebody typed, so that they stand in our books.
    static func unheardFailures(
        of payment: Payment,
        _ theirs: [PSPSimulator.Authorization],
        in order: Order
    ) -> Int64 {
        guard payment.attempt.route.psp == "worldpay", order.attention.contains(where: { $0.reason == .webhookProblem })
        else { return 0 }
        return theirs.flatMap(\.operations).reduce(0) {
            $0 + ($1.isPortals && $1.kind == .refund && $1.status == .failedLater ? $1.amount : 0)
        }
    }

    /// Whether what was given back is all that is known of a capture: how much was taken, the PSP has not said.
    static func isCaptureImplied(in payment: Payment) -> Bool {
        let captures: [Domain.Operation] = payment.attempts.flatMap { $0.all(.capture) }
        return captures.contains { (capture: Domain.Operation) -> Bool in
            guard capture.origin == .psp, capture.reference == nil, !capture.isFinal else { return false }
            return capture.state == .succeeded && capture.doneAmount > 0
        }
    }

    /// Whether a PSP gave back, or had to, more than it took, if what it told both of was done: that it failed, and that it
    /// succeeded; with what failed of it unheard, and with refunds that are still to be made.
    static func isOverRefunded(
        _ payment: Payment,
        _ theirs: [PSPSimulator.Authorization],
        _ items: [Attention],
        unheard: Int64
    ) -> Bool {
        let refunds: [Domain.Operation] = payment.attempts.flatMap { $0.all(.refund) }
        let names = Set(refunds.map(\.id))
        let doubted = items.filter { $0.reason == .successAfterRefusal && names.contains($0.operation) }
        let booked = theirs.map(BookedAmounts.init)
        let open = refunds.reduce(0) { $0 + ($1.isOpen ? $1.amount : 0) }
        let returned = booked.reduce(unheard + open) { $0 + $1.refunded } + theirs.reduce(0) { $0 + $1.chargedBack }
        return returned + doubted.reduce(0) { $0 + $1.amountAtRisk } > booked.reduce(0) { $0 + $1.captured }
    }
}

extension BookedOperation {
    /// Whether we asked for it under a name that a payment of restored books does not know.
    fileprivate func isForgotten(by payment: Payment) -> Bool {
        guard let name = ourName.flatMap({ OperationID($0) }) else { return false }
        return !payment.attempts.flatMap(\.operations).contains { $0.id == name }
    }
}

/// What an authorization comes to in a PSP's books; a capture that a void undid counts as given back.
private struct BookedAmounts {
    let held: Int64
    let captured: Int64
    let refunded: Int64
    /// What was captured and voided.
    let undone: Int64

    init(_ authorization: PSPSimulator.Authorization) {
        let undone = authorization.operations.reduce(0) {
            $0 + ($1.kind == .capture && $1.status == .reversed ? $1.amount : 0)
        }
        let isUndone = authorization.operations.contains { $0.kind == .void && $0.status == .succeeded }
        let reversed = authorization.capturesAtOnce && isUndone ? authorization.voided : undone
        held = authorization.held
        captured = authorization.captured + reversed
        refunded = authorization.refunded + reversed
        self.undone = reversed
    }
}

/// Which items of attention say that an amount may be another one at the PSP.
private enum AttentionMeaning {
    /// What says so of anything.
    private static let anything: Set<Attention.Reason> = [
        .unknownOutcome, .overdue, .amountMismatch, .duplicateEffect, .webhookProblem,
    ]
    /// What is held.
    static let held = anything.union([
        .compensationRefused, .successAfterRefusal, .outcomeReversed, .overCaptured, .captureFailed, .captureVoided,
        .overRefunded,
    ])
    /// What is captured.
    static let captured = anything.union([
        .overCaptured, .overRefunded, .captureFailed, .successAfterRefusal, .captureVoided, .outcomeReversed,
    ])
    /// What is given back.
    static let refunded = anything.union([
        .refundFailed, .compensationRefused, .overRefunded, .captureVoided, .successAfterRefusal,
    ])
    /// What is charged back.
    static let disputed: Set<Attention.Reason> = [.overRefunded]
}
