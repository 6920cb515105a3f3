import Domain
import PSPSimulator
import Synchronization

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
        /// The checkout of that number asks again, under its key.
        case repetition(Int)
        /// The marketplace asks something of an order.
        case request
        /// Somebody does something in a PSP's portal, or a bank does.
        case portal
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
    init(seed: UInt64, minutes: Int64? = nil) {
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
        // Most that goes wrong takes few things to happen, and many small runs find more than few large ones.
        let length = dice.pick([
            (6, dice.number(in: 4...12)), (3, dice.number(in: 12...25)), (1, dice.number(in: 25...50)),
        ])
        let isRestored = dice.falls(20)
        let course = Course(
            psps: psps.count,
            instances: instances,
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
        (settlement, self.happenings) = SettlementTerms.draw(seed, among: happenings)
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
                (isOrdering && orders < 10 ? orderWeight : 0, .order(orders + 1)),
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

/// What goes wrong for a while.
struct SimulationFault: Sendable, CustomStringConvertible {
    /// What goes wrong.
    enum Kind: String, Sendable, CaseIterable {
        /// Requests are lost on their way; their senders wait in vain.
        case requestsLost
        /// The PSP acts, and its replies are lost.
        case repliesLost
        /// Connections cannot be made.
        case unreachable
        /// Connections are cut before the PSP acts.
        case cutBefore
        /// Connections are cut when the PSP has acted.
        case cutAfter
        /// The PSP answers with an error of its own, and does nothing.
        case errorsBefore
        /// The PSP acts, and answers with an error of its own.
        case errorsAfter
        /// Replies end in the middle.
        case garbled
        /// Requests arrive when their senders have given them up.
        case late
        /// Replies take long.
        case slow
        /// The account's keys are taken by nobody.
        case keysRefused
        /// Instances die while they wait for a reply.
        case sendersDie
        /// Each request goes wrong in a way of its own.
        case unsteady
        /// Webhooks are lost for good.
        case webhooksLost
        /// Webhooks come twice.
        case webhooksTwice
        /// Webhooks come late, and out of order.
        case webhooksLate
        /// The database cannot be reached.
        case databaseAway
        /// Whether a commit was done is not known: it was.
        case commitsUnknown
        /// Transactions lose against others, and are run again.
        case serialization
        /// The database takes long.
        case databaseSlow
        /// An instance has no room for requests to PSPs.
        case noRoom
        /// The endpoints of callbacks answer with errors.
        case endpointsFail
        /// The endpoints of callbacks do not answer, though some of what is sent arrives.
        case endpointsSilent

        /// Whether it is about an instance, and not about a PSP.
        var isInstances: Bool {
            switch self {
            case .databaseAway, .commitsUnknown, .serialization, .databaseSlow, .noRoom, .endpointsFail,
                .endpointsSilent:
                true
            default: false
            }
        }

        /// Whether it befalls requests to a PSP.
        var isRequests: Bool { SimulatedNetwork.faults.contains(self) }

        /// Some of what can go wrong, often little: the same in different places finds more than a bit of everything.
        static func some(_ dice: inout SeededDice) -> [Kind] {
            Array(allCases.shuffled(using: &dice).prefix(dice.pick([(2, 2), (4, 4), (3, 7), (2, allCases.count)])))
        }
    }

    /// What goes wrong.
    let kind: Kind
    /// How many times in a hundred.
    let percent: Int
    /// How many it befalls, and how many it spares before, whenever they come; nil if it is over after a time.
    let count: (spared: Int, befallen: Int)?
    /// At which PSP or instance, by its place.
    let place: Int
    /// For how long, in milliseconds.
    let milliseconds: Int64

    /// Draws a fault.
    init(_ kinds: [Kind], psps: Int, instances: Int, _ dice: inout SeededDice) {
        kind = kinds[Int.random(in: 0..<kinds.count, using: &dice)]
        percent = dice.pick([(4, 100), (4, 60), (3, 30)])
        let isCounted = kind == .sendersDie || kind.isRequests && dice.falls(35)
        let most: Int64 = kind == .sendersDie ? 2 : kind == .unsteady ? 8 : 3
        count =
            isCounted ? (Int(dice.pick([(3, 0), (3, dice.number(in: 1...4))])), Int(dice.number(in: 1...most))) : nil
        place = Int.random(in: 0..<(kind.isInstances ? instances : psps), using: &dice)
        milliseconds = dice.pick([
            (4, dice.number(in: 100...3000)), (4, dice.number(in: 3000...90_000)),
            (2, dice.number(in: 90_000...900_000)),
        ])
    }

    var description: String {
        guard let count else { return "\(kind.rawValue) at \(place), \(percent) % for \(milliseconds) ms" }
        return "\(kind.rawValue) at \(place), \(count.befallen) requests behind \(count.spared)"
    }
}

/// What goes wrong at the moment.
final class SimulationWeather: Sendable {
    /// What goes wrong at the moment, and for how long.
    private struct Active {
        let fault: SimulationFault
        let until: Timestamp
        /// How many it spares still.
        var spared: Int
        /// How many it befalls still; nil if it is over after a time.
        var left: Int?
    }

    /// Longer than any run: 30 days.
    private static let runMilliseconds: Int64 = 30 * 86_400_000

    private struct State {
        var faults: [Active] = []
        var dice: SeededDice
    }

    private let clock: VirtualClock
    private let state: Mutex<State>

    init(_ clock: VirtualClock, _ dice: SeededDice) {
        self.clock = clock
        state = Mutex(State(dice: dice))
    }

    /// Has something go wrong from now on.
    func begin(_ fault: SimulationFault) {
        let now = clock.now
        let until = now.adding(milliseconds: fault.count == nil ? fault.milliseconds : Self.runMilliseconds)
        let active = Active(
            fault: fault,
            until: until,
            spared: fault.count?.spared ?? 0,
            left: fault.count?.befallen
        )
        state.withLock { state in
            state.faults.removeAll { $0.until <= now || $0.left == 0 }
            state.faults.append(active)
        }
    }

    /// Lets nothing go wrong any more.
    func clear() { state.withLock { $0.faults = [] } }

    /// Lets nothing go wrong any more but what is over after a number of requests.
    func calm() { state.withLock { $0.faults.removeAll { $0.left == nil } } }

    /// Whether one of these goes wrong now at a place, with something that a fault may count; the first that does.
    func strikes(
        _ kinds: [SimulationFault.Kind],
        at place: Int,
        isCounted: Bool = true
    ) -> SimulationFault.Kind? {
        let now = clock.now
        return state.withLock { state in
            for index in state.faults.indices {
                let (active, fault) = (state.faults[index], state.faults[index].fault)
                guard active.until > now, fault.place == place, kinds.contains(fault.kind) else { continue }
                guard let left = active.left else {
                    if state.dice.falls(fault.percent) { return fault.kind }
                    continue
                }
                guard isCounted, left > 0 else { continue }
                guard active.spared == 0 else {
                    state.faults[index].spared -= 1
                    continue
                }
                state.faults[index].left = left - 1
                return fault.kind
            }
            return nil
        }
    }

    /// A number that is drawn for what is not a fault: how long a request takes.
    func number(in range: ClosedRange<Int64>) -> Int64 { state.withLock { $0.dice.number(in: range) } }

    /// One of several, each as likely as it is heavy.
    func pick<Value: Sendable>(_ weighted: [(weight: Int, value: Value)]) -> Value {
        state.withLock { $0.dice.pick(weighted) }
    }
}
