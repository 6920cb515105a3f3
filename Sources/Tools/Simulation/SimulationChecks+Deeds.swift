import Domain
import PSPSimulator

/// What PSPs did, held against what was asked of them and what was said of it.
extension SimulationChecks {
    /// How far clocks of instances may be ahead, in milliseconds.
    static let clockMilliseconds: Int64 = 3000

    /// What was asked of a PSP for a payment under one name, what it has of that, and when each of its operations came to its
    /// end.
    struct Deeds {
        /// Which PSP.
        let route: RouteSnapshot
        /// What was asked of it, and what it did by itself.
        let operations: [Domain.Operation]
        /// What it has of that.
        let theirs: [PSPSimulator.Authorization]
        /// When what was done was done, by the names of operations; in milliseconds since 1970.
        let moments: [String: Int64]
        /// What a person is told of them.
        let items: [Attention]
    }

    /// When each operation in a PSP's books was done, by its name there.
    static func moments(_ books: Books) -> [String: Int64] {
        var moments: [String: Int64] = [:]
        for event in books.history {
            switch event.type {
            case "authorization.authorized", "authorization.captured": moments[event.authorization.id] = event.at
            case "capture.succeeded", "void.succeeded", "refund.succeeded":
                if let operation = event.operation { moments[operation.id] = event.at }
            default: break
            }
        }
        return moments
    }

    /// What of a payment was done that nobody asked for, or was said otherwise than it was done.
    static func deedComplaints(
        about payment: Payment,
        _ books: [String: [PSPSimulator.Authorization]],
        _ moments: [String: Int64],
        _ mail: SimulatedMail,
        _ events: [OrderEvent],
        _ items: [Attention]
    ) -> [String] {
        // A further authorization that a request made has the name of the first.
        payment.attempts.filter { !$0.isSurplus }.flatMap { attempt -> [String] in
            let theirs = books[attempt.id.text] ?? []
            // What nobody told is known to no one here.
            guard !mail.hasUntold(of: theirs, in: [attempt]) else { return [] }
            let named = payment.attempts.filter { payment.nameAtPSP(of: $0) == attempt.id }
            let operations = named.flatMap(\.operations)
            let deeds = Deeds(
                route: attempt.route,
                operations: operations,
                theirs: theirs,
                moments: moments,
                items: items.filter { item in operations.contains { $0.id == item.operation } }
            )
            let found =
                unaskedComplaints(deeds) + undoneComplaints(deeds, events) + denialComplaints(deeds, events)
            return found.map { "\(attempt.id): \($0)" }
        }
    }

    /// Captures and refunds through the API of more than any of ours asked for.
    private static func unaskedComplaints(_ deeds: Deeds) -> [String] {
        let kinds: [(OperationKind, Set<Domain.Operation.Kind>)] = [
            (.capture, [.capture]), (.refund, [.refund, .reverse]),
        ]
        return kinds.flatMap { kind, ours -> [String] in
            let asked = deeds.operations.filter { ours.contains($0.kind) && $0.origin != .psp }.map(\.amount)
            guard let most = asked.max() else { return [] }
            let done = deeds.theirs.flatMap(\.operations).filter { $0.kind == kind && $0.isAskedFor && $0.wasDone }
            return done.filter { $0.amount > most }.map {
                "a \(kind.rawValue) of \($0.amount) was done, and \(most) was the most that was asked for"
            }
        }
    }

