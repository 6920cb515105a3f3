import Domain
import Gateway
import Testing
import TributaryTestKit

/// An operation at a PSP, and how an order comes to it; one line for each there is.
struct FaultedOperation: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What the PSP is asked.
    let kind: ScriptedCall.Kind
    /// When the order takes money.
    let capture: OrderTerms.Capture
    /// What is asked of the placed order, one after the other.
    let requests: [OrderRequest]
    /// Whether what is captured has not settled, so that the PSP undoes it instead of giving it back.
    let isUnsettled: Bool

    static let all = [
        FaultedOperation("authorize", .authorize, .automatic),
        FaultedOperation("capture", .capture, .manual, [.capture(.whole)]),
        FaultedOperation("void", .void, .manual, [.cancel]),
        FaultedOperation("refund", .refund, .automatic, [.refund(RefundRequest(.all))]),
        FaultedOperation("reverse", .void, .automatic, [.refund(RefundRequest(.all))], isUnsettled: true),
    ]

    private init(
        _ name: String,
        _ kind: ScriptedCall.Kind,
        _ capture: OrderTerms.Capture,
        _ requests: [OrderRequest] = [],
        isUnsettled: Bool = false
    ) {
        testDescription = name
        self.kind = kind
        self.capture = capture
        self.requests = requests
        self.isUnsettled = isUnsettled
    }

    /// Where an order and the PSP's books of it end.
    struct Ending: Hashable {
        var status: OrderStatus
        var payments: [PaymentState]
        var amounts: [Int64]
        var booked: [[Int64]]
        var attention: [Attention.Reason]
    }

    /// Lives through it with an order of an airline and a hotel whose tokens end in `name`.
    func ending(_ name: String, _ fault: Fault?, times: Int, in harness: GatewayHarness) async throws -> Ending {
        let tokens = ["tok_airline_\(name)", "tok_hotel_\(name)"]
        var checkout = TestCheckout([
            .init("airline", 30_000, token: tokens[0]), .init("hotel", 15_000, token: tokens[1]),
        ])
        checkout.capture = capture
        checkout.onDeadline = .continue
        for _ in 0..<(fault == nil ? 0 : times) {
            if let fault { await harness.psp.script(tokens[0], kind, fault.behaviour) }
        }
        let instance = harness.instance(name)
        return try await instance.driving {
            let id = try await instance.place(checkout, key: name).order
            _ = try await harness.orderAtRest(id)
            if isUnsettled { for token in tokens { await harness.psp.unsettle(token) } }
            for request in requests {
                _ = try await instance.gateway.request(request, of: .init(id, of: "travel"))
                _ = try await harness.orderAtRest(id)
            }
            let order = try await harness.orderAtRest(id)
            let books = await harness.psp.authorizations.filter { tokens.contains($0.token) }
            return Ending(
                status: order.status,
                payments: order.payments.map(\.state),
                amounts: [order.captured, order.refunded, order.payments.reduce(0) { $0 + $1.held }],
                booked: books.sorted { $0.token < $1.token }
                    .map { [$0.authorized, $0.held, $0.captured, $0.voided, $0.refunded, Int64($0.captures)] },
                attention: order.attention.map(\.reason)
            )
        }
    }
}

/// What goes wrong between asking a PSP and knowing.
enum Fault: String, CaseIterable, Sendable {
    case neverLeft, requestLost, replyLost, errorBefore, errorAfter, garbled, slow, pending

    var behaviour: ScriptedBehaviour {
        switch self {
        case .neverLeft: .neverLeft
        case .requestLost: .requestLost
        case .replyLost: .replyLost
        case .errorBefore: ScriptedBehaviour(.approve, .errorBefore)
        case .errorAfter: ScriptedBehaviour(.approve, .errorAfter)
        case .garbled: ScriptedBehaviour(.approve, .garbled)
        case .slow: ScriptedBehaviour(.approve, .slow(milliseconds: 30))
        case .pending: ScriptedBehaviour(.pending(inquiries: 2))
        }
    }
}
