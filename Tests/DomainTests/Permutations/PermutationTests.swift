import Domain
import SeededRandom
import Testing

/// What is known in the end depends on what was said, never on when, how often or in which order.
///
/// Every permutation of up to six facts, and as many as `TRIBUTARY_SEEDS` (80 unless told otherwise) with repetitions
/// and delays; `TRIBUTARY_SEED` replays one.
@Suite("Facts in any order")
struct PermutationTests {
    /// Tells everything in an order; what cannot be told yet is told again at the end, as often as anything comes of
    /// it.
    private static func ending(_ story: Story, _ said: [Hearsay], pauses: [Int64] = []) -> Ending? {
        var story = story
        var parked: [Hearsay] = []
        for (index, hearsay) in said.enumerated() {
            if index < pauses.count { story.sleep(milliseconds: pauses[index]) }
            if !hearsay.tell(&story) { parked.append(hearsay) }
        }
        while !parked.isEmpty {
            let left = parked.filter { !$0.tell(&story) }
            guard left.count < parked.count else { return nil }
            parked = left
        }
        return Ending(story)
    }

    private static func permutations<Item>(of items: [Item]) -> [[Item]] {
        guard items.count > 1 else { return [items] }
        return items.indices.flatMap { index in
            var rest = items
            let item = rest.remove(at: index)
            return permutations(of: rest).map { [item] + $0 }
        }
    }

    @Test("end in the same state, exhaustively", arguments: Situation.all + Situation.unasked)
    func exhaustively(_ situation: Situation) throws {
        let (story, said) = try situation.make()
        let expected = try #require(Self.ending(story, said), "something is never told")
        for order in Self.permutations(of: Array(said.indices)) {
            let ending = Self.ending(story, order.map { said[$0] })
            guard ending == expected else {
                Issue.record("\(order): \(ending?.differences(from: expected) ?? "something is never told")")
                return
            }
        }
    }

    @Test("end in the same state, repeated and delayed", arguments: Situation.all + Situation.unasked)
    func repeatedAndDelayed(_ situation: Situation) throws {
        let (story, said) = try situation.make()
        let expected = try #require(Self.ending(story, said), "something is never told")
        for seed in Seeds.lane(0, of: 1, count: 80) {
            var random = SeededRandom(seed: seed)
            let repeated = (0..<Int(random.number(in: 0...4))).map { _ in random.one(of: Array(said.indices)) }
            let order = (Array(said.indices) + repeated).shuffled(using: &random)
            let pauses = order.map { _ in random.chance(30) ? random.number(in: 0...3_000_000) : 0 }
            let ending = Self.ending(story, order.map { said[$0] }, pauses: pauses)
            guard ending == expected else {
                let difference = ending?.differences(from: expected) ?? "something is never told"
                Issue.record("TRIBUTARY_SEED=\(seed): \(order): \(difference)")
                return
            }
        }
    }
}
