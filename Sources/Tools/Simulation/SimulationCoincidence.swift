/// What hardly ever comes together by dice that are thrown evenly, and happens in some seeds beside all else.
///
/// It has dice of its own: the other seeds are as if there were none.
enum SimulationCoincidence: Sendable {
    /// What was sent goes wrong, and again when it is sent again; often no webhook tells of it meanwhile.
    case doubtTwice
    /// A PSP is not heard for longer than a day, in which there is something to ask of it.
    case outage
    /// Somebody works in a PSP's portal while an instance often does not reach its database.
    case forgetting

    /// Adds what happens of one to what else happens, in one of five seeds.
    ///
    /// Not where books are restored: what is ordered behind their copy would be paid twice.
    ///
    /// - Parameters:
    ///   - happenings: what else happens, by moment.
    ///   - seed: determines all of it.
    ///   - psps: how many PSPs there are.
    ///   - instances: how many instances there are.
    /// - Returns: all that happens.
    static func added(
        to happenings: [SimulationPlan.Happening],
        seed: UInt64,
        psps: Int,
        instances: Int
    ) -> [SimulationPlan.Happening] {
        var dice = SeededDice(seed: seed ^ 0xC01C)
        let one = dice.pick([(80, SimulationCoincidence?.none), (12, .doubtTwice), (4, .outage), (4, .forgetting)])
        let first = happenings.first { if case .order = $0.kind { true } else { false } }
        guard let one, let first, let last = happenings.last, !happenings.contains(where: \.isOfRestoring) else {
            return happenings
        }
        var (all, orders) = (happenings, happenings.reduce(0) { max($0, $1.order ?? 0) })
        for _ in 0..<(one == .outage ? 1 : dice.number(in: 1...3)) {
            var at = first.at + dice.number(in: 0...max(1, last.at - first.at))
            for kind in one.kinds(behind: orders, psps, instances, &dice) {
                let new = SimulationPlan.Happening(at: at, kind: kind, dice: dice.fork())
                all.insert(new, at: all.firstIndex { $0.at > at } ?? all.count)
                orders = max(orders, new.order ?? 0)
                at += dice.number(in: 0...1000)
            }
        }
        return all
    }

    /// What happens one after the other.
    private func kinds(
        behind orders: Int,
        _ psps: Int,
        _ instances: Int,
        _ dice: inout SeededDice
    ) -> [SimulationPlan.Kind] {
        let next = dice.pick([(1, SimulationPlan.Kind.order(orders + 1)), (3, .demand)])
        let place = Int.random(in: 0..<psps, using: &dice)
        let silence = dice.falls(65) ? [SimulationPlan.Kind.fault(.silence(at: place, &dice))] : []
        return switch self {
        case .doubtTwice: silence + [.fault(.twice(at: place, &dice)), next]
        case .outage: [.fault(.outage(psps: psps, &dice)), .demand, .demand, next]
        case .forgetting: [.fault(.forgetting(instances: instances, &dice)), .portal, .portal]
        }
    }
}

extension SimulationPlan.Happening {
    /// The number of the checkout that orders; nil if none does.
    fileprivate var order: Int? { if case .order(let number) = kind { number } else { nil } }

    /// Whether it is a copy of the books, or the return to it.
    var isOfRestoring: Bool {
        switch kind {
        case .backup, .restore: true
        default: false
        }
    }
}
