/// What a scripted PSP makes of one request, and what becomes of the reply.
package struct ScriptedBehaviour: Hashable, Sendable {
    /// What happens in its books.
    package enum Verdict: Hashable, Sendable {
        /// What is asked.
        case approve
        /// An authorization of less than was asked, in minor units.
        case approvePart(Int64)
        /// An authorization that captures at once, asked or not.
        case capture
        /// A decline with that code.
        case decline(String)
        /// A refusal with that code; nothing happens.
        case refuse(String)
        /// Work that is finished by the n-th inquiry.
        case pending(inquiries: Int)
        /// Work that fails by the n-th inquiry.
        case pendingFailure(inquiries: Int)
        /// A step of the buyer's that has to be taken within so many milliseconds.
        case requireAction(milliseconds: Int64)
    }

    /// How request and reply travel.
    package enum Travel: Hashable, Sendable {
        /// As they should.
        case safe
        /// The connection cannot be made, and the sender knows it.
        case neverLeft
        /// The request is lost on its way, and the sender does not know where.
        case requestLost
        /// The PSP acts; its reply is lost.
        case replyLost
        /// The PSP answers 500 without acting.
        case errorBefore
        /// The PSP acts and answers 500.
        case errorAfter
        /// The PSP acts and answers 500, which is lost.
        case errorLost
        /// The PSP acts and answers nonsense.
        case garbled
        /// The PSP acts and answers after so many milliseconds of the clock.
        case slow(milliseconds: Int64)
        /// The PSP does not act and does not answer, until the sender gives up.
        case silence
        /// The PSP acts; its reply is kept until the test lets it go.
        case held
        /// The request itself is kept on its way until the test lets it go; then the PSP acts and answers.
        case delayed
    }

    /// What happens in its books.
    package var verdict: Verdict
    /// How request and reply travel.
    package var travel: Travel

    /// Makes a behaviour.
    package init(_ verdict: Verdict = .approve, _ travel: Travel = .safe) {
        self.verdict = verdict
        self.travel = travel
    }
}
