import Domain
import PSPSimulator

/// What was done more than once.
extension SimulationChecks {
    /// Operations of ours that a PSP did more than once.
    static func doubles(in theirs: [PSPSimulator.Authorization]) -> [String] {
        theirs.flatMap { authorization in
            let done = authorization.operations.dropFirst().filter { $0.status == .succeeded && $0.ourName != nil }
            let byName = Dictionary(grouping: done) { "\($0.kind.rawValue) \($0.ourName ?? "")" }
            return byName.filter { $0.value.count > 1 }.map { "\($0.key) was done \($0.value.count) times" }.sorted()
        }
    }

    /// What a twin's books say of references that held money twice, where that may come about: whether all but one is undone,
    /// the payment tells (``leftStanding(of:in:_:keepsSuccessesOnly:)``).
    ///
    /// A key that keeps successes only keeps nothing of an error behind what was done. Where nobody heard that either, the
    /// authorization is sent again under it, since nearly all that nobody heard of had not arrived; a second hold is
    /// released.
    static func excusedDoubles(of twin: PSPTwin, _ authorizations: [PSPSimulator.Authorization]) -> Set<String> {
        guard twin.keepsSuccessesOnly else { return [] }
        return Set(authorizations.map { Books.doubleHold(account: $0.account, reference: $0.command.reference) })
    }

    /// How many of the authorizations that were made for an attempt stand: of those that a key which keeps successes only let
    /// through, none that is undone, or of which a person is told that it is not, or takes long.
    static func leftStanding(
        of theirs: [PSPSimulator.Authorization],
        in payment: Payment,
        _ items: [Attention],
        keepsSuccessesOnly: Bool
    ) -> Int {
        let approved = theirs.filter { $0.authorized > 0 }
        guard keepsSuccessesOnly else { return approved.count }
        let surplus = payment.attempts.filter(\.isSurplus)
        let about = { (attempt: Attempt) in
            items.filter { item in attempt.operations.contains { $0.id == item.operation } }
        }
        // That a release is refused is told once a payment, of whichever attempt.
        let isRefused = surplus.contains { about($0).contains { $0.reason == .compensationRefused } }
        let told = isRefused ? surplus.count : surplus.count { !about($0).isEmpty }
        return max(0, approved.count { !$0.isUndone } - told)
    }
}

extension PSPSimulator.Authorization {
    /// Whether nothing is held of it, and what was taken was given back, or taken back by the buyer's bank.
    fileprivate var isUndone: Bool { held == 0 && captured <= refunded + chargedBack }
}
