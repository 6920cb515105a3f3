import Foundation

/// The seeds that a run of random tests goes through.
enum Seeds {
    /// The seeds of one of several lanes that run side by side.
    ///
    /// `TRIBUTARY_SEEDS` is the number of all, and `TRIBUTARY_SEED` replays one.
    static func lane(_ lane: Int, of lanes: Int, count: UInt64) -> [UInt64] {
        if let replayed = variable("TRIBUTARY_SEED") { return lane == 0 ? [replayed] : [] }
        return (0..<(variable("TRIBUTARY_SEEDS") ?? count)).filter { Int($0 % UInt64(lanes)) == lane }
    }

    private static func variable(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
    }
}
