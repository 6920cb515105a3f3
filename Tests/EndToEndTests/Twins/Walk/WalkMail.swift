import AdapterKit
import Domain
import PSPSimulator
import SeededRandom
import Simulation
import Synchronization

/// What a PSP told and nobody has taken yet, and what it will never tell.
final class WalkMail: Sendable {
    /// A webhook on its way.
    struct Letter: Sendable {
        let number: Int
        let event: BookEvent
        let notice: WebhookNotice
        /// How often the gateway refused it.
        var refusals = 0
    }

    private struct State {
        var dice: SeededRandom
        var isFaithful = false
        var number = 0
        var waiting: [Letter] = []
        /// Those that an instance has in hand, by its name.
        var inHand: [String: [Letter]] = [:]
        var untold: Set<String> = []
        var refused: [String] = []
    }

    private let state: Mutex<State>
    /// Whether webhooks tell of what is captured, voided or refunded in the portal.
    private let tellsPortal: Bool

    init(seed: UInt64, tellsPortal: Bool) {
        state = Mutex(State(dice: SeededRandom(seed: seed &+ 77)))
        self.tellsPortal = tellsPortal
    }

    /// The payments of which something happened that no webhook tells of, by their names in the PSP's books.
    var untold: Set<String> { state.withLock { $0.untold } }

    /// What the gateway refused for good.
    var refused: [String] { state.withLock { $0.refused } }

    /// Whether nothing is on its way.
    var isEmpty: Bool { state.withLock { $0.waiting.isEmpty && $0.inHand.values.allSatisfy(\.isEmpty) } }

    /// Loses and doubles nothing any more.
    func settleDown() { state.withLock { $0.isFaithful = true } }

    /// Takes what a PSP tells: as it is, twice, or not at all.
    func take(_ event: BookEvent, _ notices: [WebhookNotice]) {
        state.withLock { state in
            let isSilent = event.announcement == .silent
            let isLost = !state.isFaithful && state.dice.chance(6)
            let isUnheard = notices.isEmpty || isSilent || isLost
            // What we asked for can be asked after; what others did cannot.
            if isUnheard ? event.isNobodysRequest : !tellsPortal && event.operation?.isPortals == true {
                state.untold.insert(event.authorization.id)
            }
            guard !isUnheard else { return }
            for notice in notices {
                let copies = event.announcement == .twice || (!state.isFaithful && state.dice.chance(8)) ? 2 : 1
                for _ in 0..<copies {
                    state.number += 1
                    state.waiting.append(Letter(number: state.number, event: event, notice: notice))
                }
            }
        }
    }

    /// The letters to deliver next: most of them in their order, some out of it, some left for later.
    func next(for instance: String, all: Bool) -> [Letter] {
        state.withLock { state in
            guard !state.waiting.isEmpty else { return [] }
            var chosen: [Letter] = []
            if all {
                (chosen, state.waiting) = (state.waiting, [])
            } else if state.dice.chance(25) {
                let index = Int.random(in: 0..<state.waiting.count, using: &state.dice)
                chosen = [state.waiting.remove(at: index)]
            } else {
                let count = min(state.waiting.count, 3)
                chosen = Array(state.waiting.prefix(count))
                state.waiting.removeFirst(count)
            }
            state.inHand[instance, default: []] += chosen
            return chosen
        }
    }

    /// Notes that a letter was taken.
    func taken(_ letter: Letter, by instance: String) {
        state.withLock { $0.inHand[instance]?.removeAll { $0.number == letter.number } }
    }

    /// A letter was not taken: it is sent again, unless it is refused for what it says.
    func returned(_ letter: Letter, by instance: String, because reason: String?) {
        state.withLock { state in
            state.inHand[instance]?.removeAll { $0.number == letter.number }
            var letter = letter
            if let reason {
                letter.refusals += 1
                guard letter.refusals < 3 else {
                    return state.refused.append("the webhook \(letter.event.type) was refused: \(reason)")
                }
            }
            state.waiting.append(letter)
        }
    }

    /// What a dead instance had in hand is sent again.
    func recover(from instance: String) {
        state.withLock { state in state.waiting += state.inHand.removeValue(forKey: instance) ?? [] }
    }
}
