import Domain
import PSPSimulator

/// What a seed has happen: at which PSPs, and what when.
///
/// Each happening has dice of its own, so that one can be left out without changing what the others draw.
struct SimulationPlan: Sendable {
    /// The seed, which also chooses the order in which tasks run.
    let seed: UInt64
    /// The PSPs, by their places among ``twins``.
    let psps: [Int]
    /// How many instances there are at a time.
    let instances: Int
    /// Whether instances tell one another that they live.
    let hasHeartbeats: Bool
    /// How often an instance looks for what is due, in milliseconds.
    let pollMilliseconds: Int64
    /// Whether inquiries at the PSPs are as late as their adapters allow for.
    let isLate: Bool
    /// Whether PSP accounts that do not answer are spared.
    let hasBreakers: Bool
    /// The currency of every order.
    let currency: Currency
    /// How money is settled; nil where nobody reports anything.
    let settlement: SettlementTerms?
    /// Whether what is in doubt is asked after every minute, and not more and more seldom.
    let isImpatient: Bool
    /// What many payments have in common that a PSP makes something of: a number, which is read against its table.
    let leaning: UInt64
    /// What happens, by moment.
    var happenings: [Happening]

    /// Every PSP that is simulated.
    static let twins = PSPTwin.all + [PSPTwin.simulator]

    /// Something that happens.
    struct Happening: Sendable, CustomStringConvertible {
        /// When, in milliseconds since the beginning.
        let at: Int64
        /// What.
        let kind: Kind
        /// What else it draws.
        let dice: SeededDice

        var description: String { "\(at) ms: \(kind)" }
    }

    /// What can happen.
    enum Kind: Sendable {
        /// A checkout orders, by its number.
        case order(Int)
        /// A checkout pays a single merchant, by its number, and a PSP makes something unusual of it.
        case sale(Int)
        /// A checkout pays a single merchant, by its number, at the PSP in that place, which approves it.
        case purchase(Int, at: Int)
        /// A checkout pays a single merchant, by its number, at the PSP in that place, which asks its buyer for a step.
        case step(Int, at: Int)
        /// Somebody captures in the portal of the PSP in that place what a buyer took a step for.
        case stepCapture(at: Int)
        /// The checkout of that number asks again, under its key.
        case repetition(Int)
        /// The marketplace asks something of an order.
        case request
        /// The marketplace asks for a part of what there is to be had: of what is held, or of what was taken.
        case demand
        /// The marketplace asks for more than there is to be had.
        case excess
        /// The marketplace asks for a part of what there is to be had at the PSP in that place.
        case part(Int)
        /// Somebody does something in a PSP's portal, or a bank does.
        case portal
        /// Somebody does something in a PSP's portal that fails after all, soon after.
        case reversal
        /// The instance in that place dies; another one comes after a while.
        case death(Int)
        /// The instance in that place stands still for so many milliseconds.
        case freeze(Int, milliseconds: Int64)
        /// The clock of the instance in that place is so many milliseconds ahead from now on.
        case clock(Int, aheadMilliseconds: Int64)
        /// Something goes wrong for a while.
        case fault(SimulationFault)
        /// Somebody makes an agreement.
        case agreement
        /// A merchant charges under one.
        case charge
        /// Somebody ends one.
        case agreementEnd
        /// A PSP ends a period and reports it.
        case report
        /// The bank tells what it booked.
        case statement
        /// A copy is made of the books.
        case backup
        /// Everything dies, the books are what the last copy has, and what happened since is asked of the PSPs.
        case restore
    }

    /// Draws a plan.
    ///
    /// - Parameters:
    ///   - seed: determines all of it.
    ///   - minutes: how long things happen at the most; nil for as the seed has it.
    ///   - count: how much happens, apart from what comes with reports and coincidences; nil for as the seed has it.
    init(seed: UInt64, minutes: Int64? = nil, happenings count: Int64? = nil) {
        var dice = SeededDice(seed: seed)
        self.seed = seed
        psps = Self.psps(&dice)
        instances = dice.pick([(2, 1), (5, 2), (3, 3)])
        let isLong = dice.falls(35)
        hasHeartbeats = !isLong && dice.falls(40)
        // Where hours go by, looking every half second would be most of the work.
        let pauses: [(weight: Int, value: Int64)] =
            isLong ? [(2, 3000), (4, 20_000), (3, 60_000)] : [(3, 500), (4, 3000), (3, 20_000)]
        pollMilliseconds = dice.pick(pauses)
        isLate = dice.falls(60)
        hasBreakers = dice.falls(50)
        isImpatient = dice.falls(40)
        leaning = dice.next()
        currency = Self.currency(at: psps, &dice)
        // What takes little to happen is found as soon in small runs, whose traces are short; what takes much, in large ones.
        let drawn = dice.pick([
            (30, dice.number(in: 2...4)), (6, dice.number(in: 4...8)), (2, dice.number(in: 8...18)),
            (1, dice.number(in: 18...36)),
        ])
        let length = count ?? drawn
        let isRestored = dice.falls(20)
        let course = Course(
            psps: psps.count,
            instances: instances,
            orderLimit: max(10, Int(length) / 5),
            hasAgreements: !isRestored && dice.falls(25),
            faults: SimulationFault.Kind.some(&dice),
            restore: isRestored ? Course.restore(within: Int(length), &dice) : nil
        )
        var (happenings, at, orders) = ([Happening](), Int64(0), 0)
        for number in 0..<Int(length) {
            let gap = Self.gap(behind: happenings.last?.kind, isLong: isLong, &dice)
            // A copy tells most where something is under way.
            at += number == course.restore?.copy && dice.falls(60) ? min(gap, dice.number(in: 0...1000)) : gap
            if let minutes, at > minutes * 60_000 { break }
            let kind = course.kind(at: number, after: orders, &dice)
            if case .order = kind { orders += 1 }
            happenings.append(Happening(at: at, kind: kind, dice: dice.fork()))
        }
        let all = SimulationCoincidence.added(
            to: happenings,
            seed: seed,
            psps: psps.map { Self.twins[$0] },
            instances: instances
        )
        (settlement, self.happenings) = SettlementTerms.draw(seed, among: all)
    }

