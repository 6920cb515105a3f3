import Domain
import Gateway
import Synchronization

/// The instances that live at a time, each in its place, and those that did.
final class SimulatedInstances: Sendable {
    private struct State {
        var living: [SimulatedInstance] = []
        var dead: [SimulatedInstance] = []
        var number = 0
    }

    private let world: SimulatedWorld
    private let plan: SimulationPlan
    private let state = Mutex(State())

    init(_ world: SimulatedWorld, _ plan: SimulationPlan) {
        self.world = world
        self.plan = plan
        world.mail.deliver { [weak self, weather = world.weather] in
            guard let living = self?.state.withLock({ $0.living }), !living.isEmpty else { return nil }
            return living[Int(weather.number(in: 0...Int64(living.count - 1)))]
        }
    }

    /// The instance in a place.
    func at(_ place: Int) -> SimulatedInstance { state.withLock { $0.living[place] } }

    /// The orders of which those that live have something in hand.
    var inHand: [Order] { state.withLock { $0.living }.filter { !$0.life.isDead }.flatMap(\.gateway.inHand) }

    /// One of those that live.
    func one(_ dice: inout SeededDice) -> SimulatedInstance {
        let living = state.withLock { $0.living }
        return living[Int.random(in: 0..<living.count, using: &dice)]
    }

    /// Has the instance in a place die.
    func kill(at place: Int) { at(place).life.die() }

    /// Puts a new instance in a place, or behind the last.
    @discardableResult
    func replace(at place: Int, isHealer: Bool = false) -> SimulatedInstance {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        let instance = SimulatedInstance("\(SimulationChecks.servingPrefix)\(number)", at: place, in: world)
        world.trace.tell("\(instance.name) is born")
        state.withLock { state in
            if place < state.living.count {
                state.dead.append(state.living[place])
                state.living[place] = instance
            } else {
                state.living.append(instance)
            }
        }
        if !isHealer { instance.run(everyMilliseconds: plan.pollMilliseconds, beating: plan.hasHeartbeats) }
        return instance
    }

    /// Puts new instances in the places of the dead.
    func replaceTheDead() {
        let living = state.withLock { $0.living }
        for (place, instance) in living.enumerated() where instance.life.isDead { replace(at: place) }
    }

    /// Has all die, and one be born that carries everything to its end, which looks for what is due whenever it is told to.
    func replaceAll() -> SimulatedInstance {
        state.withLock { state in
            for instance in state.living { instance.life.die() }
            state.dead += state.living
            state.living = []
        }
        return replace(at: 0, isHealer: true)
    }

    /// Has all die.
    func killAll() { for instance in state.withLock({ $0.living }) { instance.life.die() } }

    /// Lets the tasks of all go.
    func end() {
        let all = state.withLock { $0.living + $0.dead }
        for instance in all { instance.end() }
    }
}
