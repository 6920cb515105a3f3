/// Callers that place orders one after the other, for some time.
struct OrderLoad {
    /// How many at the same time.
    let callers: Int
    /// How long.
    let seconds: Int
    /// How many orders a second in all; nil for as many as go.
    let perSecond: Double?

    /// Runs the load.
    ///
    /// With a rate, each caller keeps to a timetable, and an order's time counts from when it was due: what waits
    /// behind a slow one is not forgotten.
    ///
    /// - Throws: what `order` throws.
    func run(_ order: @escaping @Sendable () async throws -> Void) async throws -> LoadResult {
        try await run(byCaller: { _ in try await order() })
    }

    /// Runs the load as ``run(_:)`` does; each order is told the number of its caller, from 0.
    ///
    /// - Throws: what `order` throws.
    func run(byCaller order: @escaping @Sendable (Int) async throws -> Void) async throws -> LoadResult {
        let clock = ContinuousClock()
        let start = clock.now
        let end = start + .seconds(seconds)
        let pause = perSecond.map { Duration.seconds(Double(callers) / $0) }
        let latencies = try await withThrowingTaskGroup(of: [Double].self) { group in
            for caller in 0..<callers {
                group.addTask {
                    var taken: [Double] = []
                    var due = start + (pause.map { $0 * (Double(caller) / Double(callers)) } ?? .zero)
                    while clock.now < end {
                        if let pause {
                            try await clock.sleep(until: due)
                            try await order(caller)
                            taken.append((clock.now - due).milliseconds)
                            due += pause
                        } else {
                            let begin = clock.now
                            try await order(caller)
                            taken.append((clock.now - begin).milliseconds)
                        }
                    }
                    return taken
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        return LoadResult(latencies: latencies, seconds: (clock.now - start).milliseconds / 1000)
    }
}

/// What a load came to.
struct LoadResult {
    private let sorted: [Double]
    private let seconds: Double

    /// Takes each order's time in milliseconds, and how long it all took in seconds.
    init(latencies: [Double], seconds: Double) {
        sorted = latencies.sorted()
        self.seconds = seconds
    }

    /// How many orders.
    var count: Int { sorted.count }

    /// Orders a second.
    var perSecond: Double { Double(sorted.count) / seconds }

    /// The time that so many of a hundred orders did not exceed, in milliseconds.
    func percentile(_ percent: Double) -> Double { Self.percentile(percent, of: sorted) }

    /// The value that so many of a hundred sorted ones did not exceed; 0 of none.
    static func percentile(_ percent: Double, of sorted: [Double]) -> Double {
        guard !sorted.isEmpty else { return 0 }
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * percent / 100))]
    }
}

extension Duration {
    /// Milliseconds with their fraction.
    var milliseconds: Double {
        Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
    }
}
