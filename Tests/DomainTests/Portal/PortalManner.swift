import Testing

/// How a PSP goes about captures, voids and refunds, and what it tells of them.
struct PortalManner: Sendable, CustomTestStringConvertible {
    let name: String
    /// Whether a capture may leave the rest of the hold to further ones.
    var severalCaptures = false
    /// Whether a void of what was captured takes it back.
    var voidsCaptures = false
    /// Whether refusals and approvals say how much was captured in all.
    var tellsCaptured = false
    /// Whether it says of a capture whether it left the rest.
    var tellsFinal = false
    /// Whether a webhook says which of our operations it is about.
    var namesOurs = false
    /// Whether a webhook says that it is about none of ours.
    var marksOthers = false
    /// Whether what it captures and voids is called as the payment.
    var sharesName = false
    /// Whether it answers a repetition as it answered first, a refusal included.
    var repeatsAnswers = false
    /// Whether it works on what is asked of it, and says later what came of it.
    var worksOnIt = false
    /// Whether captures and refunds that it said it had done may fail after all.
    var failsAfterAll = false

    var testDescription: String { name }

    static let all = [
        PortalManner(
            name: "a PSP that tells everything but amounts in refusals",
            severalCaptures: true,
            tellsFinal: true,
            namesOurs: true,
            repeatsAnswers: true
        ),
        PortalManner(
            name: "a PSP that keeps successes alone, and says in refusals what is captured",
            severalCaptures: true,
            tellsCaptured: true,
            namesOurs: true
        ),
        PortalManner(
            name: "a PSP that captures once, and takes captures back by voids",
            voidsCaptures: true,
            namesOurs: true,
            marksOthers: true
        ),
        PortalManner(
            name: "a PSP that captures once, takes captures back by voids, and calls both as the payment",
            voidsCaptures: true,
            sharesName: true,
            failsAfterAll: true
        ),
        PortalManner(name: "a PSP that captures once and knows none of our names", repeatsAnswers: true),
        PortalManner(
            name: "a PSP that captures several times and knows none of our names",
            severalCaptures: true,
            repeatsAnswers: true
        ),
        PortalManner(
            name: "a PSP that captures once, works on everything, and has captures and refunds fail after all",
            namesOurs: true,
            repeatsAnswers: true,
            worksOnIt: true,
            failsAfterAll: true
        ),
        PortalManner(
            name: "a PSP that captures several times, works on everything, and says in refusals what is captured",
            severalCaptures: true,
            tellsCaptured: true,
            namesOurs: true,
            worksOnIt: true
        ),
        PortalManner(
            name: "a PSP that captures several times, and has captures and refunds fail after all",
            severalCaptures: true,
            tellsFinal: true,
            namesOurs: true,
            repeatsAnswers: true,
            failsAfterAll: true
        ),
    ]
}
