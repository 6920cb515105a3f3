import AdapterKit
import Domain
import Gateway
import PSPSimulator
import SQL
import Simulation
import Storage
import TributaryTestKit
import Wiring

/// How a walk comes to rest, and what has to be true then.
extension Walk {
    /// Pauses until everything should be at rest, in milliseconds: more than a lease and a day, less than holds live.
    private static let pauses: [Int64] =
        Array(repeating: 150_000, count: 12) + Array(repeating: 1_800_000, count: 16)
        + Array(repeating: 3_700_000, count: 60)

    /// Lets nothing more go wrong until every order is at rest, and answers what is wrong then.
    mutating func end() async throws -> [String] {
        stage.psp.settleDown()
        stage.mail.settleDown()
        replaceAll()
        let healer = instances.count - 1
        tell("nothing more goes wrong")
        var found: [String] = []
        for pause in Self.pauses {
            await pass(pause)
            await deliver(at: healer, all: true)
            await settle()
            beat(healer)
            await settle()
            guard stage.mail.isEmpty, !stage.psp.isBusy else { continue }
            let orders = try await LedgerCheck.orders(in: stage.database)
            guard orders.allSatisfy(\.isAtRest) else { continue }
            found = try await complaints(about: orders)
            if found.isEmpty { break }
        }
        let orders = try await LedgerCheck.orders(in: stage.database)
        found = try await complaints(about: orders)
        return found
    }

    private func complaints(about orders: [Order]) async throws -> [String] {
        let ledgers = Set(stage.shops.map(\.twin.ledger)).sorted()
        let (books, violations) = await stage.psp.simulator.read { books, now in
            (ledgers.flatMap { books.authorizations(of: $0, at: now) }, books.violations)
        }
        let byAttempt = Dictionary(grouping: books) { stage.twin.attempt($0.command.reference) }
        let verified = try await stage.database.read { session in
            try MarketplaceTable.all(in: session).flatMap { try LedgerAudit(of: $0.id).findings(in: session) }
        }
        let findings = verified.map {
            "ledger verify: \($0.rule.rawValue) \($0.subject): \($0.found), not \($0.expected)"
        }
        var found = violations.map { "the PSP: \($0)" } + stage.mail.refused + findings
        for order in orders {
            let complaints = complaints(about: order, byAttempt)
            let attempts = order.payments.flatMap(\.attempts)
            let operations = attempts.flatMap(\.operations).map(\.id.text)
            let names: [String] = [order.id.text] + attempts.map(\.id.text) + operations
            let isNamed = found.contains { sentence in names.contains { sentence.contains($0) } }
            guard !complaints.isEmpty || isNamed else { continue }
            found.append((complaints + [try await history(of: order, byAttempt)]).joined(separator: "\n"))
        }
        return found
    }

    private func complaints(about order: Order, _ books: [String: [PSPSimulator.Authorization]]) -> [String] {
        let name = order.reference ?? order.id.text
        var found = OrderRules.violations(of: order).map { "\(name) breaks \($0.rawValue)" }
        for payment in order.payments {
            let theirs = payment.attempts.flatMap { books[$0.id.text] ?? [] }
            let items = order.attention.filter { $0.payment == payment.id }
            let what = "\(name), \(payment.externalIdentifier)"
            found += doubles(in: theirs).map { "\(what): \($0)" }
            if Set(items.map { "\($0.operation) \($0.reason)" }).count < items.count {
                found.append("\(what): the same attention twice")
            }
            if items.count > 6 { found.append("\(what): \(items.count) attention items") }
            // What nobody told and nobody can ask after is the settlement file's to tell.
            let isUntold = theirs.contains { stage.mail.untold.contains($0.id) }
            if items.isEmpty, !isUntold {
                found += differences(payment, theirs).map { "\(what): \($0), and nothing says so" }
                if isOverdue(payment) { found.append("\(what) is not at rest, and nothing says so") }
            }
        }
        return found
    }

    /// Whether an operation is open for longer than the PSP should take for it, and than nobody need look at it.
    private func isOverdue(_ payment: Payment) -> Bool {
        let expected = AdapterCatalog.psps["\(stage.twin)"]?.capabilities.expectedWithinMilliseconds ?? 0
        let patience = max(expected, WalkStage.settings.rules.attentionAfterMilliseconds) + 2 * 3_700_000
        return payment.attempts.flatMap(\.operations).contains { operation in
            operation.isOpen && stage.clock.now().milliseconds(since: operation.createdAt) > patience
        }
    }

    private func differences(_ payment: Payment, _ theirs: [PSPSimulator.Authorization]) -> [String] {
        let booked = theirs.map { BookedAuthorization($0) }
        let pairs: [(String, Int64, Int64)] = [
            ("held", payment.held, booked.reduce(0) { $0 + $1.held }),
            ("captured", payment.captured, booked.reduce(0) { $0 + $1.captured }),
            ("refunded", payment.refunded, booked.reduce(0) { $0 + $1.refunded }),
            ("charged back", payment.chargedBack, theirs.reduce(0) { $0 + $1.chargedBack }),
        ]
        // Where several captures are possible, nobody says that one made in the portal let go of the rest: it lapses.
        let isRestUnsaid = theirs.contains { $0.operations.contains { $0.isPortals && $0.kind == .capture } }
        let differing = pairs.filter { $0.1 != $0.2 && !($0.0 == "held" && isRestUnsaid && $0.1 > $0.2) }
        return differing.map { "we say \($0.0) \($0.1), the PSP \($0.2)" }
    }

    /// Operations of ours that a PSP did more than once.
    private func doubles(in theirs: [PSPSimulator.Authorization]) -> [String] {
        theirs.flatMap { authorization in
            let done = authorization.operations.dropFirst().filter { $0.status == .succeeded && $0.ourName != nil }
            let byName = Dictionary(grouping: done) { "\($0.kind.rawValue) \($0.ourName ?? "")" }
            return byName.filter { $0.value.count > 1 }.map { "\($0.key) was done \($0.value.count) times" }
        }
    }

    /// What happened to an order, ours and the PSP's side, in few lines.
    private func history(of order: Order, _ books: [String: [PSPSimulator.Authorization]]) async throws -> String {
        let events = try await stage.database.read { session in
            try OrderSteps.events(of: order.id, after: 0, limit: 100, in: session)
        }
        var lines = ["  ours: \(HarnessFailure.text(order))"]
        lines += order.attention.map { "  attention: \($0.reason.rawValue) \($0.amountAtRisk)" }
        lines += events.map { event in
            let details = event.details.filter { ["amount", "done_amount", "reason"].contains($0.name) }
            let text = details.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
            return "    \(moment(of: event.at.microseconds / 1000)) \(event.type) \(text)"
        }
        for payment in order.payments {
            for authorization in payment.attempts.flatMap({ books[$0.id.text] ?? [] }) {
                let (name, status) = (payment.externalIdentifier, authorization.status.rawValue)
                lines.append("  PSP: \(name) \(authorization.id) \(status)")
                lines += authorization.operations.map { operation in
                    let name = operation.isPortals ? "portal" : "ours"
                    let what = "\(operation.kind.rawValue) \(operation.amount) \(operation.status.rawValue)"
                    return "    \(moment(of: operation.at)) \(what) \(name)"
                }
                lines += authorization.disputes.map {
                    "    \(moment(of: $0.at)) dispute \($0.amount) \($0.status.rawValue)"
                }
            }
        }
        return lines.joined(separator: "\n")
    }
}
