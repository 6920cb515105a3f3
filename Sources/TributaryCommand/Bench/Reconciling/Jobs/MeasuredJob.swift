import StrictJSON

/// What a job found, and what it took.
struct MeasuredJob {
    /// Lines of the report that were read.
    var lines: Int
    /// Processor time of all threads.
    var cpuMicroseconds: Int
    /// Time that went by.
    var wallMicroseconds: Int
    /// The most memory that its process had resident.
    var peakKibibytes: Int
    /// The breaks, as ``FoundBreak`` writes them, in order.
    var breaks: [String]

    /// Lines a second of processor time, which is lines a second on one core.
    var linesPerCoreSecond: Double { Double(lines) * 1e6 / Double(max(cpuMicroseconds, 1)) }
    /// Lines a second as time goes by.
    var linesPerSecond: Double { Double(lines) * 1e6 / Double(max(wallMicroseconds, 1)) }
    /// The peak in millions of bytes.
    var peakMegabytes: Double { Double(peakKibibytes) * 1024 / 1e6 }
}

/// As one process tells it another.
extension MeasuredJob {
    /// Reads what ``json`` wrote; nil if it is something else.
    init?(_ json: JSON) {
        func number(_ name: String) -> Int? { json[name]?.integerValue.map { Int($0) } }
        guard let lines = number("lines"), let cpu = number("cpu_microseconds"),
            let wall = number("wall_microseconds"), let peak = number("peak_kibibytes"),
            let breaks = json["breaks"]?.arrayValue
        else { return nil }
        self.init(
            lines: lines,
            cpuMicroseconds: cpu,
            wallMicroseconds: wall,
            peakKibibytes: peak,
            breaks: breaks.compactMap(\.stringValue)
        )
    }

    /// All of it.
    var json: JSON {
        .object([
            .init("lines", .integer(Int64(lines))), .init("cpu_microseconds", .integer(Int64(cpuMicroseconds))),
            .init("wall_microseconds", .integer(Int64(wallMicroseconds))),
            .init("peak_kibibytes", .integer(Int64(peakKibibytes))),
            .init("breaks", .array(breaks.map { .string($0) })),
        ])
    }
}
