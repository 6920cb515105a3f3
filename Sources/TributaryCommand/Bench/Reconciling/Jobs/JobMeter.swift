import Foundation
import Glibc

/// Measures what a job takes in a process of its own, apart from the making up of what it works on.
struct JobMeter {
    private let clock = ContinuousClock()
    private let startedAt: ContinuousClock.Instant
    private var excludedTime = Duration.zero
    private var excludedCPU = 0
    private let startedCPU = Self.cpuMicroseconds

    /// Begins.
    init() { startedAt = clock.now }

    /// Does something that does not count.
    mutating func excluding<Value>(_ body: () throws -> Value) rethrows -> Value {
        let (cpu, time) = (Self.cpuMicroseconds, clock.now)
        defer {
            excludedCPU += Self.cpuMicroseconds - cpu
            excludedTime += clock.now - time
        }
        return try body()
    }

    /// What the process's threads together took of the processors, in microseconds.
    var cpuMicroseconds: Int { Self.cpuMicroseconds - startedCPU - excludedCPU }

    /// How long it took, in microseconds.
    var wallMicroseconds: Int { Int((clock.now - startedAt - excludedTime) / .microseconds(1)) }

    /// The most memory that the process ever had resident, in KiB: `VmHWM` of proc(5); 0 if the system does not say.
    static var peakKibibytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return line.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }

    /// POSIX's `clock` counts in microseconds.
    private static var cpuMicroseconds: Int { Glibc.clock() }
}
