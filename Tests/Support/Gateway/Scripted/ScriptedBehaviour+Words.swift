extension ScriptedBehaviour {
    /// The issuer says no.
    package static let decline = ScriptedBehaviour(.decline("insufficient_funds"))
    /// The PSP refuses the request.
    package static let refuse = ScriptedBehaviour(.refuse("configuration_error"))
    /// Provably nothing left.
    package static let neverLeft = ScriptedBehaviour(.approve, .neverLeft)
    /// It acts; nobody hears of it.
    package static let replyLost = ScriptedBehaviour(.approve, .replyLost)
    /// It never hears of it; nobody knows.
    package static let requestLost = ScriptedBehaviour(.approve, .requestLost)
    /// It acts; the reply waits for the test.
    package static let held = ScriptedBehaviour(.approve, .held)
    /// Nothing happens until the sender gives up.
    package static let silence = ScriptedBehaviour(.approve, .silence)
}
