import Domain
import Testing

/// What an order lives through after its checkout.
extension Story {
    static let anyAbility = CaptureAbility(partial: true, multiple: true)

    /// An accepted order under manual capture, everything held.
    static func accepted(_ checkout: Checkout) throws -> Story {
        var checkout = checkout
        checkout.capture = .manual
        var story = try Story(checkout)
        for index in checkout.amounts.indices { story.approve(index) }
        #expect(story.order.decision.state == .accepted)
        return story
    }

    /// An accepted order, everything captured.
    static func captured(_ checkout: Checkout = Checkout()) throws -> Story {
        var story = try Story(checkout)
        for index in checkout.amounts.indices { story.approve(index) }
        if checkout.capture == .manual {
            try story.request { (machine) throws(RequestRefusal) in try machine.captureAll() }
        }
        for index in checkout.amounts.indices { try story.succeed(.capture, index) }
        #expect(story.order.status == .paid)
        return story
    }

    /// Leaves the authorization of a payment in doubt, has it sent again, and answers its identifier.
    mutating func sendAuthorizationTwice(of index: Int) -> OperationID {
        let id = order.payments[index].attempt.authorization.id
        report(.timedOut, of: id)
        sleep(milliseconds: 1000)
        let isClaimed = claim(id, by: "one")
        step { machine in
            let lease = machine.order.payments[index].attempt.authorization.leases
            let isSent = machine.recordSending(of: id, underLease: lease, isAnew: false)
            #expect(isClaimed && isSent)
        }
        return id
    }

    /// Asks for something, held to the same rules as every other step.
    mutating func request(_ body: (inout OrderMachine) throws(RequestRefusal) -> Void) throws(RequestRefusal) {
        var refusal: RequestRefusal?
        step { machine in
            do throws(RequestRefusal) { try body(&machine) } catch { refusal = error }
        }
        if let refusal { throw refusal }
    }

    /// The refusal of a request, which must not have changed anything; nil if it was not refused.
    mutating func refusal(_ body: (inout OrderMachine) throws(RequestRefusal) -> Void) -> RequestRefusal? {
        let (before, told) = (order, events.count)
        do throws(RequestRefusal) {
            try request(body)
            return nil
        } catch {
            #expect(order == before)
            #expect(events.count == told)
            return error
        }
    }

    /// Asks for a capture.
    mutating func capture(
        _ request: CaptureRequest = .whole,
        ability: CaptureAbility = anyAbility
    ) throws(RequestRefusal) {
        try self.request { (machine) throws(RequestRefusal) in try machine.capture(request) { _ in ability } }
    }

    /// A capture of amounts of payments, by index.
    func items(_ amounts: [(Int, Int64?)], isFinal: Bool = true) -> CaptureRequest {
        .items(amounts.map { CaptureRequest.Item(payment: order.payments[$0].id, amount: $1, isFinal: isFinal) })
    }

    /// Asks for a refund.
    mutating func refund(
        _ share: RefundRequest.Share,
        borneBy: Refund.Bearer = .merchant
    ) throws(RequestRefusal) {
        try request { (machine) throws(RequestRefusal) in
            try machine.refund(RefundRequest(share, borneBy: borneBy, reason: "returned"))
        }
    }

    /// Refund items of payments, by index.
    func shares(_ amounts: (Int, Int64)...) -> RefundRequest.Share {
        .items(amounts.map { Refund.Item(payment: order.payments[$0].id, amount: $1) })
    }

    /// What a PSP says by itself about a payment, told to the order; answers whether it could be matched.
    mutating func notice(_ index: Int, _ happening: Notice.Happening, object: String? = nil) -> Bool {
        hear(Notice(about: .init(attempt: order.payments[index].attempt.id.text, object: object), happening))
    }

    /// Tells the order a notice.
    mutating func hear(
        _ notice: Notice,
        severalCaptures: Bool = false,
        tellsOutcomes: Bool = false,
        keepsCommission: Bool = false,
        receivedAt: Timestamp? = nil
    ) -> Bool {
        var isMatched = false
        step { machine in
            isMatched = machine.hear(
                notice,
                severalCaptures: severalCaptures,
                tellsOutcomes: tellsOutcomes,
                keepsCommission: keepsCommission,
                receivedAt: receivedAt
            )
        }
        return isMatched
    }

    var reasons: [Attention.Reason] { order.attention.map(\.reason) }
}

extension OrderMachine {
    /// Captures everything, wherever it may be captured in any way.
    fileprivate mutating func captureAll() throws(RequestRefusal) { try capture(.whole) { _ in Story.anyAbility } }
}

extension Rejection {
    static let later = Rejection(.configuration, code: "account_closed", message: "The account is closed.")
}
