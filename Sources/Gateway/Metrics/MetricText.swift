/// A metric: what it is called, what it tells, and by which labels.
package struct Metric: Hashable, Sendable {
    /// What kind of figure it is, as Prometheus has them.
    package enum Kind: String, Hashable, Sendable {
        /// Only ever grows while the process lives.
        case counter
        /// Goes up and down.
        case gauge
        /// Observations counted by how large they were.
        case histogram
    }

    /// The kind.
    package let kind: Kind
    /// The name, with its base unit; a counter's ends in `_total`.
    package let name: String
    /// The labels' names.
    package let labels: [String]
    /// What it tells, in a sentence.
    package let help: String

    /// Makes a metric.
    package init(_ kind: Kind, _ name: String, labels: [String] = [], _ help: String) {
        self.kind = kind
        self.name = name
        self.labels = labels
        self.help = help
    }
}

/// One series of a counter or a gauge: the labels' values and the figure.
package struct MetricSample: Hashable, Sendable {
    let labels: [String]
    fileprivate let figure: String

    /// A whole number without labels.
    package init(_ value: Int64) { self.init([], value) }

    /// A whole number.
    package init(_ labels: [String], _ value: Int64) {
        self.labels = labels
        figure = String(value)
    }

    /// A number of seconds, or another that is not whole.
    package init(_ labels: [String] = [], seconds value: Double) {
        self.labels = labels
        figure = MetricText.figure(value)
    }
}

/// What a scrape is answered: the text format of Prometheus, version 0.0.4.
///
/// Source: https://prometheus.io/docs/instrumenting/exposition_formats/
package struct MetricText: Sendable {
    /// The format's media type.
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// The lines so far, each with its end.
    package private(set) var text = ""

    /// A text of nothing.
    package init() {}

    /// Writes a counter or a gauge with its series; its help and type even if it has none yet.
    package mutating func write(_ metric: Metric, _ samples: [MetricSample]) {
        head(metric)
        for sample in samples { line(metric.name, metric.labels, sample.labels, sample.figure) }
    }

    /// Writes a histogram with its series.
    mutating func write(_ metric: Metric, _ series: [(labels: [String], histogram: Histogram)]) {
        head(metric)
        let names = metric.labels + ["le"]
        for (labels, histogram) in series {
            var count: Int64 = 0
            for (index, number) in histogram.counts.enumerated() {
                count += number
                let bound = index < histogram.bounds.count ? Self.figure(histogram.bounds[index]) : "+Inf"
                line(metric.name + "_bucket", names, labels + [bound], String(count))
            }
            line(metric.name + "_sum", metric.labels, labels, Self.figure(histogram.sum))
            line(metric.name + "_count", metric.labels, labels, String(count))
        }
    }

    private mutating func head(_ metric: Metric) {
        let help = Self.escaped(metric.help, quotes: false)
        text += "# HELP \(metric.name) \(help)\n# TYPE \(metric.name) \(metric.kind.rawValue)\n"
    }

    private mutating func line(_ name: String, _ labels: [String], _ values: [String], _ figure: String) {
        precondition(labels.count == values.count, "\(name) has other labels")
        text += name
        if !labels.isEmpty {
            let pairs = zip(labels, values).map { "\($0)=\"\(Self.escaped($1, quotes: true))\"" }
            text += "{" + pairs.joined(separator: ",") + "}"
        }
        text += " " + figure + "\n"
    }

    /// Backslashes and line feeds, and in a label's value quotation marks, are escaped.
    private static func escaped(_ text: String, quotes: Bool) -> String {
        let isPlain = text.utf8.allSatisfy { $0 != 0x5C && $0 != 0x0A && !(quotes && $0 == 0x22) }
        guard !isPlain else { return text }
        return text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }

    /// A number as Go's parser reads it.
    static func figure(_ value: Double) -> String {
        guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Inf" : "+Inf" }
        let whole = value.rounded()
        return whole == value && abs(value) < 1e15 ? String(Int64(whole)) : String(value)
    }
}

/// Observations, counted by the first bound that they do not exceed; one count more is of those beyond all.
struct Histogram: Hashable, Sendable {
    let bounds: [Double]
    private(set) var counts: [Int64]
    private(set) var sum = 0.0

    /// A histogram without observations.
    init(_ bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    /// Counts an observation.
    mutating func observe(_ value: Double) {
        var index = 0
        while index < bounds.count, value > bounds[index] { index += 1 }
        counts[index] += 1
        sum += value
    }
}
