extension Payment {
    /// What the buyer's bank took back, in minor units: disputes that are open or lost.
    package var chargedBack: Int64 { disputes.reduce(0) { $0 + $1.chargedBack } }

    /// What can be asked to be given back: captured, less what is refunded, being refunded or charged back.
    package var refundable: Int64 { attempts.reduce(0) { $0 + refundable(of: $1) } }

    /// What can be asked to be captured.
    package var capturable: Int64 { attempt.capturable }

    /// What of an attempt can be given back.
    func refundable(of attempt: Attempt) -> Int64 { max(0, -overrun(of: attempt)) }

    /// By how much what is given back, being given back and charged back of an attempt exceeds what is captured;
    /// below zero, what is left.
    func overrun(of attempt: Attempt) -> Int64 {
        attempt.refunded + chargedBack(of: attempt) + attempt.openRefunds - attempt.captured
    }

    private func chargedBack(of attempt: Attempt) -> Int64 {
        disputes.reduce(0) { $0 + ($1.attempt == attempt.id ? $1.chargedBack : 0) }
    }
}
