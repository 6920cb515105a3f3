import AdapterKit
import Domain
import Gateway
import PSPSimulator
import SQL
import SQLiteDatabase
import Storage
import Wiring

/// What follows from what was asked for, worked out again without the machine's own words for it.
extension SimulationChecks {
    /// What is wrong with what an order came to, given what the PSPs did.
    static func decisionComplaints(
        about order: Order,
        _ books: [String: [PSPSimulator.Authorization]],
        _ events: [OrderEvent],
        _ moments: [String: Int64],
        untold: Set<String>
    ) -> [String] {
        let name = order.reference ?? order.id.text
        let needless = needlessComplaints(about: order, events).map { "\(name): \($0)" }
        guard order.decision.state == .accepted else { return needless }
        var found: [String] = []
        let counted = order.payments.filter { order.decision.countsOn.contains($0.id) }
        if !isAcceptable(counted, to: order) { found.append("\(name) was accepted, which its policy forbids") }
        let lost = order.terms.capture == .automatic ? lostCaptures(events) : []
        if !lost.isEmpty, !isAcceptable(counted.filter { !lost.contains($0.id) }, to: order) {
            found.append("\(name) was accepted although a capture that it needs had failed")
        }
        for payment in counted {
            let what = "\(name), \(payment.externalIdentifier)"
            let theirs = payment.attempts.flatMap { books[$0.id.text] ?? [] }
            let isTold = order.attention.contains { $0.payment == payment.id }
            let isUntold = theirs.contains { untold.contains($0.id) }
            if !theirs.contains(where: { $0.authorized >= payment.amount }), !isTold, !isUntold {
                found.append("\(what): the order counts on \(payment.amount), which no PSP approved")
            }
            found += expiryComplaints(payment, books, moments).map { "\(what): \($0)" }
            let isOpen = payment.canceledAt == nil && order.terms.onCaptureFailure == .attention
            if payment.state == .captureFailed, isOpen, !isTold {
                found.append("\(what): a capture failed, and nobody is told")
            }
        }
        return needless + found + compensationComplaints(order, counted).map { "\(name): \($0)" }
    }

    /// Whether these payments are what an order's policy wants at the least.
    static func isAcceptable(_ payments: [Payment], to order: Order) -> Bool {
        let names = Set(payments.map(\.externalIdentifier))
        switch order.terms.policy {
        case .allOrNothing: return names.count == order.payments.count
        case .bestEffort: return !names.isEmpty
        case .required(let wanted): return wanted.isSubset(of: names) && !names.isEmpty
        case .minimum(let least): return payments.reduce(0) { $0 + $1.amount } >= least
        }
    }

    /// The payments of which a capture was known to have failed when their order was accepted, and no other was done or under
    /// way, whoever had asked for it.
    static func lostCaptures(_ events: [OrderEvent]) -> Set<PaymentID> {
        var (failed, others): (Set<PaymentID>, [OperationID: PaymentID]) = ([], [:])
        for event in events.prefix(while: { $0.type != "order.accepted" }) {
            guard let payment = event.payment, let operation = event.operation else { continue }
            switch event.type {
            case "payment.capture_started", "payment.captured", "payment.captured_by_psp": others[operation] = payment
            case "payment.capture_explained": others[operation] = nil
            case "payment.capture_failed":
                others[operation] = nil
                failed.insert(payment)
            default: break
            }
        }
        return failed.subtracting(others.values)
    }

    /// What is kept although a capture failed and the order says that the rest is undone then.
    private static func compensationComplaints(_ order: Order, _ counted: [Payment]) -> [String] {
        guard order.terms.onCaptureFailure == .compensate,
            counted.contains(where: { $0.canceledAt == nil && $0.state == .captureFailed })
        else { return [] }
        let kept = order.payments.filter { payment in
            let isTold = order.attention.contains { $0.payment == payment.id && $0.reason != .captureFailed }
            return payment.net - payment.chargedBack > 0 && !isTold
        }
        return kept.map { "\($0.externalIdentifier) keeps \($0.net), though another capture failed" }
    }

    /// The PSPs that say themselves how long a hold lives.
    private static let sayingExpiry: Set<String> = ["braintree", "checkout", "simulator", "square", "stripe"]

    /// Holds that are believed to live longer than they do.
    ///
    /// Of one whose PSP tells no end, and which it approved at once: longer than its adapter says from when it was approved.
    private static func expiryComplaints(
        _ payment: Payment,
        _ books: [String: [PSPSimulator.Authorization]],
        _ moments: [String: Int64]
    ) -> [String] {
        payment.attempts.flatMap { attempt -> [String] in
            guard attempt.held > 0, let ours = attempt.expiresAt else { return [] }
            let isSaid = sayingExpiry.contains(attempt.route.psp)
            let life = AdapterCatalog.psps[attempt.route.psp]?.capabilities.authorizationLifeMilliseconds
            return (books[attempt.id.text] ?? []).compactMap { authorization in
                let isAtOnce = moments[authorization.id] == authorization.createdAt
                let untold = isAtOnce ? life.map { authorization.createdAt + $0 } : nil
                guard authorization.held > 0, let theirs = isSaid ? authorization.expiresAt : untold else { return nil }
                let difference = ours.microseconds / 1000 - theirs
                // Without the PSP's word a hold lives from when it was asked for, or from when it was heard of if the PSP
                // worked on it.
                return difference > (isSaid ? 3_600_000 : clockMilliseconds)
                    ? "its hold is believed to live \(difference) ms longer than it does" : nil
            }
        }
    }

    /// Callbacks that tell a merchant of a payment that it must not know.
    static func secretComplaints(about order: Order, _ callbacks: [StoredCallback]) -> [String] {
        guard order.decision.state == .refused else { return [] }
        let unknown = Set(order.payments.filter { $0.captured == 0 }.map(\.id))
        return callbacks.filter { callback in
            let content = callback.content
            return content.order == order.id && content.merchant != nil
                && content.payment.map(unknown.contains) ?? false
        }
        .map { "\($0.id) tells a merchant of an order that was refused" }
    }

    /// Credentials that are kept although nobody needs them.
    ///
    /// - Throws: `SQLError`.
    static func credentialComplaints(about order: Order, _ world: SimulatedWorld) throws -> [String] {
        let over = order.payments.flatMap(\.attempts).filter { !$0.authorization.state.keepsCredential }.map(\.id)
        return try world.database.look { session in
            try over.filter { try CredentialTable.find($0, in: session) != nil }
        }
        .map { "the credential of \($0) is kept" }
    }

    /// Steps that could not be taken.
    ///
    /// - Throws: `SQLError`.
    static func failureComplaints(_ world: SimulatedWorld) throws -> [String] {
        try world.database.look { session in try StepFailures.list(marketplace: nil, limit: 100, in: session) }
            .map { "a step of \($0.order) cannot be taken: \($0.kind), \($0.detail)" }
    }
}
