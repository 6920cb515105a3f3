package import Domain

/// An event that a PSP told by webhook, as the inbox keeps it.
package struct WebhookEntry: Hashable, Sendable {
    /// Where an event stands.
    package enum State: String, Sendable, CaseIterable {
        /// Stored, and about to be told to its order.
        case received
        /// Its order has heard it; it may have changed nothing.
        case applied
        /// It is about nothing that we know yet; it is tried again.
        case parked
        /// It was about nothing that we knew for as long as it was tried.
        case unrelated
        /// It says nothing of payments.
        case ignored
        /// It was not told to its order, or not wholly; ``WebhookEntry/problem`` says why.
        case problem

        /// Whether it waits to be told to its order.
        package var isWaiting: Bool { self == .received || self == .parked }
    }

    /// Our name for it.
    package let id: WebhookID
    /// The marketplace whose account it came to.
    package let marketplace: String
    /// The PSP.
    package let psp: String
    /// The account, as our configuration names it.
    package let account: String
    /// The PSP's name for it, unique for the account.
    package let eventID: String
    /// The kind of event, as the PSP names it.
    package let type: String
    /// When it came first.
    package let receivedAt: Timestamp
    /// The SHA-256 of the body it came in, in hexadecimal, or nothing if it was listed; the body is not kept.
    package let bodyHash: String
    /// What it says.
    package let document: WebhookDocument
    /// Where it stands.
    package private(set) var state: State
    /// Why it was not told to its order.
    package private(set) var problem: String?
    /// Its order, once found.
    package var order: OrderID?
    /// How many times it was tried in vain.
    package private(set) var attempts: Int64
    /// When it is tried next; nil once it is settled.
    package private(set) var dueAt: Timestamp?
    /// When it was settled.
    package private(set) var settledAt: Timestamp?

    /// Makes an event that just came; what there is nothing to tell of is settled at once.
    ///
    /// - Parameters:
    ///   - id: our name for it.
    ///   - account: the account it came to.
    ///   - eventID: the PSP's name for it.
    ///   - type: the kind of event.
    ///   - receivedAt: when it came.
    ///   - bodyHash: the SHA-256 of the body in hexadecimal.
    ///   - document: what it says.
    ///   - dueAt: when anybody may tell it to its order if whoever received it has not.
    package init(
        id: WebhookID,
        to account: PSPAccount,
        eventID: String,
        type: String,
        receivedAt: Timestamp,
        bodyHash: String,
        document: WebhookDocument,
        dueAt: Timestamp
    ) {
        self.init(
            id: id,
            marketplace: account.marketplace,
            psp: account.psp,
            account: account.id,
            eventID: eventID,
            type: type,
            receivedAt: receivedAt,
            bodyHash: bodyHash,
            document: document,
            state: .received,
            attempts: 0
        )
        self.dueAt = dueAt
        if let problem = document.problem {
            fail(because: problem, at: receivedAt)
        } else if document.notices.isEmpty {
            finish(.ignored, at: receivedAt)
        }
    }

    init(
        id: WebhookID,
        marketplace: String,
        psp: String,
        account: String,
        eventID: String,
        type: String,
        receivedAt: Timestamp,
        bodyHash: String,
        document: WebhookDocument,
        state: State,
        problem: String? = nil,
        order: OrderID? = nil,
        attempts: Int64,
        dueAt: Timestamp? = nil,
        settledAt: Timestamp? = nil
    ) {
        self.id = id
        self.marketplace = marketplace
        self.psp = psp
        self.account = account
        self.eventID = eventID
        self.type = type
        self.receivedAt = receivedAt
        self.bodyHash = bodyHash
        self.document = document
        self.state = state
        self.problem = problem
        self.order = order
        self.attempts = attempts
        self.dueAt = dueAt
        self.settledAt = settledAt
    }

    /// It needs no more trying.
    package mutating func finish(_ state: State, at now: Timestamp) {
        precondition(!state.isWaiting, "what waits is not settled")
        self.state = state
        problem = nil
        (dueAt, settledAt) = (nil, now)
    }

    /// It cannot be told to its order, or not wholly.
    package mutating func fail(because problem: String, at now: Timestamp) {
        finish(.problem, at: now)
        self.problem = problem
    }

    /// A person has seen to it, and it is never told to its order; why it was a problem is kept beside what is said of it.
    package mutating func dismiss(because word: String, at now: Timestamp) {
        let problem = self.problem
        finish(.ignored, at: now)
        self.problem = problem.map { "\(word) (It was: \($0))" } ?? word
    }

    /// It was tried in vain, and is tried again.
    package mutating func wait(_ state: State, until time: Timestamp) {
        precondition(state.isWaiting, "what is settled does not wait")
        self.state = state
        attempts += 1
        dueAt = time
    }
}
