import Domain

/// Drives the tasks of a run and its clock.
struct SimulationDriver {
    /// A run that never comes to its end.
    struct Restless: Error, CustomStringConvertible {
        let description = "the run has no end: something goes on for ever, or waits for what never comes"
    }

    /// More jobs than any run has that comes to its end.
    private static let jobLimit = 4_000_000

    private let clock: VirtualClock
    /// How many jobs were run.
    private(set) var jobs = 0

    init(_ clock: VirtualClock) { self.clock = clock }

    /// Lets everything happen that happens by a moment.
    mutating func go(to moment: Timestamp) throws {
        while true {
            try drain()
            guard let next = clock.next, next <= moment else { return clock.set(to: moment) }
            clock.advance()
        }
    }

    /// Lets everything go on that need not wait for a moment.
    mutating func drain() throws { while try runOne() {} }

    /// Has something done, and lets time pass until it is, or a life is over that does it.
    mutating func wait(on life: SimulatedLife? = nil, _ body: @escaping @Sendable () async -> Void) throws {
        let slot = ResultSlot<Void>()
        Task { slot.fill(.success(await body())) }
        while !slot.isFull, life?.isDead != true {
            if try runOne() { continue }
            guard clock.next != nil else { throw Restless() }
            clock.advance()
        }
    }

    /// What comes of something that waits for nothing but other tasks.
    mutating func result<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let slot = ResultSlot<Value>()
        Task {
            do { slot.fill(.success(try await body())) } catch { slot.fill(.failure(error)) }
        }
        while true {
            if slot.isFull, let content = slot.content { return try content.get() }
            guard try runOne() else { throw Restless() }
        }
    }

    private mutating func runOne() throws -> Bool {
        guard SeededScheduler.runOne() else { return false }
        jobs += 1
        if jobs > Self.jobLimit { throw Restless() }
        return true
    }
}
