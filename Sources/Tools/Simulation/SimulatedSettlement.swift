import Domain
import Gateway
import PSPSimulator
import Synchronization

/// What is settled in a run: by the PSPs, the bank, and a clerk who takes in what they tell.
final class SimulatedSettlement: Sendable {
    /// What was made wrong on purpose.
    struct Planted: Sendable {
        /// What.
        let difference: SettlementTerms.Difference
        /// The PSP account.
        let account: String
        /// The attempt that it is about; nil if it is of none that is known.
        let attempt: String?
        /// By how much the other side differs from ours, in minor units.
        let amount: Int64
    }

    struct State: Sendable {
        var psps: [ReportingPSP]
        var bank: SimulatedBank
        var planted: Planted?
        /// Letters that come later than those after them would.
        var late: [SimulatedClerk.Letter] = []
        /// The accounts of which something was undone that was in every report.
        var undone: Set<String> = []
        var letters = 0
    }

    /// How many days behind the last statement the last look is.
    static let lookDays: Int32 = 12

    let terms: SettlementTerms
    let clerk: SimulatedClerk
    private let world: SimulatedWorld
    private let state: Mutex<State>

    /// Nil if nothing is settled.
    init?(_ world: SimulatedWorld, _ plan: SimulationPlan) {
        guard let terms = plan.settlement else { return nil }
        (self.world, self.terms) = (world, terms)
        clerk = SimulatedClerk(world)
        let day = BusinessCalendar.utc.day(of: world.clock.now)
        let bank = SimulatedBank(world.currency, writesMT: terms.writesMT, on: day)
        state = Mutex(State(psps: world.lines.compactMap { ReportingPSP($0) }, bank: bank))
    }

    /// What was settled so far.
    var settled: State { state.withLock { $0 } }

    /// Whether a PSP has paid out what something in its portal would undo.
    func forbids(_ action: DashboardAction) -> Bool {
        guard [.void, .fail].contains(action.kind), case .id(let id) = action.target else { return false }
        return state.withLock { $0.psps.contains { $0.movements.contains { $0.authorization == id } } }
    }

    /// A PSP ends a period, and its report comes: at once, late, twice, with a part of it first, or cut in the middle first.
    func report(
        of place: Int,
        _ movements: [ReportingPSP.Movement],
        _ dice: inout SeededDice
    ) {
        let manner = dice.pick([(5, Manner.plain), (2, .late), (2, .twice), (3, .inPart), (3, .cut)])
        let cut = dice.number(in: 1...950)
        let day = today
        let letters = state.withLock { state -> [SimulatedClerk.Letter] in
            guard let index = state.psps.firstIndex(where: { $0.place == place }),
                state.psps[index].close(movements, on: day)
            else { return [] }
            return Self.letters(manner, cut, at: index, &state)
        }
        for letter in letters { clerk.receive(letter) }
    }

    /// How a report comes.
    private enum Manner {
        case plain, late, twice, inPart, cut
    }

    private static func letters(
        _ manner: Manner,
        _ cut: Int64,
        at index: Int,
        _ state: inout State
    ) -> [SimulatedClerk.Letter] {
        let psp = state.psps[index]
        let last = psp.periods.count - 1
        let whole = letter(psp.report(last), of: psp, last, "", &state)
        switch manner {
        case .inPart where !psp.namesBatches, .cut where !psp.namesBatches: return [whole]
        case .plain: return [whole]
        case .late:
            state.late.append(whole)
            return []
        case .twice: return [whole, letter(whole.bytes, of: psp, last, " again", &state)]
        case .inPart:
            let count = psp.periods[last].movements.count
            guard count > 1 else { return [whole] }
            return [letter(psp.report(last, first: count / 2), of: psp, last, " in part", &state), whole]
        case .cut:
            let length = max(1, whole.bytes.count * Int(cut) / 1000)
            var bytes = Array(whole.bytes.prefix(length))
            // A way of cutting that shows in nothing but the line that does not end; JSON without its last line end is whole.
            if cut % 2 == 0, whole.bytes.first.map({ $0 != UInt8(ascii: "{") && $0 != UInt8(ascii: "[") }) ?? false {
                bytes += whole.bytes.dropFirst(length).prefix { $0 != UInt8(ascii: "\n") }
            }
            // A file that ends with a line may be whole for all that anybody sees.
            while bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
            var letter = letter(bytes, of: psp, last, " cut", &state)
            letter.isCut = true
            return [letter, whole]
        }
    }

    private static func letter(
        _ bytes: [UInt8],
        of psp: ReportingPSP,
        _ place: Int,
        _ manner: String,
        _ state: inout State
    ) -> SimulatedClerk.Letter {
        state.letters += 1
        let name = "letter \(state.letters), \(psp.twin)'s period \(place + 1)\(manner)"
        return SimulatedClerk.Letter(name: name, account: "\(psp.twin)", bytes: bytes)
    }

    /// What was late comes now.
    func deliverLate() {
        for letter in state.withLock({ state in
            defer { state.late = [] }
            return state.late
        }) { clerk.receive(letter) }
    }

    /// The bank books payouts, some of them later than others, and tells it.
    func statement(_ dice: inout SeededDice) {
        let isTwice = dice.falls(30)
        let chosen = state.withLock { state in
            state.psps.indices.flatMap { psp in
                state.psps[psp].periods.indices.map { (psp: psp, period: $0) }
            }
        }
        .filter { _ in dice.falls(60) }
        tell(chosen, on: today, isTwice: isTwice)
    }

