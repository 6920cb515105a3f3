/// One authorization in the books, with everything that happened to it.
package struct Authorization: Hashable, Sendable {
    /// Where an authorization stands.
    ///
    /// Refunds are amounts, not a status.
    package enum Status: String, Hashable, Sendable {
        /// It is worked on.
        case pending
        /// The buyer has to visit a page.
        case requiresAction = "requires_action"
        /// The amount is held; parts of it may be taken already.
        case authorized
        /// The amount, or a part of it, is taken and the rest released.
        case captured
        /// What was held or taken is released.
        case voided
        /// The issuer, a risk rule or the buyer said no.
        case declined
        /// What was held has lapsed.
        case expired
        /// It was voided before anything was held.
        case canceled
    }

    /// How long an authorization lives unless a trigger says otherwise: 7 days, in milliseconds.
    package static let lifeMilliseconds: Int64 = 7 * 86_400_000

    /// The simulator's name for it.
    package let id: String
    /// The account it belongs to.
    package let account: String
    /// What was asked.
    package let command: AuthorizeCommand
    /// What its token tells the simulator to do.
    package let script: TokenScript
    /// When it was made, in milliseconds since 1970.
    package let createdAt: Int64

    /// Where it stands.
    package internal(set) var status = Status.pending
    /// How much was approved, in minor units.
    package internal(set) var authorized: Int64 = 0
    /// How much of it is taken, in minor units.
    package internal(set) var captured: Int64 = 0
    /// How much of it was released, in minor units.
    package internal(set) var voided: Int64 = 0
    /// How much of the capture was given back, in minor units.
    package internal(set) var refunded: Int64 = 0
    /// When what is held lapses, in milliseconds since 1970.
    package internal(set) var expiresAt: Int64?
    /// When the buyer's time is over, in milliseconds since 1970.
    package internal(set) var actionExpiresAt: Int64?
    /// When it was captured, in milliseconds since 1970.
    package internal(set) var capturedAt: Int64?
    /// Why it was declined.
    package internal(set) var decline: DeclineCode?
    /// What was asked for it; the first is the authorization itself.
    package internal(set) var operations: [Operation] = []
    /// How many requests named it, replays included.
    package internal(set) var requests = 0
    /// What the buyer's bank took back, or tried to.
    package internal(set) var disputes: [Dispute] = []
    /// How many events there have been.
    var eventCount = 0
    /// What happened and nobody has been told yet.
    var news: [BookEvent] = []

    /// What is held and neither taken nor released, in minor units.
    package var held: Int64 { status == .authorized ? authorized - captured - voided : 0 }

    /// What disputes have taken back and not returned, in minor units.
    package var chargedBack: Int64 { disputes.reduce(0) { $0 + $1.taken } }

    /// What refunds may still give back and disputes take, in minor units.
    var refundable: Int64 {
        captured - refunded - pending(.refund) - chargedBack
    }

    /// What operations of a kind that are still worked on will take or give back, in minor units.
    func pending(_ kind: OperationKind) -> Int64 {
        let open = operations.filter { $0.kind == kind && $0.status == .pending && $0.refusal == nil }
        return open.reduce(0) { $0 + $1.amount }
    }

    /// Whether it captures, or has captured, without a capture being asked for on its own.
    package var capturesAtOnce: Bool { command.capture || script.effect(of: .authorize) == .captureAtOnce }
}
