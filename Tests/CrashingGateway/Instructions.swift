import AdapterKit
import Domain
import Gateway
import StrictJSON

/// What the program is told to do.
struct Instructions {
    /// Where the books are: `sqlite:PATH` or `postgres://…`.
    var database: String
    /// A name no other instance has.
    var instance: String
    /// What the names of the accounts at the PSPs begin with.
    var accountPrefix: String
    /// How far its clock is ahead of the database's, in milliseconds.
    var aheadMilliseconds: Int64
    /// How long a PSP may take, in milliseconds.
    var pspTimeoutMilliseconds: Int64
    /// Where it dies, if it does.
    var moment: Trap.Moment?
    /// The how manieth place of that kind it dies at.
    var number: Int
    /// The idempotency key under which it places the order.
    var key: String
    /// The order.
    var draft: OrderDraft

    /// Reads the document.
    ///
    /// - Throws: `JSONRefusal` or `InvalidDocument`.
    init(text: String) throws { self = try JSON.parse(text: text).read { Instructions($0) } }

    private init?(_ body: ObjectReader) {
        let database = body.string("database", length: 1...1000)
        let instance = body.string("instance")
        let prefix = body.string("account_prefix")
        let ahead = body.integer("ahead_ms", in: 0...86_400_000)
        let timeout = body.integer("psp_timeout_ms", in: 1...60_000)
        let moment = body.choice("die_at", .optional, of: Trap.Moment.self)
        let number = body.integer("die_at_number", .optional, in: 1...1000)
        let key = body.string("key")
        let draft = body.object("order") { Self.draft($0) }
        guard let database, let instance, let prefix, let ahead, let timeout, let key, let draft else { return nil }
        self.database = database
        self.instance = instance
        accountPrefix = prefix
        aheadMilliseconds = ahead
        pspTimeoutMilliseconds = timeout
        self.moment = moment
        self.number = Int(number ?? 1)
        self.key = key
        self.draft = draft
    }

    private static func draft(_ body: ObjectReader) -> OrderDraft? {
        let currency = body.parsed("currency", expecting: "an ISO 4217 code") { Currency(code: $0) }
        let capture = body.choice("capture", of: OrderTerms.Capture.self)
        let onDeadline = body.parsed("on_deadline", expecting: "a word") { OrderTerms.OnDeadline(rawValue: $0) }
        let deadline = body.integer("deadline_ms", in: 1...600_000)
        let policy = body.object("policy") { Self.policy($0) }
        guard let currency, let capture, let onDeadline, let deadline, let policy,
            let contexts = body.array("contexts", count: 1...50, { Self.context($0, currency) }),
            let amount = try? Money(
                minorUnits: contexts.reduce(0) { $0 + $1.amount.minorUnits },
                currency: currency
            )
        else { return nil }
        return OrderDraft(
            amount: amount,
            policy: policy,
            capture: capture,
            deadlineMilliseconds: deadline,
            onDeadline: onDeadline,
            contexts: contexts
        )
    }

    private static func policy(_ body: ObjectReader) -> Policy? {
        switch body.string("type") {
        case "all_or_nothing": .allOrNothing
        case "best_effort": .bestEffort
        case "required": body.strings("external_identifiers", count: 1...50).map { .required(Set($0)) }
        case "minimum": body.integer("amount").map { .minimum($0) }
        default: nil
        }
    }

    private static func context(_ body: ObjectReader, _ currency: Currency) -> OrderDraft.Context? {
        guard let name = body.string("external_identifier"), let amount = body.integer("amount", in: 1 ... .max),
            let money = try? Money(minorUnits: amount, currency: currency),
            let token = body.string("token"), let account = body.string("psp_account")
        else { return nil }
        return OrderDraft.Context(
            externalIdentifier: name,
            amount: money,
            payment: OrderDraft.Instrument(credential: .pspToken(Secret(token)), pspAccount: account)
        )
    }
}