    /// One to three PSPs, somewhat more often one that repeats what it is asked twice.
    private static func psps(_ dice: inout SeededDice) -> [Int] {
        var places = twins.indices.shuffled(using: &dice)
        let isKeyless = dice.falls(30)
        if isKeyless, let first = places.firstIndex(where: { !twins[$0].takesKeys }) { places.swapAt(0, first) }
        return Array(places.prefix(dice.pick([(5, 1), (3, 2), (2, 3)])))
    }

    /// Yens, which have no smaller unit, at PSPs that all take them, or dollars.
    private static func currency(at psps: [Int], _ dice: inout SeededDice) -> Currency {
        // Accounts at Authorize.Net and Braintree have one currency, Square cannot take a part of yens, and what Worldpay's
        // webhooks say in yens is not read, because its documents disagree about the unit.
        let others: Set<DialectName> = [.authorizeNet, .braintree, .square, .worldpay]
        let takeYens = psps.allSatisfy { !others.contains(Self.twins[$0].dialect) }
        guard dice.falls(30), takeYens, let yens = Currency(code: "JPY") else { return .dollars }
        return yens
    }

    /// How long nothing happens, in milliseconds: where something goes wrong, the next often comes meanwhile.
    private static func gap(behind last: Kind?, isLong: Bool, _ dice: inout SeededDice) -> Int64 {
        let ordinary = dice.pick([
            (30, dice.number(in: 0...300)), (30, dice.number(in: 300...5000)), (20, dice.number(in: 5000...60_000)),
            (isLong ? 10 : 2, dice.number(in: 60_000...400_000)),
            (isLong ? 4 : 0, dice.number(in: 400_000...8_000_000)),
        ])
        guard let last, dice.falls(50) else { return ordinary }
        return switch last {
        case .fault(let fault): min(ordinary, fault.milliseconds / 2)
        case .freeze(_, let milliseconds): min(ordinary, milliseconds / 2)
        case .order: min(ordinary, dice.number(in: 0...3000))
        default: ordinary
        }
    }

    /// What a plan draws its happenings from.
    private struct Course {
        let psps: Int
        let instances: Int
        /// How many orders there are at the most.
        let orderLimit: Int
        let hasAgreements: Bool
        /// What goes wrong of all that can.
        let faults: [SimulationFault.Kind]
        /// Which of the happenings is a copy of the books, and which the return to it; nil if there are none.
        let restore: (copy: Int, back: Int)?

        /// Draws which of the happenings are a copy of the books and the return to it, with something before, between
        /// and behind.
        static func restore(within length: Int, _ dice: inout SeededDice) -> (copy: Int, back: Int) {
            let copy = Int.random(in: 1...max(1, length - 3), using: &dice)
            return (copy, Int.random(in: copy + 1...max(copy + 1, length - 1), using: &dice))
        }

        func kind(at number: Int, after orders: Int, _ dice: inout SeededDice) -> Kind {
            let place = Int.random(in: 0..<instances, using: &dice)
            if restore != nil, number == 0 { return .order(1) }
            if let restore, number + 1 == restore.copy, dice.falls(50) { return .order(orders + 1) }
            if number == restore?.copy { return .backup }
            if number == restore?.back { return .restore }
            // What is ordered behind the copy is lost with it, and would be paid twice: see `restore()`.
            let isOrdering = restore.map { number < $0.copy || number > $0.back } ?? true
            let orderWeight = orders == 0 ? 60 : hasAgreements ? 12 : 22
            return dice.pick([
                (isOrdering && orders < orderLimit ? orderWeight : 0, .order(orders + 1)),
                (orders > 0 ? 7 : 0, .repetition(Int.random(in: 1...max(1, orders), using: &dice))),
                (orders > 0 ? 18 : 0, .request), (orders > 0 ? 14 : 0, .portal), (5, .death(place)),
                (5, .freeze(place, milliseconds: dice.number(in: 1000...300_000))),
                (2, .clock(place, aheadMilliseconds: dice.number(in: 0...2500))),
                (26, .fault(SimulationFault(faults, psps: psps, instances: instances, &dice))),
                (hasAgreements ? 12 : 0, .agreement), (hasAgreements ? 30 : 0, .charge),
                (hasAgreements ? 7 : 0, .agreementEnd),
            ])
        }
    }
}

extension Currency {
    /// What most orders are in.
    fileprivate static var dollars: Currency {
        guard let dollars = Currency(code: "USD") else { preconditionFailure("ISO 4217 has dollars") }
        return dollars
    }
}
