import Synchronization

/// Everything of a process that has metrics, and the text that a scrape is answered.
package final class MetricRegistry: Sendable {
    private let sources = Mutex<[any MetricSource]>([])

    /// A registry without metrics.
    package init() {}

    /// Adds a source behind the others, in the place of one that has a metric of the same name.
    package func add(_ source: any MetricSource) {
        let names = Set(source.metrics.map(\.name))
        sources.withLock { sources in
            let replaced = sources.indices.filter { place in
                sources[place].metrics.contains { names.contains($0.name) }
            }
            for place in replaced.reversed() { sources.remove(at: place) }
            sources.insert(source, at: replaced.first ?? sources.count)
        }
    }

    /// Adds sources.
    package func add(_ more: [any MetricSource]) { for source in more { add(source) } }

    /// Every metric, whether it has a series yet or not.
    package var metrics: [Metric] { all.flatMap(\.metrics) }

    /// What a scrape is answered; asks nobody but this process's memory.
    package var text: String {
        var text = MetricText()
        for source in all { source.write(to: &text) }
        return text.text
    }

    private var all: [any MetricSource] { sources.withLock { $0 } }
}

/// Figures that somebody knows at any time, each written when it is asked for.
package struct CurrentFigures: MetricSource {
    /// A metric and what it is at present.
    package typealias Figure = (metric: Metric, samples: @Sendable () -> [MetricSample])

    private let figures: [Figure]

    /// Gathers figures.
    package init(_ figures: [Figure]) { self.figures = figures }

    package var metrics: [Metric] { figures.map(\.metric) }

    package func write(to text: inout MetricText) {
        for figure in figures { text.write(figure.metric, figure.samples()) }
    }
}
