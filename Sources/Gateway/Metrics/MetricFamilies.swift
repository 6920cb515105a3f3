import Synchronization

/// What tells the series of a metric apart; made of words that are bounded, never of what comes from outside.
///
/// It is the key of a table as it is, so that counting makes no text.
package protocol MetricLabels: Hashable, Sendable {
    /// The labels' names.
    static var names: [String] { get }
    /// The labels' values, in the order of the names.
    var values: [String] { get }
}

/// The labels of a metric that has one series.
package struct NoLabels: MetricLabels {
    package static let names: [String] = []

    /// The one series.
    package init() {}

    package var values: [String] { [] }
}

/// Something that has metrics to tell of.
package protocol MetricSource: Sendable {
    /// Its metrics, in the order in which it writes them.
    var metrics: [Metric] { get }

    /// Writes each of its metrics once; must not block.
    func write(to text: inout MetricText)
}

/// A counter for each of a bounded number of label values.
package final class CounterFamily<Labels: MetricLabels>: MetricSource {
    private let metric: Metric
    private let table: MetricTable<Labels, Int64>

    /// A counter with no series yet, or with those of `labels` at zero.
    package init(_ name: String, _ help: String, startingWith labels: [Labels] = []) {
        metric = Metric(.counter, name, labels: Labels.names, help)
        table = MetricTable(zero: 0)
        for labels in labels { table.change(labels) { _ in } }
    }

    package var metrics: [Metric] { [metric] }

    /// Counts one, or several.
    package func increment(_ labels: Labels, by count: Int64 = 1) { table.change(labels) { $0 += count } }

    /// What was counted for label values; zero if nothing was.
    package func value(_ labels: Labels) -> Int64 { table.value(labels) }

    package func write(to text: inout MetricText) {
        text.write(metric, table.all.map { MetricSample($0.key.values, $0.value) })
    }
}

extension CounterFamily<NoLabels> {
    /// A counter at zero.
    package convenience init(_ name: String, _ help: String) { self.init(name, help, startingWith: [NoLabels()]) }

    /// Counts one, or several.
    package func increment(by count: Int64 = 1) { increment(NoLabels(), by: count) }
}

/// A histogram of seconds for each of a bounded number of label values.
package final class HistogramFamily<Labels: MetricLabels>: MetricSource {
    private let metric: Metric
    private let table: MetricTable<Labels, Histogram>

    /// A histogram with no series yet.
    ///
    /// - Parameters:
    ///   - name: its name, which ends in `_seconds`.
    ///   - help: what it tells.
    ///   - bounds: the upper bounds of its buckets in seconds, ascending.
    package init(_ name: String, _ help: String, bounds: [Double]) {
        metric = Metric(.histogram, name, labels: Labels.names, help)
        table = MetricTable(zero: Histogram(bounds))
    }

    package var metrics: [Metric] { [metric] }

    /// Counts an observation, in seconds.
    package func observe(_ seconds: Double, _ labels: Labels) { table.change(labels) { $0.observe(seconds) } }

    package func write(to text: inout MetricText) {
        text.write(metric, table.all.map { (labels: $0.key.values, histogram: $0.value) })
    }
}

/// A gauge that counts what is under way.
package final class LevelGauge: MetricSource {
    private let metric: Metric
    private let level = Atomic<Int64>(0)

    /// A gauge at zero.
    package init(_ name: String, _ help: String) { metric = Metric(.gauge, name, help) }

    package var metrics: [Metric] { [metric] }

    /// The level at present.
    package var value: Int64 { level.load(ordering: .relaxed) }

    /// Something begins, or with a negative number ends.
    package func add(_ change: Int64) { level.add(change, ordering: .relaxed) }

    package func write(to text: inout MetricText) { text.write(metric, [MetricSample(value)]) }
}

/// Values by key in several parts, each with a lock of its own, so that those who count different things seldom meet.
///
/// It holds a bounded number of keys: what would be one more is not counted, so that no mistake in a label fills the memory.
private final class MetricTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private final class Part: Sendable {
        let values = Mutex<[Key: Value]>([:])
    }

    private let parts: [Part]
    private let zero: Value

    init(zero: Value) {
        self.zero = zero
        parts = (0..<MetricTableSize.parts).map { _ in Part() }
    }

    func change(_ key: Key, _ body: (inout Value) -> Void) {
        part(of: key).values.withLock { values in
            guard values[key] != nil || values.count < MetricTableSize.keysInPart else { return }
            body(&values[key, default: zero])
        }
    }

    func value(_ key: Key) -> Value { part(of: key).values.withLock { $0[key] ?? zero } }

    var all: [(key: Key, value: Value)] { parts.flatMap { $0.values.withLock { Array($0) } } }

    private func part(of key: Key) -> Part { parts[Int(UInt(bitPattern: key.hashValue) % UInt(parts.count))] }
}

/// How much a table of a metric holds.
private enum MetricTableSize {
    /// How many parts there are.
    static let parts = 8
    /// How many keys each part holds at most.
    static let keysInPart = 500
}
