import Domain
import TributaryTestKit

/// What the PSPs do to the parts of a trip, and what has to become of the order.
struct PolicyCase: Sendable, CustomStringConvertible {
    let description: String
    let policy: Policy
    let capture: OrderTerms.Capture
    let behaviours: [String: ScriptedBehaviour]
    let status: OrderStatus
    let reason: Decision.Reason
    let states: [PaymentState]

    private init(
        _ description: String,
        _ policy: Policy,
        capture: OrderTerms.Capture = .automatic,
        _ behaviours: [String: ScriptedBehaviour],
        _ status: OrderStatus,
        because reason: Decision.Reason = .policySatisfied,
        _ states: [PaymentState]
    ) {
        self.description = description
        self.policy = policy
        self.capture = capture
        self.behaviours = behaviours
        self.status = status
        self.reason = reason
        self.states = states
    }

    private static let paid: [PaymentState] = [.captured, .captured, .captured]
    private static let authorized: [PaymentState] = [.authorized, .authorized, .authorized]
    private static let noHotel: [PaymentState] = [.voided, .declined, .voided]

    static let all =
        everythingOrNothing + whatThereIs + [
            PolicyCase(
                "the required one is there",
                .required(["airline"]),
                ["tok_taxi": .decline],
                .partiallyPaid,
                [.captured, .captured, .declined]
            ),
            PolicyCase(
                "the required one is missing",
                .required(["airline"]),
                ["tok_airline": .decline],
                .failed,
                because: .policyUnsatisfiable,
                [.declined, .voided, .voided]
            ),
            PolicyCase(
                "the required ones are there, captured by hand",
                .required(["airline", "taxi"]),
                capture: .manual,
                ["tok_hotel": .decline],
                .authorized,
                [.authorized, .declined, .authorized]
            ),
            PolicyCase(
                "the minimum is reached",
                .minimum(31_999),
                ["tok_hotel": .decline],
                .partiallyPaid,
                [.captured, .declined, .captured]
            ),
            PolicyCase(
                "the minimum is missed by one unit",
                .minimum(32_000),
                ["tok_hotel": .decline],
                .failed,
                because: .policyUnsatisfiable,
                noHotel
            ),
            PolicyCase("the minimum is all, by hand", .minimum(46_999), capture: .manual, [:], .authorized, authorized),
        ]

    private static let everythingOrNothing = [
        PolicyCase("all or nothing: all", .allOrNothing, [:], .paid, paid),
        PolicyCase(
            "all or nothing: all, captured by hand",
            .allOrNothing,
            capture: .manual,
            [:],
            .authorized,
            authorized
        ),
        PolicyCase(
            "all or nothing: one declined",
            .allOrNothing,
            ["tok_hotel": .decline],
            .failed,
            because: .policyUnsatisfiable,
            noHotel
        ),
        PolicyCase(
            "all or nothing: one declined, captured by hand",
            .allOrNothing,
            capture: .manual,
            ["tok_hotel": .decline],
            .failed,
            because: .policyUnsatisfiable,
            noHotel
        ),
        PolicyCase(
            "all or nothing: one refused by the PSP",
            .allOrNothing,
            ["tok_hotel": .refuse],
            .failed,
            because: .policyUnsatisfiable,
            [.voided, .rejected, .voided]
        ),
        PolicyCase(
            "all or nothing: one never sent",
            .allOrNothing,
            ["tok_hotel": .neverLeft],
            .failed,
            because: .policyUnsatisfiable,
            [.voided, .notSent, .voided]
        ),
        PolicyCase(
            "all or nothing: one approved for less",
            .allOrNothing,
            ["tok_hotel": ScriptedBehaviour(.approvePart(14_999))],
            .failed,
            because: .policyUnsatisfiable,
            noHotel
        ),
        PolicyCase(
            "all or nothing: one worked on for a while",
            .allOrNothing,
            ["tok_hotel": ScriptedBehaviour(.pending(inquiries: 1))],
            .paid,
            paid
        ),
        PolicyCase(
            "all or nothing: one worked on in vain",
            .allOrNothing,
            ["tok_hotel": ScriptedBehaviour(.pendingFailure(inquiries: 1))],
            .failed,
            because: .policyUnsatisfiable,
            noHotel
        ),
    ]

    private static let whatThereIs = [
        PolicyCase("best effort: all", .bestEffort, [:], .paid, paid),
        PolicyCase("best effort: all, captured by hand", .bestEffort, capture: .manual, [:], .authorized, authorized),
        PolicyCase(
            "best effort: one declined",
            .bestEffort,
            ["tok_hotel": .decline],
            .partiallyPaid,
            [.captured, .declined, .captured]
        ),
        PolicyCase(
            "best effort: one declined, captured by hand",
            .bestEffort,
            capture: .manual,
            ["tok_hotel": .decline],
            .authorized,
            [.authorized, .declined, .authorized]
        ),
        PolicyCase(
            "best effort: one approved for less, which is given up",
            .bestEffort,
            capture: .manual,
            ["tok_hotel": ScriptedBehaviour(.approvePart(1))],
            .authorized,
            [.authorized, .declined, .authorized]
        ),
        PolicyCase(
            "best effort: all declined",
            .bestEffort,
            ["tok_airline": .decline, "tok_hotel": .decline, "tok_taxi": .decline],
            .failed,
            because: .policyUnsatisfiable,
            [.declined, .declined, .declined]
        ),
    ]
}