    private var today: CalendarDay { BusinessCalendar.utc.day(of: world.clock.now) }

    /// Books those payouts that are not booked yet.
    private func tell(_ payouts: [(psp: Int, period: Int)], on day: CalendarDay, isTwice: Bool, isShort: Bool = false) {
        let letters = state.withLock { state -> [SimulatedClerk.Letter] in
            var entries: [SimulatedBank.Entry] = []
            for (psp, place) in payouts where !state.psps[psp].periods[place].isPaid {
                let period = state.psps[psp].periods[place]
                var amount = state.psps[psp].paidOut(period)
                state.psps[psp].pay(place)
                guard amount != 0 else { continue }
                if isShort, state.planted == nil, amount > 1 {
                    let account = "\(state.psps[psp].twin)"
                    state.planted = Planted(difference: .shortPayout, account: account, attempt: nil, amount: -1)
                    amount -= 1
                }
                entries.append(SimulatedBank.Entry(amount: amount, reference: period.batch.payout))
            }
            let bytes = state.bank.statement(of: entries, on: day)
            state.letters += 1
            let name = "letter \(state.letters), the bank's statement \(state.bank.statements)"
            let letter = SimulatedClerk.Letter(name: name, account: nil, bytes: bytes)
            let again = SimulatedClerk.Letter(name: name + " again", account: nil, bytes: bytes)
            return isTwice ? [letter, again] : [letter]
        }
        for letter in letters { clerk.receive(letter) }
    }
}

/// The end of a run.
extension SimulatedSettlement {
    /// Every PSP settles what is left, and corrects what changed since it reported it.
    ///
    /// - Parameters:
    ///   - movements: what each PSP's books have by now, by place.
    ///   - agreed: the attempts about whose money books and PSPs agree.
    func reportAll(_ movements: [Int: [ReportingPSP.Movement]], agreed: Set<String>) {
        let day = today
        let letters = state.withLock { state -> [SimulatedClerk.Letter] in
            var (letters, dice) = ([SimulatedClerk.Letter](), terms.dice)
            for index in state.psps.indices {
                let present = movements[state.psps[index].place] ?? []
                for place in state.psps[index].correct(present) {
                    let psp = state.psps[index]
                    if psp.periods[place].isPaid || psp.periods[place].movements.isEmpty || !psp.namesBatches {
                        state.undone.insert("\(psp.twin)")
                    }
                    guard !psp.periods[place].movements.isEmpty else { continue }
                    var letter = Self.letter(psp.report(place), of: psp, place, " corrected", &state)
                    letter.isCorrection = true
                    letters.append(letter)
                }
                if state.psps[index].close(present, on: day) {
                    let last = state.psps[index].periods.count - 1
                    plant(at: index, last, agreed, &state)
                    guard !state.psps[index].periods[last].movements.isEmpty else { continue }
                    let manner = dice.pick([(4, Manner.plain), (1, .twice), (3, .inPart), (2, .cut)])
                    letters += Self.letters(manner, dice.number(in: 1...950), at: index, &state)
                }
            }
            return letters
        }
        for letter in letters { clerk.receive(letter) }
    }

    /// Makes something wrong in a period that was not reported yet, if that is meant.
    private func plant(at index: Int, _ place: Int, _ agreed: Set<String>, _ state: inout State) {
        let psp = state.psps[index]
        guard psp.tellsPayments, state.planted == nil, let first = psp.periods[place].movements.first else { return }
        let account = "\(psp.twin)"
        switch terms.difference {
        case .missingLine:
            let movements = psp.periods[place].movements
            let alone = movements.firstIndex { movement in
                movement.line.kind == .payment && agreed.contains(movement.attempt)
                    && psp.movements.count { $0.attempt == movement.attempt } == 1
            }
            guard let alone, movements.count > 1 else { return }
            let missing = movements[alone]
            state.psps[index].change(place) { $0.remove(at: alone) }
            state.planted = Planted(
                difference: .missingLine,
                account: account,
                attempt: missing.attempt,
                amount: -missing.line.amount
            )
        case .strayCharge:
            let line = ReportLine(
                .payment,
                reference: "",
                merchantAccount: "",
                payment: "stray",
                object: "stray",
                amount: 1313,
                currency: first.line.currency,
                at: first.line.at,
                settlesToMerchant: false
            )
            state.psps[index].change(place) { $0.append(.init(line: line, authorization: "", attempt: "")) }
            state.planted = Planted(difference: .strayCharge, account: account, attempt: nil, amount: 1313)
        case .shortPayout, nil: break
        }
    }

    /// The bank books all that is left, and tells it some days later.
    func closeBank() {
        let all = state.withLock { state in
            state.psps.indices.flatMap { psp in state.psps[psp].periods.indices.map { (psp: psp, period: $0) } }
        }
        let day = today.adding(days: Self.lookDays)
        tell(all, on: day, isTwice: true, isShort: terms.difference == .shortPayout)
    }

    /// Looks once more at everything, on a day on which nothing is young any more.
    func lookAgain() async { await clerk.lookAgain(asOf: today.adding(days: Self.lookDays)) }
}
