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

    /// What a twin's books say of references that held money twice, where one of both is released.
    ///
    /// A key that keeps successes only keeps nothing of an error behind what was done. Where nobody heard that either, the
    /// authorization is sent again under it, since nearly all that nobody heard of had not arrived; a second hold is
    /// released.
    static func releasedDoubles(of twin: PSPTwin, _ authorizations: [PSPSimulator.Authorization]) -> Set<String> {
        guard twin.keepsSuccessesOnly else { return [] }
        let byReference = Dictionary(grouping: authorizations) { [$0.account, $0.command.reference] }
        let released = byReference.filter { $0.value.count { !$0.isReleased } <= 1 }
        return Set(released.keys.map { Books.doubleHold(account: $0[0], reference: $0[1]) })
    }
}

extension PSPSimulator.Authorization {
    /// Whether nothing is held of it, nor was taken.
    var isReleased: Bool { held == 0 && captured == 0 }
}
