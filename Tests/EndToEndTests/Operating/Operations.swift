import Foundation

/// How much of what takes long is tried of what somebody on call may live through.
enum Operations {
    /// Whether all of it is, `TRIBUTARY_TEST_OPERATIONS=all`: a take-over from an instance that was killed (12 s), and a clock
    /// that is noticed to have been set (30 s).
    static let areAllTried = ProcessInfo.processInfo.environment["TRIBUTARY_TEST_OPERATIONS"] == "all"
}
