import Domain

/// How money is settled in a run: what PSPs take, how the bank writes, and what is wrong on purpose.
struct SettlementTerms: Sendable {
    /// One thing that does not agree, which has to be found for what it is.
    enum Difference: String, Sendable, CaseIterable {
        /// The bank pays a payout with a unit too little.
        case shortPayout
        /// A report lacks a line of something that the PSP did, and pays it nowhere.
        case missingLine
        /// A report has a payment that is in no order, and pays it out.
        case strayCharge
    }

    /// What a PSP takes of each capture.
    enum Fee: Sendable {
        /// Nothing.
        case none
        /// So many minor units.
        case fixed(Int64)
        /// So many minor units, and a fortieth of the amount.
        case share(Int64)

        /// The fee of an amount, in minor units.
        func of(_ amount: Int64) -> Int64 {
            switch self {
            case .none: 0
            case .fixed(let units): units
            case .share(let units): units + amount / 40
            }
        }
    }

    /// What PSPs take.
    let fee: Fee
    /// Whether the bank writes MT940; camt.053 if not.
    let writesMT: Bool
    /// How long a PSP waits before it settles something while things happen, in milliseconds.
    let delay: Int64
    /// What is wrong on purpose; nil in most runs.
    let difference: Difference?
    /// How the last reports come.
    let dice: SeededDice
    /// Whether several people take in the last reports and the bank's last statement at a time.
    let isTogether: Bool

    /// Draws terms for a quarter of the seeds, with what happens of it among the rest.
    ///
    /// They have dice of their own: the other seeds, and all else that happens in these, are as if there were no reports. Restored
    /// books know no files that were taken in since, which are handed in again with others; that is not simulated.
    ///
    /// - Parameters:
    ///   - seed: determines all of it.
    ///   - happenings: what else happens, by moment.
    /// - Returns: the terms, nil if nothing is settled, and all that happens.
    static func draw(
        _ seed: UInt64,
        among happenings: [SimulationPlan.Happening]
    ) -> (SettlementTerms?, [SimulationPlan.Happening]) {
        var (dice, together) = (SeededDice(seed: seed ^ 0xB00C), SeededDice(seed: seed ^ 0xB00D))
        // In an outage there is no end at which everything agrees.
        let hasOutage = happenings.contains { if case .fault(let fault) = $0.kind { fault.isOutage } else { false } }
        guard dice.falls(25), !hasOutage, !happenings.contains(where: \.isOfRestoring) else { return (nil, happenings) }
        let terms = SettlementTerms(
            fee: dice.pick([(2, .none), (3, .fixed(30)), (4, .share(25))]),
            writesMT: dice.falls(35),
            delay: dice.pick([(3, 0), (2, 30_000), (1, 300_000)]),
            difference: dice.falls(30) ? Difference.allCases.randomElement(using: &dice) : nil,
            dice: dice.fork(),
            isTogether: together.falls(60)
        )
        let end = (happenings.last?.at ?? 0) + 60_000
        var all = happenings
        for _ in 0..<dice.number(in: 2...5) {
            let kind = dice.pick([(5, SimulationPlan.Kind.report), (2, .statement)])
            let new = SimulationPlan.Happening(at: dice.number(in: end / 3...end), kind: kind, dice: dice.fork())
            all.insert(new, at: all.firstIndex { $0.at > new.at } ?? all.count)
        }
        // A bank that pays at once tells it while reports are taken in.
        guard dice.falls(40) else { return (terms, all) }
        for happening in all {
            guard case .report = happening.kind, dice.falls(70) else { continue }
            let at = happening.at + dice.number(in: 0...10)
            let statement = SimulationPlan.Happening(at: at, kind: .statement, dice: dice.fork())
            all.insert(statement, at: all.firstIndex { $0.at > at } ?? all.count)
        }
        return (terms, all)
    }
}
