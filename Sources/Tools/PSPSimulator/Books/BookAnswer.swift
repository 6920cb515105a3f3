/// What the books answer to a request.
package struct BookAnswer: Hashable, Sendable {
    /// What there is to say; nil if a fault came before it acted.
    package let reply: BookResult?
    /// How to say it.
    package let handling: Handling
    /// Whether the reply is the kept result of an earlier request under the same key.
    package let isReplay: Bool

    /// How long to wait for the webhooks to be taken before answering, in milliseconds; nil not to wait.
    package let webhookWait: Int64?

    init(
        _ reply: BookResult?,
        _ handling: Handling = .answer(afterMilliseconds: 0),
        isReplay: Bool = false,
        webhookWait: Int64? = nil
    ) {
        self.reply = reply
        self.handling = handling
        self.isReplay = isReplay
        self.webhookWait = webhookWait
    }
}

/// What the simulator has to say to a request, before it is made into JSON.
package enum BookResult: Hashable, Sendable {
    /// The authorization as it was when the request was processed.
    case authorization(Authorization)
    /// The operation as it was when the request was processed, and its authorization.
    case operation(BookedOperation, of: Authorization)
    /// The request was refused.
    case refusal(Refusal)

    /// The HTTP status: 201 for what was made, 402 for what was declined, else the refusal's.
    package var status: Int {
        switch self {
        case .authorization(let authorization): authorization.status == .declined ? 402 : 201
        case .operation(let operation, of: _): operation.status == .failed ? 402 : 201
        case .refusal(let refusal): refusal.status
        }
    }

    /// The authorization's identifier.
    package var authorization: String? {
        switch self {
        case .authorization(let authorization), .operation(_, of: let authorization): authorization.id
        case .refusal: nil
        }
    }

    /// Whether the result is kept under the idempotency key; a refusal is not, so the request may be sent again.
    package var isKept: Bool {
        if case .refusal = self { false } else { true }
    }
}

/// Which results a PSP keeps under an idempotency key, and how long.
package struct ResultKeeping: Hashable, Sendable {
    /// What a repeated request finds.
    package enum Kind: Hashable, Sendable {
        /// What the first one did, even if that was answered with an error.
        case effects
        /// What the first one was answered, an error on the PSP's side included, once it was begun.
        case answers
        /// What the first one was answered, if that was a success; any other request is done again.
        case successes
    }

    /// What a repeated request finds.
    package let kind: Kind
    /// How long, in milliseconds; nil for ever.
    package let milliseconds: Int64?

    /// Keeps what was done for ever.
    package static let effects = ResultKeeping(.effects)

    /// Describes what is kept.
    package init(_ kind: Kind, milliseconds: Int64? = nil) {
        self.kind = kind
        self.milliseconds = milliseconds
    }

    /// Whether what was done under a key is found again, though it was answered with an error.
    func keeps(_ delivery: Delivery) -> Bool { kind != .successes || delivery != .errorAfter }

    /// How a repeated request is answered if not with the first one's result.
    func handling(ofRepeated delivery: Delivery) -> Handling? {
        kind == .answers && delivery == .errorAfter ? .serverError : nil
    }

    /// Whether a refusal is what every repetition gets; what was wrong by itself, or met another request, is not begun.
    func keeps(_ refusal: Refusal) -> Bool {
        let isNotBegun = [401, 404].contains(refusal.status) || refusal == .inProgress || refusal == .keyMismatch
        return kind == .answers && !isNotBegun
    }

    /// Whether what came under a key at `time` is still known at `now`.
    func remembers(_ time: Int64, at now: Int64) -> Bool { milliseconds.map { now < time + $0 } ?? true }
}
