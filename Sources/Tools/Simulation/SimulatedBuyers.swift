import PSPSimulator
import Synchronization

/// Buyers whom a PSP asks for a step on a page of its own: most take it, soon or at the last moment, some come when it is over, some
/// say no, and some never come.
final class SimulatedBuyers: Sendable {
    private struct State {
        var simulators: [Int: LocalSimulator] = [:]
        var dice: SeededDice
        /// How many are on their way.
        var coming = 0
    }

    /// Where what a page has to be told ends the step; elsewhere the marketplace's server would have to send it on.
    private static let pages: Set<DialectName> = [.adyen, .checkout, .simulator, .stripe]

    private let clock: VirtualClock
    private let trace: SimulationTrace
    private let state: Mutex<State>

    /// Makes the buyers of a run, with dice of their own.
    init(_ clock: VirtualClock, _ trace: SimulationTrace, _ dice: SeededDice) {
        (self.clock, self.trace) = (clock, trace)
        state = Mutex(State(dice: dice))
    }

    /// Whether any is on the way.
    var isAnyComing: Bool { state.withLock { $0.coming > 0 } }

    /// Whether a PSP of a dialect has a page on which a buyer takes a step.
    static func hasPage(_ dialect: DialectName) -> Bool { pages.contains(dialect) }

    /// Opens the pages of a PSP, if it has any.
    func visit(_ simulator: LocalSimulator, of dialect: DialectName, at place: Int) {
        guard Self.hasPage(dialect) else { return }
        state.withLock { $0.simulators[place] = simulator }
    }

    /// Closes all pages, so that nothing keeps what the run made.
    func leave() { state.withLock { $0.simulators = [:] } }

    /// Has the buyer come whom a PSP asks for a step.
    func see(_ event: BookEvent, at place: Int) {
        guard event.type == "authorization.requires_action" else { return }
        let drawn = state.withLock { state -> (simulator: LocalSimulator, milliseconds: Int64, approves: Bool)? in
            guard let simulator = state.simulators[place] else { return nil }
            let whole = event.authorization.actionExpiresAt.map { max(2000, $0 - event.at) } ?? 600_000
            let moments: [(weight: Int, value: ClosedRange<Int64>?)] = [
                (6, 500...min(whole, 60_000)), (3, whole - 1500...whole + 500), (1, whole...whole * 2), (2, nil),
            ]
            guard let moment = state.dice.pick(moments) else { return nil }
            state.coming += 1
            return (simulator, state.dice.number(in: moment), state.dice.falls(85))
        }
        guard let drawn else { return }
        let (id, trace) = (event.authorization.id, trace)
        clock.after(milliseconds: drawn.milliseconds) { [self] in
            Task {
                let isTaken = await drawn.simulator.receive(answerFor: id, approves: drawn.approves) != nil
                let manner = !isTaken ? "comes too late for" : drawn.approves ? "takes" : "refuses"
                trace.tell("the buyer \(manner) the step of \(id)")
                state.withLock { $0.coming -= 1 }
            }
        }
    }
}
