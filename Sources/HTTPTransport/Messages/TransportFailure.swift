/// Why no whole reply came, and whether the request may have reached the server all the same.
package struct TransportFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong.
    package let reason: Reason
    /// A sentence for a log: libcurl's or OpenSSL's own words, never anything of the request or the reply.
    package let message: String
    /// False only if it is certain that not one byte of the request was sent; true in every doubt.
    ///
    /// It decides between "try elsewhere" and "ask what became of it".
    package let mayHaveArrived: Bool
    /// Whether it only ever waited for a place among our own requests, so that it says nothing of the peer.
    package var onlyWaited = false

    /// Makes a failure.
    package init(_ reason: Reason, _ message: String, mayHaveArrived: Bool) {
        self.reason = reason
        self.message = message
        self.mayHaveArrived = mayHaveArrived
    }

    /// The reason, libcurl's words, and whether it may have arrived.
    package var description: String {
        "\(reason): \(message); \(mayHaveArrived ? "may have arrived" : "never sent")"
    }
}

extension TransportFailure {
    /// The kinds of failure.
    ///
    /// None of them alone says whether the request arrived: a repetition by libcurl may have failed to connect after
    /// the first try was received.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The host's name has no address, or no name server answered.
        case couldNotResolve
        /// No address accepted a connection.
        case couldNotConnect
        /// The handshake failed, or a certificate on either side was not accepted.
        case tlsFailed
        /// A time limit of the request passed, be it while waiting for a place, connecting, sending or reading.
        case timedOut
        /// The moment by which it had to be launched passed before it was.
        ///
        /// Only where libcurl was about to send it once more, on another connection, may it have arrived.
        case launchTimePassed
        /// The peer closed or reset the connection before its reply was whole.
        ///
        /// Where the connection had been used before and nothing of a reply came, libcurl repeats the request; it is
        /// this after six such connections in a row.
        case connectionClosed
        /// The reply was larger than the request or the transport allows.
        case replyTooLarge
        /// What came was not HTTP, or broke its rules.
        case malformedReply
        /// The task that asked was cancelled.
        case cancelled
        /// The URL cannot be read, or is neither `https` nor an allowed `http`, or holds a user name, or breaks another
        /// rule for URLs that strangers name.
        case refusedURL
        /// The host has no address that a stranger may name: the message says what its address is for.
        case refusedAddress
        /// A header field cannot be sent as it is, or is one that the transport writes.
        case refusedHeader
        /// The transport was stopped.
        case stopped
        /// As many requests as may wait were waiting already, altogether or in its bulkhead.
        case queueFull
        /// libcurl could not do its work, for example for want of memory.
        case transportFault
    }
}

extension DestinationRefusal {
    /// The same for whoever asked for the request, none of which was sent.
    var failure: TransportFailure {
        let reason: TransportFailure.Reason = if case .address = self { .refusedAddress } else { .refusedURL }
        return TransportFailure(reason, description, mayHaveArrived: false)
    }
}
