/// What hardly ever comes together by dice that are thrown evenly, and happens in some seeds beside all else.
///
/// It has dice of its own: the other seeds are as if there were none.
enum SimulationCoincidence: Sendable {
    /// What was sent goes wrong, and again when it is sent again; often no webhook tells of it meanwhile.
    case doubtTwice
    /// A PSP is not heard for longer than a day, in which there is something to ask of it.
    case outage
    /// Somebody works in a PSP's portal while databases take no writes.
    case forgetting
    /// A PSP errs behind what it does for somebody who asks for a part, and nobody hears that either.
    case unheard
    /// What somebody does in a PSP's portal fails soon after, and either is told first.
    case reversal
    /// Books are copied while a PSP answers, and restored soon behind it.
    case copiedMidway
    /// A PSP errs behind what it does for a checkout, nobody hears that, and no webhook tells of it.
    case repeated
    /// No webhook tells that a buyer took a step at a PSP that cannot be asked, and somebody captures in its portal before the
    /// step ends.
    case stepUnheard
    /// What calls off a buyer's step at its end is refused, and the buyer may have taken it at the last moment.
    case stepKept
    /// The marketplace asks for more than there is to be had.
    case excess
    /// A merchant charges under an agreement that has just ended.
    case endedAgreement

    /// Something that happens, and how many milliseconds go by until the next does.
    private typealias Step = (kind: SimulationPlan.Kind, pause: ClosedRange<Int64>)

    /// Draws whether there is one, with dice that it goes on with: one of the first three in one of five seeds, in a third of
    /// the others one of three that came later, in some of the rest one of the last.
    private static func drawn(_ seed: UInt64) -> (one: SimulationCoincidence, dice: SeededDice)? {
        var dice = SeededDice(seed: seed ^ 0xC01C)
        let first = dice.pick([(80, SimulationCoincidence?.none), (12, .doubtTwice), (4, .outage), (4, .forgetting)])
        if let first { return (first, dice) }
        dice = SeededDice(seed: seed ^ 0xC02C)
        let other = dice.pick([(64, SimulationCoincidence?.none), (12, .unheard), (8, .reversal), (16, .copiedMidway)])
        if let other { return (other, dice) }
        dice = SeededDice(seed: seed ^ 0xC03C)
        if dice.falls(15) { return (.repeated, dice) }
        dice = SeededDice(seed: seed ^ 0xC04C)
        let ofSteps = dice.pick([(55, SimulationCoincidence?.none), (20, .stepUnheard), (25, .stepKept)])
        if let ofSteps { return (ofSteps, dice) }
        dice = SeededDice(seed: seed ^ 0xC05C)
        let last = dice.pick([(70, SimulationCoincidence?.none), (15, .excess), (15, .endedAgreement)])
        return last.map { ($0, dice) }
    }

    /// Adds what happens of one to what else happens, if the seed has one.
    ///
    /// Where books are restored, all there may be is what is under way as they are copied: what is ordered behind their copy
    /// would be paid twice. What is restored on purpose leaves out agreements, as all that is restored.
    ///
    /// - Parameters:
    ///   - happenings: what else happens, by moment.
    ///   - seed: determines all of it.
    ///   - psps: the PSPs.
    ///   - instances: how many instances there are.
    /// - Returns: all that happens.
    static func added(
        to happenings: [SimulationPlan.Happening],
        seed: UInt64,
        psps: [PSPTwin],
        instances: Int
    ) -> [SimulationPlan.Happening] {
        if let copy = happenings.firstIndex(where: { if case .backup = $0.kind { true } else { false } }) {
            return begun(before: copy, happenings, seed)
        }
        let first = happenings.first { if case .order = $0.kind { true } else { false } }
        guard let (one, drawnDice) = drawn(seed), let first, let last = happenings.last,
            one != .copiedMidway || !happenings.contains(where: \.isOfAgreements)
        else { return happenings }
        var (all, dice) = (happenings, drawnDice)
        var orders = happenings.reduce(0) { max($0, $1.order ?? 0) }
        let isOnce = one == .outage || one == .copiedMidway
        let count = dice.pick([(5, 1), (2, 2), (1, 3)])
        for _ in 0..<(isOnce ? 1 : count) {
            var at = first.at + dice.number(in: 0...max(1, last.at - first.at))
            for step in one.steps(behind: orders, psps, instances, &dice) {
                let new = SimulationPlan.Happening(at: at, kind: step.kind, dice: dice.fork())
                all.insert(new, at: all.firstIndex { $0.at > at } ?? all.count)
                orders = max(orders, new.order ?? 0)
                at += dice.number(in: step.pause)
            }
        }
        return all
    }

