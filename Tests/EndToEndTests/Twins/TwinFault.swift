import Domain
import Simulation

/// What a PSP does to a payment, by its code in the table of amounts and numbers, and what has to come of it.
struct TwinFault: Sendable, CustomStringConvertible {
    /// What becomes of the payment.
    enum Fate: Sendable {
        /// It is captured in the end, once.
        case captured
        /// It is refused, and nothing of it is held.
        case refused
        /// One or the other: the PSP never got it, and cannot be asked twice.
        case either
        /// It is authorized, and its capture is refused.
        case captureRefused
    }

    let description: String
    let code: Int
    let fate: Fate
    /// Whether only a PSP can do it that answers captures before they are done.
    var needsLaterCaptures = false
    /// Whether it is played at every PSP each time: each has its own means to find out what it did.
    var isPlayedEverywhere = false

    /// Every way in which an authorization or a capture can go wrong.
    static let all = [
        TwinFault(description: "insufficient funds", code: 1, fate: .refused),
        TwinFault(description: "expired card", code: 2, fate: .refused),
        TwinFault(description: "lost or stolen", code: 4, fate: .refused),
        TwinFault(description: "suspected fraud", code: 5, fate: .refused),
        TwinFault(description: "temporary", code: 9, fate: .refused),
        TwinFault(description: "generic", code: 10, fate: .refused),
        TwinFault(description: "refused as configured", code: 101, fate: .refused),
        TwinFault(description: "told before it answers", code: 121, fate: .captured),
        TwinFault(description: "told late", code: 122, fate: .captured),
        TwinFault(description: "told twice", code: 123, fate: .captured),
        TwinFault(description: "not told", code: 124, fate: .captured),
        TwinFault(description: "timeout before", code: 202, fate: .either),
        TwinFault(description: "timeout after", code: 203, fate: .captured, isPlayedEverywhere: true),
        TwinFault(description: "500 before", code: 205, fate: .either),
        TwinFault(description: "500 after", code: 206, fate: .captured),
        TwinFault(description: "closed before", code: 207, fate: .either),
        TwinFault(description: "closed after", code: 208, fate: .captured),
        TwinFault(description: "malformed", code: 209, fate: .captured),
        TwinFault(description: "answered twice", code: 210, fate: .captured),
        TwinFault(description: "capture refused", code: 301, fate: .captureRefused),
        TwinFault(description: "capture done later", code: 302, fate: .captured, needsLaterCaptures: true),
        TwinFault(description: "capture refused later", code: 303, fate: .captureRefused, needsLaterCaptures: true),
        TwinFault(description: "capture timeout before", code: 312, fate: .captured),
        TwinFault(description: "capture timeout after", code: 313, fate: .captured),
        TwinFault(description: "capture 500 before", code: 315, fate: .captured),
        TwinFault(description: "capture 500 after", code: 316, fate: .captured),
        TwinFault(description: "capture closed before", code: 317, fate: .captured),
        TwinFault(description: "capture closed after", code: 318, fate: .captured),
        TwinFault(description: "capture malformed", code: 319, fate: .captured),
        TwinFault(description: "capture answered twice", code: 320, fate: .captured),
        TwinFault(description: "capture told before it answers", code: 321, fate: .captured),
        TwinFault(description: "capture told late", code: 322, fate: .captured),
        TwinFault(description: "capture told twice", code: 323, fate: .captured),
    ]
}
