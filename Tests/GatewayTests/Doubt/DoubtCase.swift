import TributaryTestKit

/// One way in which what became of a request is left in doubt, and how many requests that takes to find out.
struct DoubtCase: Sendable, CustomStringConvertible {
    let description: String
    let behaviour: ScriptedBehaviour

    static let all = [
        DoubtCase(description: "its reply is lost", behaviour: .replyLost),
        DoubtCase(description: "it is lost on its way", behaviour: .requestLost),
        DoubtCase(description: "it is answered 500 and acted on", behaviour: ScriptedBehaviour(.approve, .errorAfter)),
        DoubtCase(
            description: "it is answered 500 and not acted on",
            behaviour: ScriptedBehaviour(.approve, .errorBefore)
        ),
        DoubtCase(description: "its reply is garbled", behaviour: ScriptedBehaviour(.approve, .garbled)),
    ]
}