    /// In half of the seeds in which books are restored a checkout begins right before they are copied.
    private static func begun(
        before copy: Int,
        _ happenings: [SimulationPlan.Happening],
        _ seed: UInt64
    ) -> [SimulationPlan.Happening] {
        var (all, dice) = (happenings, SeededDice(seed: seed ^ 0xC02C))
        guard dice.falls(50) else { return happenings }
        let orders = happenings.reduce(0) { max($0, $1.order ?? 0) }
        let at = max(0, happenings[copy].at - dice.number(in: 5...100))
        let sale = SimulationPlan.Happening(at: at, kind: .sale(orders + 1), dice: dice.fork())
        all.insert(sale, at: all.firstIndex { $0.at > at } ?? copy)
        return all
    }

    /// What happens one after the other.
    private func steps(
        behind orders: Int,
        _ psps: [PSPTwin],
        _ instances: Int,
        _ dice: inout SeededDice
    ) -> [Step] {
        let next = dice.pick([(1, SimulationPlan.Kind.order(orders + 1)), (3, .demand)])
        let place = Int.random(in: psps.indices, using: &dice)
        let silence = dice.falls(65) ? [SimulationPlan.Kind.fault(.silence(at: place, &dice))] : []
        switch self {
        case .doubtTwice: return Self.spaced(silence + [.fault(.twice(at: place, &dice)), next], by: 0...1000)
        case .outage:
            let outage = SimulationPlan.Kind.fault(.outage(psps: psps.count, &dice))
            return Self.spaced([outage, .demand, .demand, next], by: 0...1000)
        case .forgetting:
            let all = (0..<instances).map { SimulationPlan.Kind.fault(.forgetting(at: $0)) }
            return Self.spaced(all + [.portal, .portal, .portal], by: 0...300)
        case .unheard:
            // An error behind the effect does most harm where a key keeps successes only.
            let fragile = psps.firstIndex(where: \.keepsSuccessesOnly)
            let ordered: Step =
                fragile.map { (.purchase(orders + 1, at: $0), 3000...8000) } ?? (.order(orders + 1), 500...3000)
            let place = fragile ?? place
            // Nor does a webhook tell of it, where it may be sent again.
            let silenced: [Step] = fragile == nil ? [] : [(.fault(.silence(at: place, &dice)), 0...0)]
            let asked = [SimulationPlan.Kind.fault(.unheard(at: place, &dice)), .part(place), .part(place)]
            return [ordered] + silenced + Self.spaced(asked, by: 500...3000)
        case .repeated:
            let unheard = SimulationPlan.Kind.fault(.unheard(at: place, &dice))
            return Self.spaced([.fault(.silence(at: place, &dice)), unheard, .order(orders + 1)], by: 0...500)
        case .reversal:
            return Self.spaced([.order(orders + 1), .reversal, .reversal], by: 500...5000)
        case .copiedMidway:
            return [(.sale(orders + 1), 5...100), (.backup, 0...10_000), (.restore, 0...1000)]
        case .excess: return Self.spaced([.order(orders + 1), .excess, .excess], by: 500...5000)
        case .endedAgreement: return Self.spaced([.agreement, .agreementEnd, .charge, .charge], by: 3500...20_000)
        case .stepUnheard, .stepKept: return stepTaken(behind: orders, psps, &dice)
        }
    }

    /// What happens around a buyer's step, which ends after ten minutes; nothing where no PSP has a page for it.
    private func stepTaken(behind orders: Int, _ psps: [PSPTwin], _ dice: inout SeededDice) -> [Step] {
        let pages = psps.indices.filter { place in
            SimulatedBuyers.hasPage(psps[place].dialect) && (self == .stepKept || !psps[place].isAskedByReference)
        }
        guard let place = pages.randomElement(using: &dice) else { return [] }
        let step = SimulationPlan.Kind.step(orders + 1, at: place)
        let silence = SimulationPlan.Kind.fault(.silence(at: place))
        if self == .stepUnheard {
            return [(step, 1000...2000), (silence, 60_000...590_000), (.stepCapture(at: place), 0...0)]
        }
        // What no webhook tells is found by asking, while the refused cancel waits to be sent once more.
        let isAskedFor = dice.falls(60)
        let kept: [Step] = [(step, 590_000...598_000), (.fault(.refusal(at: place)), 0...0)]
        return isAskedFor ? kept + [(silence, 0...0)] : kept
    }

    private static func spaced(_ kinds: [SimulationPlan.Kind], by pause: ClosedRange<Int64>) -> [Step] {
        kinds.map { ($0, pause) }
    }
}

extension SimulationPlan.Happening {
    /// The number of the checkout that orders; nil if none does.
    fileprivate var order: Int? {
        switch kind {
        case .order(let number), .sale(let number), .purchase(let number, _), .step(let number, _): number
        default: nil
        }
    }

    /// Whether it is a copy of the books, or the return to it.
    var isOfRestoring: Bool {
        switch kind {
        case .backup, .restore: true
        default: false
        }
    }

    /// Whether it is about agreements.
    fileprivate var isOfAgreements: Bool {
        switch kind {
        case .agreement, .charge, .agreementEnd: true
        default: false
        }
    }
}
