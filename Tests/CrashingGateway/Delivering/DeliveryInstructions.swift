import Domain
import StrictJSON

/// What the program is told to do when it is to deliver callbacks.
struct DeliveryInstructions {
    /// Where the outbox is: `sqlite:PATH` or `postgres://…`.
    var database: String
    /// A name no other instance has.
    var instance: String
    /// What callbacks are signed with.
    var secret: Secret
    /// How far its clock is ahead of the database's, in milliseconds.
    var aheadMilliseconds: Int64
    /// How long a round keeps its endpoint to itself, in milliseconds.
    var leaseMilliseconds: Int64
    /// Whether it goes on until it is killed, instead of ending once nothing is due.
    var goesOn: Bool
    /// Where it dies, if it does.
    var moment: Trap.Moment?
    /// The how manieth place of that kind it dies at.
    var number: Int

    /// Reads the document.
    ///
    /// - Throws: `JSONRefusal` or `InvalidDocument`.
    init(text: String) throws { self = try JSON.parse(text: text).read { DeliveryInstructions($0) } }

    private init?(_ body: ObjectReader) {
        let database = body.string("database", length: 1...1000)
        let instance = body.string("instance")
        let secret = body.string("secret")
        let ahead = body.integer("ahead_ms", in: 0...86_400_000)
        let lease = body.integer("lease_ms", in: 1...86_400_000)
        let goesOn = body.bool("goes_on")
        let moment = body.choice("die_at", .optional, of: Trap.Moment.self)
        let number = body.integer("die_at_number", .optional, in: 1...1000)
        guard let database, let instance, let secret, let ahead, let lease, let goesOn else { return nil }
        self.database = database
        self.instance = instance
        self.secret = Secret(secret)
        aheadMilliseconds = ahead
        leaseMilliseconds = lease
        self.goesOn = goesOn
        self.moment = moment
        self.number = Int(number ?? 1)
    }
}
