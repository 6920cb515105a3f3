import Domain
import Synchronization

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
        /// What goes wrong: the fault's kind, or its sequel.
        var kind: SimulationFault.Kind
        /// The only request that it befalls; nil if it is no sequel.
        var request: String?
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
            left: fault.count?.befallen,
            kind: fault.kind
        )
        state.withLock { state in
            state.faults.removeAll { $0.until <= now || $0.left == 0 }
            state.faults.append(active)
        }
    }

    /// Lets nothing go wrong any more.
    func clear() { state.withLock { $0.faults = [] } }

    /// Lets nothing go wrong any more but what is over after a number of requests, and outages.
    func calm() { state.withLock { $0.faults.removeAll { $0.left == nil && !$0.fault.isOutage } } }

    /// Whether one of these goes wrong now at a place; the first that does.
    ///
    /// - Parameters:
    ///   - kinds: what can go wrong.
    ///   - place: the PSP's place, or the instance's.
    ///   - isCounted: whether a fault may count it.
    ///   - request: the request that it would befall, as it is whenever it is sent; nil if it would befall none.
    /// - Returns: what goes wrong; nil if nothing does.
    func strikes(
        _ kinds: [SimulationFault.Kind],
        at place: Int,
        isCounted: Bool = true,
        _ request: String? = nil
    ) -> SimulationFault.Kind? {
        let now = clock.now
        return state.withLock { state in
            for index in state.faults.indices {
                let (active, fault) = (state.faults[index], state.faults[index].fault)
                guard active.until > now, fault.place == place, kinds.contains(active.kind),
                    active.request == nil || active.request == request
                else { continue }
                guard let left = active.left else {
                    if state.dice.falls(fault.percent) { return active.kind }
                    continue
                }
                guard isCounted, left > 0 else { continue }
                guard active.spared == 0 else {
                    state.faults[index].spared -= 1
                    continue
                }
                state.faults[index].left = left - 1
                if let sequel = fault.sequel, let request, active.request == nil {
                    var again = active
                    (again.kind, again.request, again.left) = (sequel, request, 1)
                    state.faults.append(again)
                }
                return active.kind
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
