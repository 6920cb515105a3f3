/// What became of a request.
package enum HTTPResult: Hashable, Sendable {
    /// A whole reply came.
    case reply(HTTPReply)
    /// None came, or not a whole one.
    case failure(TransportFailure)
}
