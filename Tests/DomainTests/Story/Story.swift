import Domain
import SeededRandom
import Testing

/// An order that a test lives through: it says what PSPs answer and lets time pass, and looks at what became of it.
///
/// Every step is held to ``StepRules`` and ``Books``.
struct Story {
    private(set) var order: Order
    private(set) var now = Checkout.placedAt
    private(set) var events: [OrderEvent] = []
    private(set) var facts: [Fact] = []
    private(set) var books = Books()
    private(set) var moves: [CredentialMove] = []
    private(set) var announcements: [Announcement] = []
    let rules: OrderTimings
    private var ids = IdentifierSource(random: SeededRandom(seed: 20))

    init(_ checkout: Checkout = Checkout(), rules: OrderTimings = OrderTimings()) throws {
        self.rules = rules
        order = try checkout.order(&ids)
        step(isPlacing: true) { $0.place() }
    }

    /// Takes up an order as it stands, for what no series of reports can lead to.
    init(continuing order: Order, rules: OrderTimings = OrderTimings()) {
        self.order = order
        self.rules = rules
    }

    mutating func step(by instance: String = "one", isPlacing: Bool = false, _ body: (inout OrderMachine) -> Void) {
        let before = order
        var machine = OrderMachine(order, at: now, by: instance, rules: rules, ids: ids)
        body(&machine)
        announcements += machine.announce(since: before)
        (ids, order) = (machine.ids, machine.order)
        events += machine.record.events
        facts += machine.record.facts
        books.add(machine.record.entries)
        moves += machine.record.credentialMoves
        let complaints =
            StepRules.complaints(from: before, to: order, leaving: machine.record, isPlacing: isPlacing)
            + StepRules.complaints(performing: machine.performed, by: instance, from: before, to: order)
            + books.complaints(of: order) + AnnouncementRules.complaints(about: announcements, of: order)
        for complaint in complaints { Issue.record("\(complaint)") }
    }

    /// Lets time pass, and has the machine look at the clock.
    mutating func wait(milliseconds: Int64) {
        now = now.adding(milliseconds: milliseconds)
        step { $0.tick() }
    }

    /// Lets time pass without anybody looking.
    mutating func sleep(milliseconds: Int64) { now = now.adding(milliseconds: milliseconds) }

    /// Reports the outcome of an operation.
    mutating func report(_ outcome: Outcome, of operation: OperationID, by instance: String = "one") {
        step(by: instance) { $0.hear(Report(operation: operation, outcome: outcome)) }
    }

    /// Reports the outcome of a payment's authorization.
    mutating func authorize(_ index: Int, _ outcome: Outcome) {
        report(outcome, of: order.payments[index].attempt.authorization.id)
    }

    mutating func approve(_ indices: Int...) {
        for index in indices { authorize(index, .approved(order.payments[index].amount, "psp-\(index)")) }
    }

    mutating func decline(_ index: Int) { authorize(index, .refusedByIssuer) }

    /// Reports the outcome of the latest operation of a kind of a payment.
    mutating func answer(_ kind: Operation.Kind, _ index: Int, _ outcome: Outcome) throws {
        report(outcome, of: try #require(last(kind, index), "no \(kind) of payment \(index)").id)
    }

    /// Reports that the latest operation of a kind succeeded in full.
    mutating func succeed(_ kind: Operation.Kind, _ index: Int) throws {
        let operation = try #require(last(kind, index), "no \(kind) of payment \(index)")
        report(.approved(operation.amount, "\(kind)-\(index)"), of: operation.id)
    }

    /// Takes an operation in hand.
    mutating func claim(_ operation: OperationID, by instance: String = "one") -> Bool {
        var isClaimed = false
        step(by: instance) { isClaimed = $0.claim(operation) }
        return isClaimed
    }

    func last(_ kind: Operation.Kind, _ index: Int) -> Operation? { order.payments[index].attempt.all(kind).last }

    /// How many operations of a kind the order has.
    func count(_ kind: Operation.Kind) -> Int { order.payments.flatMap(\.attempts).flatMap { $0.all(kind) }.count }

    var states: [PaymentState] { order.payments.map(\.state) }

    /// What the marketplace was told, in order.
    var toldMarketplace: [Announcement.Kind] { announcements.filter { $0.audience == .marketplace }.map(\.kind) }

    /// What the merchant of a payment was told, in order.
    func toldMerchant(_ index: Int) -> [Announcement.Kind] {
        let merchant = Announcement.Audience.merchant(order.payments[index].merchant)
        return announcements.filter { $0.audience == merchant }.map(\.kind)
    }

    func told(_ type: String) -> Int { events.count { $0.type == type } }
}

extension Outcome {
    static func approved(_ amount: Int64, _ reference: String = "psp-1") -> Outcome {
        .succeeded(Success(reference: reference, amount: amount))
    }

    static var refusedByIssuer: Outcome {
        .declined(Decline(code: "05", category: .generic, message: "The issuer said no."))
    }

    static func refusedByPSP(_ reason: Rejection.Reason) -> Outcome {
        .rejected(Rejection(reason, code: reason.rawValue, message: "The PSP said no."))
    }

    static func buyerHasToAct(expiresAt: Timestamp? = nil) -> Outcome {
        let action = NextAction(kind: .redirect, url: "https://psp.example/step", expiresAt: expiresAt)
        return .actionRequired(action, Progress(reference: "psp-action"))
    }

    static var inProgress: Outcome { .pending(Progress(reference: "psp-pending")) }

    static var timedOut: Outcome { .unknown(reason: "timed out; may have arrived") }
}
