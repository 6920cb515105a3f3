/// What keeps a test from running a program of this build.
package enum ProgramFailure: Error, Hashable, Sendable {
    /// There is no such program beside the tests: `swift build --build-tests` makes it.
    case notBuilt(String)
    /// It could not be started; the system's words.
    case notStarted(String)
    /// It ended before it said what was expected; what it said instead.
    case endedEarly(RunningProgram.Ending, said: String)
    /// It did neither end nor say what was expected in time; what it said instead.
    case tooSlow(said: String)
    /// It ended, and something that it had started lived on with its output; what was said so far.
    case outlived(said: String)
}
