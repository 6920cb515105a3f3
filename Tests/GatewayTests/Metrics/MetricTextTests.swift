import Testing
import TributaryTestKit

@testable import Gateway

@Suite("The text of metrics")
struct MetricTextTests {
    private struct Word: MetricLabels {
        static let names = ["word"]

        let word: String

        var values: [String] { [word] }
    }

    private static func read(_ sources: any MetricSource...) throws -> (text: String, read: PrometheusText) {
        let registry = MetricRegistry()
        registry.add(sources)
        return (registry.text, try PrometheusText(registry.text))
    }

    @Test("escapes what has a meaning, and nothing else", arguments: ["\"", "\\", "\n", "a\\nb", "é🍉", "{}=,", ""])
    func escapes(_ word: String) throws {
        let counter = CounterFamily<Word>("a_total", "A \\ b\nc \"d\".")
        counter.increment(Word(word: word), by: 3)
        let (text, read) = try Self.read(counter)
        #expect(read.value("a_total", ["word": word]) == 3)
        #expect(text.hasPrefix("# HELP a_total A \\\\ b\\nc \"d\".\n# TYPE a_total counter\n"))
    }

    @Test("has a histogram's observations in every bucket that is large enough")
    func histogram() throws {
        let histogram = HistogramFamily<Word>("a_seconds", "A.", bounds: [0.1, 1, 10])
        for value in [0.05, 0.1, 0.5, 10, 11] { histogram.observe(value, Word(word: "x")) }
        let read = try Self.read(histogram).read
        let buckets = ["0.1", "1", "10", "+Inf"].map { read.value("a_seconds_bucket", ["word": "x", "le": $0]) }
        #expect(buckets == [2, 3, 4, 5])
        #expect(read.value("a_seconds_count", ["word": "x"]) == 5)
        #expect(abs(try #require(read.value("a_seconds_sum", ["word": "x"])) - 21.65) < 1e-9)
    }

    @Test("writes numbers as they are read", arguments: [(0.0, "0"), (-2, "-2"), (0.25, "0.25"), (1e300, "1e+300")])
    func figures(value: Double, text: String) { #expect(MetricText.figure(value) == text) }

    @Test("and those that are none")
    func noNumbers() {
        #expect([.infinity, -.infinity, .nan].map(MetricText.figure) == ["+Inf", "-Inf", "NaN"])
    }

    @Test("tells of a metric once, though somebody else comes with it")
    func replaced() throws {
        let registry = MetricRegistry()
        let (first, second) = (CounterFamily<NoLabels>("a_total", "A."), CounterFamily<NoLabels>("a_total", "B."))
        registry.add([first, LevelGauge("b", "B."), second])
        second.increment(by: 2)
        let read = try PrometheusText(registry.text)
        #expect(read.families.map(\.name) == ["a_total", "b"])
        #expect(read.value("a_total") == 2)
    }

    @Test("counts what many count at once, and no more series than it may have")
    func crowd() async throws {
        let counter = CounterFamily<Word>("a_total", "A.")
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { for number in 0..<1000 { counter.increment(Word(word: "\(number % 10)")) } }
            }
        }
        #expect((0..<10).allSatisfy { counter.value(Word(word: "\($0)")) == 800 })
        for number in 0..<20_000 { counter.increment(Word(word: "x\(number)")) }
        let read = try Self.read(counter).read
        #expect((2000...4000).contains(read.families[0].samples.count))
        #expect(counter.value(Word(word: "3")) == 800)
    }

    @Test(
        "is read strictly by the tests",
        arguments: [
            "a 1", "a 1\n", "# HELP a A.\n# TYPE a gauge\na 1\na 2\n", "# HELP a A.\n# TYPE a counter\na 1\n",
            "# HELP a A.\n# TYPE a gauge\n\n", "# HELP a A.\n# TYPE b gauge\n", "# TYPE a gauge\na 1\n",
            "# HELP a A.\n# TYPE a gauge\na{b=\"\\x\"} 1\n", "# HELP a A.\n# TYPE a gauge\na{b=\"c} 1\n",
            "# HELP a A.\n# TYPE a gauge\na{b=\"c\"} 1\na 1\n", "# HELP a A.\n# TYPE a gauge\na  1\n",
            "# HELP a A.\n# TYPE a gauge\na one\n", "# HELP a A.\n# TYPE a gauge\nb 1\n",
            "# HELP a_seconds A.\n# TYPE a_seconds histogram\na_seconds_bucket{le=\"1\"} 1\n",
        ]
    )
    func strict(_ text: String) { #expect(throws: PrometheusText.Complaint.self) { try PrometheusText(text) } }
}
