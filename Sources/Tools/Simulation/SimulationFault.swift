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
        /// The PSP acts, answers with an error of its own, and that is lost: nobody hears either.
        case errorsUnheard
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
        /// The database can be read and takes no writes, as when its disk is full.
        case writesRefused
        /// Whether a commit was done is not known: it was.
        case commitsUnknown
        /// Transactions lose against others, and are run again.
        case serialization
        /// The database takes long.
        case databaseSlow
        /// Transactions that write wait long before they begin, as behind somebody else's; what is read takes no longer.
        case writesSlow
        /// An instance has no room for requests to PSPs.
        case noRoom
        /// The endpoints of callbacks answer with errors.
        case endpointsFail
        /// The endpoints of callbacks do not answer, though some of what is sent arrives.
        case endpointsSilent

        /// Whether it is about an instance, and not about a PSP.
        var isInstances: Bool {
            switch self {
            case .databaseAway, .writesRefused, .commitsUnknown, .serialization, .databaseSlow, .writesSlow, .noRoom,
                .endpointsFail, .endpointsSilent:
                true
            default: false
            }
        }

        /// Whether it befalls requests to a PSP.
        var isRequests: Bool { SimulatedNetwork.faults.contains(self) }

        /// Some of what can go wrong, often little: the same in different places finds more than a bit of everything.
        static func some(_ dice: inout SeededDice) -> [Kind] {
            // What is brought together on purpose has dice of its own.
            let kinds = allCases.filter { ![.writesRefused, .errorsUnheard, .writesSlow].contains($0) }
            return Array(kinds.shuffled(using: &dice).prefix(dice.pick([(2, 2), (4, 4), (3, 7), (2, kinds.count)])))
        }
    }

    /// What goes wrong.
    let kind: Kind
    /// How many times in a hundred.
    let percent: Int
    /// How many it befalls, and how many it spares before, whenever they come; nil if it is over after a time.
    let count: (spared: Int, befallen: Int)?
    /// What befalls each of those again when it is sent again; nil for nothing.
    let sequel: Kind?
    /// At which PSP or instance, by its place.
    let place: Int
    /// For how long, in milliseconds.
    let milliseconds: Int64

    /// What leaves the sender of a request in doubt, though nothing was done.
    private static let before: [Kind] = [.requestsLost, .cutBefore, .errorsBefore]
    /// What leaves them in doubt when all was done.
    private static let after: [Kind] = [.repliesLost, .cutAfter, .errorsAfter, .garbled]
    /// More than a day, in milliseconds: how long an outage lasts.
    private static let outageMilliseconds: ClosedRange<Int64> = 90_000_000...130_000_000

    /// Whether it lasts longer than a doubt may before a person is told: also when nothing more goes wrong.
    var isOutage: Bool { count == nil && milliseconds >= Self.outageMilliseconds.lowerBound }

    private init(_ kind: Kind, at place: Int, _ count: (Int, Int)?, sequel: Kind?, milliseconds: Int64) {
        (self.kind, self.place, self.count, self.sequel) = (kind, place, count, sequel)
        (percent, self.milliseconds) = (100, milliseconds)
    }

    /// Draws what befalls a request that moves money, and befalls it again when it is sent again.
    static func twice(at place: Int, _ dice: inout SeededDice) -> SimulationFault {
        let (before, after) = (Self.before.randomElement(using: &dice), Self.after.randomElement(using: &dice))
        let isDoneFirst = dice.falls(45)
        let undone = dice.pick([(3, Kind.keysRefused), (1, before ?? .requestsLost)])
        return SimulationFault(
            (isDoneFirst ? after : before) ?? .unsteady,
            at: place,
            (Int(dice.pick([(4, 0), (1, 1)])), Int(dice.number(in: 1...2))),
            sequel: isDoneFirst ? undone : after,
            milliseconds: 0
        )
    }

    /// Draws a PSP's webhooks that are lost, one after the other, whenever they come.
    static func silence(at place: Int, _ dice: inout SeededDice) -> SimulationFault {
        SimulationFault(.webhooksLost, at: place, (0, Int(dice.number(in: 2...6))), sequel: nil, milliseconds: 0)
    }

    /// A PSP's next webhook is lost, whenever it comes.
    static func silence(at place: Int) -> SimulationFault {
        SimulationFault(.webhooksLost, at: place, (0, 1), sequel: nil, milliseconds: 0)
    }

    /// A PSP refuses the next requests that move money, because nobody may ask it under these keys.
    static func refusal(at place: Int) -> SimulationFault {
        SimulationFault(.keysRefused, at: place, (0, 3), sequel: nil, milliseconds: 0)
    }

    /// Draws what keeps a PSP from being heard for longer than a day.
    static func outage(psps: Int, _ dice: inout SeededDice) -> SimulationFault {
        SimulationFault(
            dice.pick([(3, .unreachable), (2, .requestsLost), (1, .errorsBefore), (1, .repliesLost)]),
            at: Int.random(in: 0..<psps, using: &dice),
            nil,
            sequel: nil,
            milliseconds: dice.number(in: outageMilliseconds)
        )
    }

    /// The database of an instance takes no writes, for as long as a webhook may take.
    static func forgetting(at instance: Int) -> SimulationFault {
        SimulationFault(.writesRefused, at: instance, nil, sequel: nil, milliseconds: 8000)
    }

    /// Whoever writes to the database of an instance waits for it, for ten minutes: much may happen between what they read
    /// and what they make of it.
    static func queue(at instance: Int) -> SimulationFault {
        SimulationFault(.writesSlow, at: instance, nil, sequel: nil, milliseconds: 600_000)
    }

    /// Draws what keeps a PSP's answer from being heard, most often an error behind what it did, for the next one or two.
    static func unheard(at place: Int, _ dice: inout SeededDice) -> SimulationFault {
        let kind = dice.pick([(9, Kind.errorsUnheard), (1, .repliesLost), (1, .cutAfter), (1, .sendersDie)])
        return SimulationFault(kind, at: place, (0, Int(dice.number(in: 1...2))), sequel: nil, milliseconds: 0)
    }

    /// Draws a fault.
    init(_ kinds: [Kind], psps: Int, instances: Int, _ dice: inout SeededDice) {
        kind = kinds[Int.random(in: 0..<kinds.count, using: &dice)]
        percent = dice.pick([(4, 100), (4, 60), (3, 30)])
        let isCounted = kind == .sendersDie || kind.isRequests && dice.falls(35)
        let most: Int64 = kind == .sendersDie ? 2 : kind == .unsteady ? 8 : 3
        count =
            isCounted ? (Int(dice.pick([(3, 0), (3, dice.number(in: 1...4))])), Int(dice.number(in: 1...most))) : nil
        sequel = nil
        place = Int.random(in: 0..<(kind.isInstances ? instances : psps), using: &dice)
        milliseconds = dice.pick([
            (4, dice.number(in: 100...3000)), (4, dice.number(in: 3000...90_000)),
            (2, dice.number(in: 90_000...900_000)),
        ])
    }

    var description: String {
        guard let count else { return "\(kind.rawValue) at \(place), \(percent) % for \(milliseconds) ms" }
        let again = sequel.map { ", and \($0.rawValue) when they are sent again" } ?? ""
        return "\(kind.rawValue) at \(place), \(count.befallen) times behind \(count.spared)\(again)"
    }
}
