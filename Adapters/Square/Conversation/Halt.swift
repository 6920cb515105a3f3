import AdapterKit
import Domain

/// Ends a conversation where it is: there is something to send, or nothing more to learn.
struct Halt: Error {
    /// What comes next.
    let step: Step

    /// Sends a request, whose reply is not there yet.
    static func send(_ request: WireRequest) -> Halt { Halt(step: .send(request)) }

    /// Ends the operation.
    static func outcome(_ outcome: Outcome) -> Halt { Halt(step: .outcome(outcome)) }
}
