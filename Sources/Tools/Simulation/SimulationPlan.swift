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
        psps = Array(Self.twins.indices.shuffled(using: &dice).prefix(dice.pick([(5, 1), (3, 2), (2, 3)])))
        instances = dice.pick([(2, 1), (5, 2), (3, 3)])
        let isLong = dice.falls(35)
        hasHeartbeats = !isLong && dice.falls(40)
        // Where hours go by, looking every half second would be most of the work.
        let pauses: [(weight: Int, value: Int64)] =
            isLong ? [(2, 3000), (4, 20_000), (3, 60_000)] : [(3, 500), (4, 3000), (3, 20_000)]
        pollMilliseconds = dice.pick(pauses)
        isLate = dice.falls(60)
        hasBreakers = dice.falls(50)
        currency = Self.currency(at: psps, &dice)
        let isRestored = dice.falls(20)
        let hasAgreements = !isRestored && dice.falls(25)
        var (happenings, at, orders) = ([Happening](), Int64(0), 0)
        // Most that goes wrong takes few things to happen, and many small runs find more than few large ones.
        let length = dice.pick([
            (6, dice.number(in: 4...12)), (3, dice.number(in: 12...25)), (1, dice.number(in: 25...50)),
        ])
        for _ in 0..<length {
            at += Self.gap(isLong: isLong, &dice)
            if let minutes, at > minutes * 60_000 { break }
            let kind = Self.kind(
                after: orders,
                psps: psps.count,
                instances,
                isRestored: isRestored,
                hasAgreements: hasAgreements,
                &dice
            )
            if case .order = kind { orders += 1 }
            happenings.append(Happening(at: at, kind: kind, dice: dice.fork()))
        }
        (settlement, self.happenings) = SettlementTerms.draw(seed, among: happenings)
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

    private static func gap(isLong: Bool, _ dice: inout SeededDice) -> Int64 {
        dice.pick([
            (30, dice.number(in: 0...300)), (30, dice.number(in: 300...5000)), (20, dice.number(in: 5000...60_000)),
            (isLong ? 10 : 2, dice.number(in: 60_000...400_000)),
            (isLong ? 4 : 0, dice.number(in: 400_000...8_000_000)),
        ])
    }

    private static func kind(
        after orders: Int,
        psps: Int,
        _ instances: Int,
        isRestored: Bool,
        hasAgreements: Bool,
        _ dice: inout SeededDice
    ) -> Kind {
        let place = Int.random(in: 0..<instances, using: &dice)
        return dice.pick([
            (orders < 10 ? (isRestored ? 12 : 22) : 0, .order(orders + 1)),
            (orders > 0 ? 7 : 0, .repetition(Int.random(in: 1...max(1, orders), using: &dice))),
            (18, .request), (12, .portal), (5, .death(place)),
            (5, .freeze(place, milliseconds: dice.number(in: 1000...300_000))),
            (2, .clock(place, aheadMilliseconds: dice.number(in: 0...2500))),
            (24, .fault(SimulationFault(psps: psps, instances: instances, &dice))),
            (hasAgreements ? 8 : 0, .agreement), (hasAgreements ? 14 : 0, .charge),
            (hasAgreements ? 4 : 0, .agreementEnd),
            (isRestored && orders > 0 ? 20 : 0, .backup), (isRestored && orders > 0 ? 20 : 0, .restore),
        ])
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
    }

    /// What goes wrong.
    let kind: Kind
    /// How many times in a hundred.
    let percent: Int
    /// At which PSP or instance, by its place.
    let place: Int
    /// For how long, in milliseconds.
    let milliseconds: Int64

    /// Draws a fault.
    init(psps: Int, instances: Int, _ dice: inout SeededDice) {
        kind = Kind.allCases[Int.random(in: 0..<Kind.allCases.count, using: &dice)]
        percent = dice.pick([(4, 100), (4, 60), (3, 30)])
        place = Int.random(in: 0..<(kind.isInstances ? instances : psps), using: &dice)
        milliseconds = dice.pick([
            (4, dice.number(in: 100...3000)), (4, dice.number(in: 3000...90_000)),
            (2, dice.number(in: 90_000...900_000)),
        ])
    }

    var description: String { "\(kind.rawValue) at \(place), \(percent) % for \(milliseconds) ms" }
}

/// What goes wrong at the moment.
final class SimulationWeather: Sendable {
    private struct State {
        var faults: [(fault: SimulationFault, until: Timestamp)] = []
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
        state.withLock { state in
            state.faults.removeAll { $0.until <= now }
            state.faults.append((fault, now.adding(milliseconds: fault.milliseconds)))
        }
    }

    /// Lets nothing go wrong any more.
    func clear() { state.withLock { $0.faults = [] } }

    /// Whether one of these goes wrong now at a place; the first that does.
    func strikes(_ kinds: [SimulationFault.Kind], at place: Int) -> SimulationFault.Kind? {
        let now = clock.now
        return state.withLock { state in
            for (fault, until) in state.faults
            where until > now && fault.place == place && kinds.contains(fault.kind) && state.dice.falls(fault.percent) {
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