    /// What is said to be given back, or to have been, and never was.
    private static func undoneComplaints(_ deeds: Deeds, _ events: [OrderEvent]) -> [String] {
        let said = saidToBeGivenBack(by: deeds.operations, events)
        let theirs = deeds.theirs.flatMap(\.operations)
        let done = theirs.reduce(Int64(0)) { sum, operation in
            let isBack = operation.kind == .refund ? operation.wasDone : operation.status == .reversed
            return sum + (isBack ? operation.amount : 0)
        }
        // What was captured with the authorization is no operation in the books; a void gives it back.
        let atOnce = deeds.theirs.filter(\.capturesAtOnce).reduce(Int64(0)) { $0 + $1.authorized }
        // Of a capture that is said to be done, and not to be, a person finds out: a void may be thought to give it back.
        let captures = Set(deeds.operations.filter { $0.kind == .capture }.map(\.id))
        let doubted = deeds.items.filter { $0.reason == .successAfterRefusal && captures.contains($0.operation) }
        let most = doubted.reduce(done + atOnce) { $0 + $1.amountAtRisk }
        return said > most ? ["\(said) is said to have been given back, and never was more than \(most)"] : []
    }

    /// What is said of refunds and of captures that were taken back to be given back, or was before they failed.
    static func saidToBeGivenBack(by operations: [Domain.Operation], _ events: [OrderEvent]) -> Int64 {
        let told = events.filter { $0.type == "payment.refunded" }
        return operations.filter(\.givesBack).reduce(0) { sum, operation in
            if operation.state == .succeeded { return sum + operation.doneAmount }
            guard case .reversed = operation.state, operation.origin != .psp else { return sum }
            return sum + (told.last { $0.operation == operation.id }?.amount("done_amount") ?? 0)
        }
    }

    /// What was said to have come to nothing when it had been done, where it was asked for and done once.
    private static func denialComplaints(_ deeds: Deeds, _ events: [OrderEvent]) -> [String] {
        let kinds: [(OperationKind, Domain.Operation.Kind, Set<String>)] = [
            (.authorize, .authorize, ["payment.declined", "payment.rejected", "payment.not_sent"]),
            (.capture, .capture, ["payment.capture_failed"]),
            (.refund, .refund, ["payment.refund_declined", "payment.refund_rejected"]),
        ]
        return kinds.flatMap { kind, our, words -> [String] in
            let asked = deeds.operations.filter { $0.kind == our && $0.origin != .psp }
            let theirs = deeds.theirs.flatMap(\.operations).filter { $0.kind == kind && $0.isAskedFor }
            // What was done in a portal meanwhile, or lapsed, is told as if it had come to nothing.
            guard asked.count == 1, theirs.count == 1, theirs[0].status == .succeeded,
                !deeds.theirs.contains(where: { $0.status == .expired || $0.operations.contains(where: \.isPortals) }),
                let moment = deeds.moments[theirs[0].id]
            else { return [] }
            // What a buyer finished and nobody heard of is called off with its step's end, and released.
            let isCalledOff = deeds.operations.contains {
                $0.kind == .void && $0.origin == .gateway && $0.state == .succeeded
            }
            guard kind != .authorize || !isCalledOff else { return [] }
            let failed = kind == .authorize ? failedSale(deeds) : .max
            let denials = events.filter { event in
                let at = event.at.microseconds / 1000
                return event.operation == asked[0].id && words.contains(event.type)
                    && at > moment + clockMilliseconds && at < failed - clockMilliseconds
            }
            return denials.map { "\($0.type) is said of what had been done" }
        }
    }

    /// When a sale failed as it settled: at Braintree, whoever asks after it is told of a decline from then on, and at
    /// Checkout.com of a payment that holds nothing.
    private static func failedSale(_ deeds: Deeds) -> Int64 {
        guard ["\(DialectName.braintree)", "\(DialectName.checkout)"].contains(deeds.route.psp) else { return .max }
        let sales = deeds.theirs.flatMap(\.operations).filter { $0.isOfSale && $0.status == .failedLater }
        return sales.compactMap(\.changedAt).min() ?? .max
    }
}

extension BookedOperation {
    /// Whether it was asked for through the API.
    fileprivate var isAskedFor: Bool { !isPortals && !isOfSale }

    /// Whether it was done, and perhaps came to nothing after all.
    fileprivate var wasDone: Bool { [.succeeded, .reversed, .failedLater].contains(status) }
}
