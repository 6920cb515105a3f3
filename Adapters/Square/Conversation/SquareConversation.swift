import AdapterKit
import Domain

/// One call, told from its beginning with the replies that there are.
///
/// Each request of the call is answered by the next reply; the first one without a reply is what comes next. So the
/// flow of an operation is written down as it happens, and the same replies always lead to the same place.
struct SquareConversation {
    let call: Call
    let requests: SquareRequests
    /// What has not been heard yet.
    var replies: ArraySlice<SquareReply>
    /// Whether something that can move money has been answered, so that the operation may have happened.
    private(set) var mayHaveMoved = false

    /// Makes a conversation at its beginning.
    init(call: Call, requests: SquareRequests, replies: ArraySlice<SquareReply>) {
        self.call = call
        self.requests = requests
        self.replies = replies
    }

    /// The call's amount in minor units, which is how Square counts all its currencies.
    var asked: Int64 { call.money.minorUnits }

    /// What became of the call.
    mutating func outcome() throws(Halt) -> Outcome {
        guard SquareCurrency.takes(call.money.currency) else {
            return Self.rejected(.unsupported, "UNSUPPORTED_CURRENCY", "Square does not take \(call.money.currency).")
        }
        switch (call.purpose, call.kind) {
        case (.perform, .authorize(let authorization)): return try authorize(authorization)
        case (.perform, .capture(let fee, let isFinal)):
            guard isFinal else { return Self.severalCaptures }
            return try capture(applicationFee: fee)
        case (.perform, .void): return try void()
        case (.perform, .refund(let fee)): return try refund(applicationFee: fee)
        case (.inquire, .refund): return try inquireRefund()
        case (.inquire, .authorize), (.inquire, .capture), (.inquire, .void): return try inquire()
        }
    }

    /// The reply to a request.
    ///
    /// - Throws: ``Halt`` with the request if there is none yet.
    mutating func answer(to request: WireRequest) throws(Halt) -> SquareReply {
        guard let reply = replies.popFirst() else { throw .send(request) }
        mayHaveMoved = mayHaveMoved || request.canMoveMoney
        return reply
    }

    /// Why a question in between was not answered: doubt, unless nothing that can move money was sent before it.
    func lost(_ reason: String) -> Outcome {
        call.purpose == .perform && !mayHaveMoved ? .notSent(reason: reason) : .unknown(reason: reason)
    }

    /// Square has no trace of what was asked after.
    static func notFound(_ thing: String) -> Outcome {
        rejected(.notFound, "NOT_FOUND", "Square has no such \(thing).")
    }

    static func rejected(_ reason: Rejection.Reason, _ code: String, _ message: String) -> Outcome {
        .rejected(Rejection(reason, code: code, message: message))
    }

    private static let severalCaptures = rejected(
        .unsupported,
        "final_capture",
        "Square captures a payment only once."
    )
}
