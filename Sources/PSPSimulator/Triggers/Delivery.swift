/// What a trigger makes of the reply to an operation.
///
/// Deliveries that do not act strike the first request under a key (up to its first dot), and the next one is processed
/// normally, except ``never``. A repeat after a delivery that acted gets the kept result.
package enum Delivery: Hashable, Sendable {
    /// The reply is sent at once.
    case prompt
    /// It acts at once and answers so many milliseconds later; repeats wait for the same moment.
    case slow(milliseconds: Int64)
    /// It does not act and is never answered.
    case stallBefore
    /// It acts and is never answered.
    case stallAfter
    /// No request under any key acts or is ever answered.
    case never
    /// It does not act and answers 500.
    case errorBefore
    /// It acts and answers 500.
    case errorAfter
    /// It does not act and the connection is closed without a reply.
    case closeBefore
    /// It acts and the connection is closed without a reply.
    case closeAfter
    /// It acts and half of the JSON reply is sent.
    case truncate
    /// It acts and the whole reply is sent twice on the connection.
    case twice
    /// It answers as if it acted, and keeps no trace of it.
    case noTrace

    /// Whether the first request under a key is struck before anything happens.
    package var strikesBefore: Bool {
        switch self {
        case .stallBefore, .errorBefore, .closeBefore, .never: true
        case .prompt, .slow, .stallAfter, .errorAfter, .closeAfter, .truncate, .twice, .noTrace: false
        }
    }
}

extension Delivery {
    /// How long the answer takes, in milliseconds.
    var delay: Int64 {
        if case .slow(let milliseconds) = self { milliseconds } else { 0 }
    }

    /// How the request that is struck is answered.
    var handling: Handling {
        switch self {
        case .prompt, .slow, .noTrace: .answer(afterMilliseconds: delay)
        case .stallBefore, .stallAfter, .never: .stall
        case .errorBefore, .errorAfter: .serverError
        case .closeBefore, .closeAfter: .close
        case .truncate: .truncate
        case .twice: .twice
        }
    }
}
