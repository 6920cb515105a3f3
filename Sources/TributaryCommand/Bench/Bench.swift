import ArgumentParser
import Foundation
import StrictJSON

/// `tributary bench`: the measurements of this build on this machine, as ratios within one run.
struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure, as ratios within one run on this machine.",
        subcommands: [BenchOrders.self, BenchTokens.self, BenchCallbacks.self, BenchReconcile.self, BenchOverload.self]
    )
}

/// What was measured, and which bars were missed.
struct BenchReport {
    private struct Line {
        let name: String
        let value: Double
        var bar = ""
        var isMissed = false
    }

    private var lines: [Line] = []

    /// Adds a rate with its latencies.
    mutating func add(_ result: LoadResult, _ name: String) {
        add(name, result.perSecond)
        add(result, latency: name.replacing("_per_second", with: ""))
    }

    /// Adds latencies, with what some of them may be at most in milliseconds.
    mutating func add(_ result: LoadResult, latency name: String, bars: [Double: Double] = [:]) {
        for percent in [50.0, 95, 99] {
            let (name, value) = ("\(name)_p\(Int(percent))_ms", result.percentile(percent))
            if let bar = bars[percent] { add(ratio: name, value, atMost: bar) } else { add(name, value) }
        }
    }

    /// Adds a figure.
    mutating func add(_ name: String, _ value: Double) { lines.append(Line(name: name, value: value)) }

    /// Adds a ratio that has a bar.
    mutating func add(ratio name: String, _ value: Double, atLeast bar: Double) {
        lines.append(Line(name: name, value: value, bar: ">= \(bar)", isMissed: value < bar))
    }

    /// Adds a ratio that has a bar.
    mutating func add(ratio name: String, _ value: Double, atMost bar: Double) {
        lines.append(Line(name: name, value: value, bar: "<= \(bar)", isMissed: value > bar))
    }

    /// A sentence about the bars that were missed.
    var missed: String? {
        let names = lines.filter(\.isMissed).map(\.name)
        return names.isEmpty ? nil : "missed: " + names.joined(separator: ", ")
    }

    /// The figures as rows.
    var table: Table {
        lines.reduce(into: Table("measure", "value", "bar")) { table, line in
            table.add(.text(line.name), .text(Self.rounded(line.value)), .text(line.bar))
        }
    }

    /// The figures as JSON; numbers are text with two decimal digits, since JSON numbers here are integers.
    var json: JSON {
        .object([
            .init(
                "measures",
                .array(
                    lines.map { line in
                        .object(omittingAbsent: [
                            "name": .string(line.name), "value": .number(Self.rounded(line.value)),
                            "bar": line.bar.isEmpty ? nil : .string(line.bar),
                            "met": line.bar.isEmpty ? nil : .bool(!line.isMissed),
                        ])
                    }
                )
            )
        ])
    }

    /// Two decimal digits.
    private static func rounded(_ value: Double) -> String {
        let hundredths = Int64((value * 100).rounded())
        let fraction = String(100 + hundredths % 100).dropFirst()
        return "\(hundredths / 100).\(fraction)"
    }
}

/// A folder of our own that goes away with what is in it.
struct TemporaryDirectory {
    /// Where it is.
    let path: String

    /// Makes one.
    ///
    /// - Throws: if the system's folder for temporary files cannot be written.
    init() throws {
        let name = "tributary-" + UUID().uuidString
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    /// Removes it.
    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
