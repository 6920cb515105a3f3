import AdapterKit
import Domain
import SQL
import Storage

/// Whether the books know what a listed event is about.
enum LostSubject: Hashable {
    /// An order at this account knows it.
    case known
    /// An order at another account of ours knows it.
    case elsewhere
    /// Nothing does.
    case unknown

    /// Looks an event up by all the names that it has.
    ///
    /// - Throws: `SQLError`.
    init(of event: WebhookEvent, at account: PSPAccount, in session: any Session) throws(SQLError) {
        // What cannot be read says nothing of whose it is: it is kept, and shown to a person.
        guard !event.notices.isEmpty else {
            self = .known
            return
        }
        for notice in event.notices {
            let found = try SubjectSearch.find(notice.subject, at: account.id, of: account.marketplace, in: session)
            guard found == nil else {
                self = .known
                return
            }
        }
        for subject in event.notices.map(\.subject) where try Self.isElsewhere(subject, in: session) {
            self = .elsewhere
            return
        }
        self = .unknown
    }

    /// Whether an order has the very attempt or operation that is named, so that it is another account's.
    private static func isElsewhere(_ subject: Notice.Subject, in session: any Session) throws(SQLError) -> Bool {
        let orders = subject.orders
        guard !orders.isEmpty else { return false }
        let found = try OrderReader.loadReadable(orders, in: session)
        // What cannot be read is not lost.
        guard found.unreadable.isEmpty else { return true }
        return found.orders.flatMap(\.payments).flatMap(\.attempts).contains { attempt in
            attempt.id.text == subject.attempt || attempt.operations.contains { $0.id.text == subject.operation }
        }
    }
}

/// A payment that the books do not know, with all the events that tell of it.
struct LostPayment {
    /// Its events, in the order in which they happened.
    var events: [WebhookEvent]
    /// What they come to.
    let payment: RecoveredPayment

    /// Gathers events by the payment that they are about.
    static func all(of events: [WebhookEvent], keepsRest: Bool) -> [LostPayment] {
        var groups: [String: [WebhookEvent]] = [:]
        var names: [String] = []
        for event in events {
            guard let subject = event.notices.first?.subject else { continue }
            let name = subject.payment ?? subject.attempt ?? subject.object ?? event.id
            if groups[name] == nil { names.append(name) }
            groups[name, default: []].append(event)
        }
        return names.map { name in
            let events = groups[name] ?? []
            return LostPayment(events: events, payment: RecoveredPayment(events, keepsRest: keepsRest))
        }
    }

    /// Whether any event has a name of ours on it: all else is another system's at the same account.
    var isOurs: Bool { subjects.contains { !$0.orders.isEmpty } }

    /// The order that it was of, if the books have that one.
    ///
    /// - Throws: `SQLError`.
    func order(in session: any Session) throws(SQLError) -> OrderID? { try knownOrder(in: session)?.id }

    private func knownOrder(in session: any Session) throws(SQLError) -> Order? {
        try OrderReader.loadReadable(Array(Set(subjects.flatMap(\.orders))), in: session).orders.first
    }

    /// The order that will know it once it hears what became of an authorization at the account, and so what the PSP calls the
    /// payment: it is of what was asked for behind the point that the books were restored to, and has no other name of
    /// ours.
    ///
    /// - Throws: `SQLError`.
    func orderAwaiting(at account: PSPAccount, in session: any Session) throws(SQLError) -> OrderID? {
        guard subjects.allSatisfy({ $0.attempt == nil && $0.payment != nil }), let order = try knownOrder(in: session),
            order.marketplace == account.marketplace, order.awaitsName(at: account.id)
        else { return nil }
        return order.id
    }

    /// It as one event, which is a problem from the start.
    func event(isOrderKnown: Bool) -> WebhookEvent {
        WebhookEvent(
            id: payment.event,
            type: "recovery.unknown_payment",
            merchantAccount: payment.merchantAccount,
            currency: payment.currency,
            notices: payment.notices,
            problem: payment.problem(isOrderKnown: isOrderKnown)
        )
    }

    private var subjects: [Notice.Subject] { events.flatMap(\.notices).map(\.subject) }
}

extension Order {
    /// Whether an authorization at a PSP account is in doubt of which the PSP's name is not known.
    func awaitsName(at account: String) -> Bool {
        payments.flatMap(\.attempts).contains { attempt in
            attempt.route.pspAccount == account && attempt.pspReference == nil && attempt.authorization.isOpen
        }
    }
}

extension Notice.Subject {
    /// The orders that our names on it belong to, whether there are such or not.
    fileprivate var orders: [OrderID] {
        let names = [
            attempt.flatMap { AttemptID($0) }.map { OrderID(of: $0) },
            operation.flatMap { OperationID($0) }.map { OrderID(of: $0) },
        ]
        return Array(Set(names.compactMap(\.self)))
    }
}

extension WebhookEntry {
    /// An event that a PSP listed, as the inbox keeps what it tells.
    init(_ event: WebhookEvent, at account: PSPAccount, _ now: Timestamp, _ ids: inout IdentifierSource) {
        self.init(
            id: ids.make(at: now),
            to: account,
            eventID: event.id,
            type: event.type,
            receivedAt: now,
            bodyHash: "",
            document: WebhookDocument(
                merchantAccount: event.merchantAccount,
                currency: event.currency,
                notices: event.notices,
                problem: event.problem
            ),
            dueAt: now.adding(milliseconds: 1000)
        )
    }
}
