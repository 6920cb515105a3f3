/// What must be true of an authorization at any time.
extension Authorization {
    /// The rules that are broken, as sentences; none unless the simulator itself is wrong.
    var brokenRules: [String] {
        let rules: [(holds: Bool, sentence: String)] = [
            (authorized <= command.amount, "more is authorized than was asked"),
            (captured + voided <= authorized, "more is captured and released than is authorized"),
            (refunded <= captured, "more is refunded than is captured"),
            (refunded + chargedBack <= captured, "more is refunded and disputed than is captured"),
            (min(authorized, captured, voided, refunded) >= 0, "an amount is negative"),
        ]
        return rules.filter { !$0.holds }.map(\.sentence)
    }

    /// The authorization as it is at `now`; what happened until then is told by the books, not by this.
    func settled(at now: Int64) -> Authorization {
        var copy = self
        copy.settle(at: now)
        copy.news = []
        return copy
    }
}
