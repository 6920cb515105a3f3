import Glibc

/// The machine's clock.
enum WallClock {
    /// Microseconds since 1970, UTC.
    static func microseconds() -> Int64 {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
    }
}
