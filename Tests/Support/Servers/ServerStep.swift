/// What the scripted server does next on a connection; after the last step it closes.
package enum ServerStep: Sendable {
    /// Waits until the request begins to arrive, and reads none of it.
    case awaitByte
    /// Reads to the end of the header fields.
    case readHead
    /// Reads this many bytes more.
    case read(Int)
    /// Reads a whole request and enters it in the books.
    case readRequest
    /// Writes text as it stands.
    case write(String)
    /// Writes a whole reply that keeps the connection open.
    case reply(String)
    /// Writes text again and again until the peer closes or the server is stopped, with a pause after each time.
    case writeForever(String, pauseMilliseconds: UInt32)
    /// Waits until as many connections are here as the gate wants.
    case pass(Gate)
    /// Does nothing for a while.
    case pause(milliseconds: UInt32)
    /// Waits until the peer closes or the server is stopped.
    case stall
    /// Accepts no further connection.
    case stopListening
    /// Closes so that the peer sees a reset.
    case reset

    /// A whole 200 reply.
    package static let ok = ServerStep.reply("ok")
}
