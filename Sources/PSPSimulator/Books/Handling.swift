/// How a request is to be answered.
package enum Handling: Hashable, Sendable {
    /// With the reply, after so many milliseconds.
    case answer(afterMilliseconds: Int64)
    /// Not at all; the connection stays open.
    case stall
    /// Not at all; the connection is closed.
    case close
    /// With 500, whatever the reply.
    case serverError
    /// With the first half of the reply.
    case truncate
    /// With the reply, twice.
    case twice
}
