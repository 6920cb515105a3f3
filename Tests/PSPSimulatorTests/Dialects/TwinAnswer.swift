/// What a PSP answered, in words that all dialects share.
struct TwinAnswer: Sendable, CustomStringConvertible {
    /// What became of a request.
    enum Word: Hashable, Sendable {
        case authorized
        case captured
        case voided
        case refunded
        /// It is worked on.
        case pending
        /// The buyer has to do something.
        case action
        /// The issuer said no, with the PSP's code.
        case declined(String)
        /// Nothing happened because of the request, with the PSP's code.
        case refused(String)
        /// There is no such payment.
        case nothing
        /// The answer is not a whole one of the PSP's, or there is none.
        case unknown
    }

    let word: Word
    /// The PSP's name for the payment, if the answer has it.
    let payment: String?
    let reply: RawReply

    var description: String { "\(word): \(reply.text)" }

    /// Whether the issuer said no.
    var isDeclined: Bool { if case .declined = word { true } else { false } }

    /// Whether the PSP would not do it.
    var isRefused: Bool { if case .refused = word { true } else { false } }
}
