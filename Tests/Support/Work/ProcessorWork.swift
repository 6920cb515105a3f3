import Glibc

/// How much work the calling thread does, by the processor's time of that thread alone.
package enum ProcessorWork {
    /// What a process does of the two texts when something else counts its instructions: `TRIBUTARY_TEST_INSTRUCTIONS` is
    /// `marks`, `ascii` or `none`.
    private static let counted: String? =
        unsafe getenv("TRIBUTARY_TEST_INSTRUCTIONS").map { unsafe String(cString: $0) }
    /// What the measure takes at least, in nanoseconds: what is refused at once is no measure of zero.
    private static let leastMeasure: Int64 = 100_000

    /// How many times as much work `subject` is as `measure`, each the least of several tries: of one, where that is less than
    /// half of what is allowed; of five times as many, where it is still more than that.
    ///
    /// Both run here and now, one after the other, so that the machine does not matter. What else runs on it does a little: a
    /// thread is charged for what a host takes from its virtual processor, and for caches that others emptied. A try says too
    /// much then, never too little. Where instructions are counted from outside only one of them runs, once, and the answer is 0.
    package static func ratio(
        of subject: () -> Void,
        to measure: () -> Void,
        tries: Int = 5,
        allowed bound: Double = HostileText.bound
    ) -> Double {
        guard counted == nil else {
            if counted == "marks" { subject() } else if counted == "ascii" { measure() }
            return 0
        }
        var least = (subject: Int64.max, measure: Int64.max)
        var ratio = Double.infinity
        for attempt in 0..<5 * tries where ratio >= (attempt < tries ? bound / 2 : bound) {
            least.measure = min(least.measure, nanoseconds(measure))
            least.subject = min(least.subject, nanoseconds(subject))
            ratio = Double(least.subject) / Double(max(least.measure, leastMeasure))
        }
        return ratio
    }

    /// The processor's time that a process has had so far, in nanoseconds; nil if there is no such process.
    package static func nanoseconds(of process: Int32) -> Int64? {
        var clock = clockid_t()
        var time = timespec()
        guard unsafe clock_getcpuclockid(process, &clock) == 0, unsafe clock_gettime(clock, &time) == 0 else {
            return nil
        }
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
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
