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
