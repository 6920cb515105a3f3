import Domain
import Synchronization

/// Tells which cells of the table of transitions simulated orders took, and which they refused; debug builds only.
enum SimulatedTransitions {
    /// Runs something, and prints what orders were told meanwhile, if that is wanted.
    ///
    /// - Throws: what `body` throws; ``CommandFailure`` if it is wanted of a build without the table.
    static func telling<Value>(_ isWanted: Bool, _ body: () throws -> Value) throws -> Value {
        guard isWanted else { return try body() }
        #if DEBUG
        let heard = Heard()
        let value = try OrderMachine.$witness.withValue(
            { before, input, isRefused in heard.add(before, input, isRefused: isRefused) },
            operation: body
        )
        for line in heard.lines { Console.out(line) }
        return value
        #else
        throw CommandFailure.unusable("--transitions is for debug builds: this one does not watch orders")
        #endif
    }

    #if DEBUG
    /// What orders were told, by cell: how often they did it, and how often they refused.
    private final class Heard: Sendable {
        private struct Counts {
            var taken = 0
            var refused = 0
        }

        private let cells = Mutex<[OrderTransition: Counts]>([:])

        func add(_ standing: OrderStanding, _ input: OrderInput, isRefused: Bool) {
            cells.withLock { cells in
                for kind in input.kinds {
                    let cell = OrderTransition(standing, kind)
                    if isRefused {
                        cells[cell, default: Counts()].refused += 1
                    } else {
                        cells[cell, default: Counts()].taken += 1
                    }
                }
            }
        }

        /// `accepted/paid refund: 12 taken, 3 refused`, in the order of the alphabet.
        var lines: [String] {
            cells.withLock { cells in
                cells.map { "\($0.key): \($0.value.taken) taken, \($0.value.refused) refused" }.sorted()
            }
        }
    }
    #endif
}
