/// A strict reader of the text format of Prometheus, version 0.0.4, and of its conventions for names: what it does not
/// complain about, any scraper reads.
package struct PrometheusText: Sendable {
    /// A metric with its series.
    package struct Family: Sendable {
        /// The name.
        package let name: String
        /// `counter`, `gauge` or `histogram`.
        package let type: String
        /// What it tells.
        package let help: String
        /// Its lines.
        package fileprivate(set) var samples: [Sample] = []
    }

    /// A line with a figure.
    package struct Sample: Hashable, Sendable {
        /// The name, with a histogram's ending.
        package let name: String
        /// The labels.
        package let labels: [String: String]
        /// The figure.
        package let value: Double
    }

    /// What is wrong with a text, and in which line.
    package struct Complaint: Error, CustomStringConvertible {
        /// The sentence.
        package let description: String
    }

    /// The metrics, in their order.
    package let families: [Family]

    /// Reads a text.
    ///
    /// - Throws: ``Complaint`` about the first thing that is wrong.
    package init(_ text: String) throws {
        guard text.hasSuffix("\n"), !text.unicodeScalars.contains("\r") else {
            throw Complaint(description: "the text does not end in a line feed, or has others than that")
        }
        var families: [Family] = []
        var help: (name: String, text: String)?
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().enumerated() {
            func complain(_ text: String) -> Complaint { Complaint(description: "\(number + 1): \(text): \(line)") }
            let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
            if line.hasPrefix("# HELP ") {
                guard words.count == 4, !words[3].isEmpty, help == nil else { throw complain("no help") }
                help = (words[2], words[3])
            } else if line.hasPrefix("# TYPE ") {
                guard words.count == 4, let known = help, known.name == words[2] else { throw complain("no type") }
                guard !families.contains(where: { $0.name == known.name }) else { throw complain("said twice") }
                families.append(Family(name: known.name, type: words[3], help: known.text))
                help = nil
            } else {
                guard let last = families.indices.last, help == nil else { throw complain("a figure of nothing") }
                guard let sample = Self.sample(line) else { throw complain("cannot be read") }
                guard Self.belongs(sample.name, to: families[last]) else { throw complain("of another metric") }
                let isKnown = families[last].samples.contains { $0.name == sample.name && $0.labels == sample.labels }
                guard !isKnown else { throw complain("a series twice") }
                families[last].samples.append(sample)
            }
        }
        for family in families {
            if let problem = Self.problem(with: family) { throw Complaint(description: "\(family.name) \(problem)") }
        }
        self.families = families
    }

    /// The figure of a series; nil if there is no such series.
    package func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        families.lazy.flatMap(\.samples).first { $0.name == name && $0.labels == labels }?.value
    }

    /// Every series' name and labels.
    package var series: Set<String> {
        Set(
            families.flatMap(\.samples).map { sample in
                sample.name + "\(sample.labels.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })"
            }
        )
    }

    private static func belongs(_ name: String, to family: Family) -> Bool {
        guard family.type == "histogram" else { return name == family.name }
        return ["_bucket", "_sum", "_count"].contains { name == family.name + $0 }
    }

    private static func isName(_ text: Substring, colon: Bool) -> Bool {
        guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
        return text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
                || (colon && byte == 0x3A)
        }
    }

    private static func sample(_ line: Substring) -> Sample? {
        let name = line.prefix { $0 != "{" && $0 != " " }
        guard isName(name, colon: true) else { return nil }
        var rest = line[name.endIndex...]
        var labels: [String: String] = [:]
        if rest.first == "{" {
            rest = rest.dropFirst()
            while rest.first != "}" {
                let label = rest.prefix { $0 != "=" }
                rest = rest[label.endIndex...].dropFirst()
                guard isName(label, colon: false), !label.hasPrefix("__"), labels[String(label)] == nil,
                    rest.first == "\"", let value = unquoted(&rest)
                else { return nil }
                labels[String(label)] = value
                if rest.first == "," { rest = rest.dropFirst() } else if rest.first != "}" { return nil }
            }
            rest = rest.dropFirst()
        }
        guard rest.first == " ", let value = figure(rest.dropFirst()) else { return nil }
        return Sample(name: String(name), labels: labels, value: value)
    }

    /// Takes a text between quotation marks off the beginning.
    private static func unquoted(_ rest: inout Substring) -> String? {
        var value = ""
        var scalars = rest.unicodeScalars.dropFirst()
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\"":
                rest = Substring(scalars)
                return value
            case "\\":
                switch scalars.popFirst() {
                case "\\": value += "\\"
                case "\"": value += "\""
                case "n": value += "\n"
                default: return nil
                }
            default: value.unicodeScalars.append(scalar)
            }
        }
        return nil
    }

    private static func figure(_ text: Substring) -> Double? {
        switch text {
        case "+Inf": .infinity
        case "-Inf": -.infinity
        case "NaN": .nan
        default: text.utf8.allSatisfy { "0123456789.-+eE".utf8.contains($0) } ? Double(text) : nil
        }
    }

    /// What of a metric breaks a rule of its type, or a convention.
    private static func problem(with family: Family) -> String? {
        guard isName(Substring(family.name), colon: false) else { return "is no name" }
        let names = Set(family.samples.map { Set($0.labels.keys).subtracting(["le"]) })
        guard names.count <= 1 else { return "has series with different labels" }
        switch family.type {
        case "gauge": return family.name.hasSuffix("_total") ? "is a gauge and called a total" : nil
        case "counter":
            guard family.name.hasSuffix("_total") else { return "is a counter and not called a total" }
            return family.samples.allSatisfy { $0.value >= 0 && $0.value.isFinite } ? nil : "is below zero"
        case "histogram":
            guard family.name.hasSuffix("_seconds") else { return "is a histogram of no base unit" }
            return problem(withHistogram: family)
        default: return "has the type \(family.type)"
        }
    }

    private static func problem(withHistogram family: Family) -> String? {
        let groups = Dictionary(grouping: family.samples) { $0.labels.filter { $0.key != "le" } }
        for samples in groups.values {
            let buckets = samples.filter { $0.name.hasSuffix("_bucket") }
            let bounds = buckets.map { $0.labels["le"].flatMap { figure(Substring($0)) } ?? .nan }
            let count = samples.first { $0.name.hasSuffix("_count") }?.value
            guard bounds.last == .infinity, zip(bounds, bounds.dropFirst()).allSatisfy({ $0 < $1 }) else {
                return "has buckets out of order"
            }
            guard zip(buckets, buckets.dropFirst()).allSatisfy({ $0.value <= $1.value }) else {
                return "has buckets that shrink"
            }
            guard let last = buckets.last?.value, last == count, samples.contains(where: { $0.name.hasSuffix("_sum") })
            else { return "has another count than its last bucket, or no sum" }
        }
        return nil
    }
}
