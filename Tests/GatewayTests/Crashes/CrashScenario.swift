import AdapterKit
import Domain
import SimulatorAdapter
import TributaryTestKit

/// A checkout whose instance dies somewhere on the way, with what the PSPs do to it meanwhile.
struct CrashScenario: Sendable, CustomStringConvertible {
    let description: String
    let checkout: TestCheckout
    let behaviours: [(token: String, kind: ScriptedCall.Kind, ScriptedBehaviour)]
    /// What becomes of the order, whenever the instance dies.
    let status: OrderStatus
    let states: [PaymentState]

    static let all = [
        CrashScenario(
            description: "all are approved and captured",
            checkout: checkout(),
            behaviours: [],
            status: .paid,
            states: [.captured, .captured, .captured]
        ),
        CrashScenario(
            description: "one is declined, the others are voided",
            checkout: checkout(),
            behaviours: [("tok_hotel", .authorize, .decline)],
            status: .failed,
            states: [.voided, .declined, .voided]
        ),
        CrashScenario(
            description: "one is captured at once and given back",
            checkout: checkout(),
            behaviours: [
                ("tok_airline", .authorize, ScriptedBehaviour(.capture)), ("tok_hotel", .authorize, .decline),
            ],
            status: .failed,
            states: [.captured, .declined, .voided]
        ),
        CrashScenario(
            description: "best effort without one, replies lost on the way",
            checkout: checkout(.required(["airline"])),
            behaviours: [
                ("tok_airline", .authorize, .replyLost), ("tok_hotel", .authorize, .decline),
                ("tok_taxi", .capture, .requestLost),
            ],
            status: .partiallyPaid,
            states: [.captured, .declined, .captured]
        ),
    ]

    private static func checkout(_ policy: Policy = .allOrNothing) -> TestCheckout {
        var checkout = TestCheckout.trip
        checkout.policy = policy
        checkout.onDeadline = .continue
        return checkout
    }
}
