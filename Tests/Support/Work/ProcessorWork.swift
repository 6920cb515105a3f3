import Glibc

/// How much work the calling thread does, by the processor's time of that thread alone.
package enum ProcessorWork {
    /// How many times as much work `subject` is as `measure`, each the least of several tries.
    ///
    /// Both run here and now, one after the other, so that neither the machine nor what else runs on it matters.
    package static func ratio(of subject: () -> Void, to measure: () -> Void, tries: Int = 5) -> Double {
        var least = (subject: Int64.max, measure: Int64.max)
        for _ in 0..<tries {
            least.measure = min(least.measure, nanoseconds(measure))
            least.subject = min(least.subject, nanoseconds(subject))
        }
        return Double(least.subject) / Double(max(least.measure, 1))
    }

    private static func nanoseconds(_ body: () -> Void) -> Int64 {
        let start = now()
        body()
        return now() - start
    }

    private static func now() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
