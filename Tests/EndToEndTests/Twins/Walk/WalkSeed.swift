import Foundation
import PSPSimulator
import SeededRandom
import Simulation
import TributaryTestKit

/// A walk by its number, which determines the PSP, the database, and all that happens.
struct WalkSeed: Hashable, Sendable, CustomStringConvertible {
    /// How many orders there are at the most in one walk.
    static let orders = 4
    /// How many walks at each PSP a run takes unless it is told.
    private static let shortRun = 2

    /// The number.
    let number: UInt64

    /// What replays it.
    var description: String { "TRIBUTARY_WALK_SEED=\(number)" }

    /// The PSP, by its place.
    var place: Int { Int(number % UInt64(PSPTwin.all.count)) }

    /// The database.
    var engine: DatabaseEngine {
        DatabaseEngine.allCases[Int(number / UInt64(PSPTwin.all.count)) % DatabaseEngine.allCases.count]
    }

    /// The walks of a PSP in this run: the one of `TRIBUTARY_WALK_SEED`; or as many as `TRIBUTARY_WALK` orders at each
    /// PSP need, from `TRIBUTARY_WALK_FIRST` on; or a few.
    static func all(at place: Int) -> [WalkSeed] {
        let environment = ProcessInfo.processInfo.environment
        if let number = environment["TRIBUTARY_WALK_SEED"].flatMap(UInt64.init) {
            let seed = WalkSeed(number: number)
            return seed.place == place ? [seed] : []
        }
        let wanted = environment["TRIBUTARY_WALK"].flatMap(UInt64.init)
        let count = wanted.map { ($0 + UInt64(orders) - 1) / UInt64(orders) } ?? UInt64(shortRun)
        let first = environment["TRIBUTARY_WALK_FIRST"].flatMap(UInt64.init) ?? 0
        let step = UInt64(PSPTwin.all.count)
        return (0..<count).map { WalkSeed(number: (first + $0) * step + UInt64(place)) }
    }
}

extension SeededRandom {
    /// One of several, each as likely as it is heavy.
    mutating func pick<Value>(_ weighted: [(weight: Int, value: Value)]) -> Value {
        var left = Int.random(in: 0..<weighted.reduce(0) { $0 + $1.weight }, using: &self)
        for (weight, value) in weighted {
            if left < weight { return value }
            left -= weight
        }
        preconditionFailure("the weights sum to more than is left")
    }
}
