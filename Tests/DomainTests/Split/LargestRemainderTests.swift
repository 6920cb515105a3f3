import Domain
import SeededRandom
import Testing

@Suite("Largest remainder")
struct LargestRemainderTests {
    struct Division: Sendable, CustomTestStringConvertible {
        let total: Int64
        let weights: [Int64]
        let shares: [Int64]
        var testDescription: String { "\(total) by \(weights)" }

        init(_ total: Int64, by weights: [Int64], gives shares: [Int64]) {
            (self.total, self.weights, self.shares) = (total, weights, shares)
        }
    }

    static let divisions: [Division] = [
        Division(100, by: [1, 1, 1], gives: [34, 33, 33]), Division(101, by: [1, 1, 1], gives: [34, 34, 33]),
        Division(1, by: [1, 1], gives: [1, 0]), Division(0, by: [3, 4], gives: [0, 0]),
        Division(0, by: [0, 0], gives: [0, 0]), Division(7, by: [0, 1, 0], gives: [0, 7, 0]),
        Division(10, by: [5, 3, 2], gives: [5, 3, 2]), Division(10, by: [2, 2, 3], gives: [3, 3, 4]),
        Division(3, by: [1, 2, 3, 4], gives: [0, 1, 1, 1]), Division(0, by: [], gives: []),
        Division(.max, by: [1, 1], gives: [.max / 2 + 1, .max / 2]),
        Division(.max, by: [.max, .max], gives: [.max / 2 + 1, .max / 2]),
        Division(.max, by: [.max, 1], gives: [.max - 1, 1]),
    ]

    @Test("gives each line its share, and what is left to the largest remainders, ties first", arguments: divisions)
    func gives(_ division: Division) {
        #expect(LargestRemainder.allocate(division.total, by: division.weights) == division.shares)
    }

    @Test("sums exactly, stays within one unit of the ideal, and gives nothing to a weight of zero")
    func holdsForAnyWeights() {
        var random = SeededRandom(seed: 1791)
        for _ in 0..<4000 {
            let bits = random.number(in: 1...62)
            let weights = (0..<Int(random.number(in: 1...6))).map { _ in
                random.chance(15) ? 0 : random.number(in: 1...(1 << bits))
            }
            let sum = weights.reduce(Int128(0)) { $0 + Int128($1) }
            guard sum > 0 else { continue }
            let total = random.number(in: 0...(.max >> random.number(in: 0...62)))
            let shares = LargestRemainder.allocate(total, by: weights)
            let isExact = shares.reduce(Int128(0)) { $0 + Int128($1) } == Int128(total)
            let isFair = zip(shares, weights).allSatisfy { share, weight in
                let error = Int128(share) * sum - Int128(total) * Int128(weight)
                return share >= 0 && error.magnitude < sum.magnitude && (weight > 0 || share == 0)
            }
            if !isExact || !isFair || shares != LargestRemainder.allocate(total, by: weights) {
                Issue.record("\(total) by \(weights) is \(shares)")
            }
        }
    }

    @Test("cannot divide units among weights of zero") func refusesNoWeights() async {
        await #expect(processExitsWith: .failure) { _ = LargestRemainder.allocate(1, by: [0, 0]) }
    }
}
