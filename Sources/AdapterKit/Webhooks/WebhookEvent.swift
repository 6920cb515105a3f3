public import Domain

/// One event of a webhook that was verified.
public struct WebhookEvent: Hashable, Sendable {
    /// The PSP's name for the event: unique for the account, the same whenever it is sent again.
    public var id: String
    /// The kind of event, as the PSP names it.
    public var type: String
    /// At whose account it happened.
    ///
    /// A submerchant may write what it likes on its own objects, our identifiers included: a notice about a payment
    /// counts only if this is not another account than that of the payment's route.
    public var merchantAccount: NoticeAccount
    /// The currency of every amount in the notices; nil if there are none.
    ///
    /// A notice in another currency than the payment's is not about that payment.
    public var currency: Currency?
    /// What it says of payments; none for a type that says nothing of one.
    public var notices: [Notice]
    /// Why a type that does speak of payments could not be read; such an event is stored and shown to a person.
    public var problem: String?
    /// A sentence for the log on an event that says nothing of a payment, where somebody may wonder: a PSP's own test.
    public var remark: String?

    /// Makes an event; identifier and type are cut at 255 and 100 characters.
    public init(
        id: String,
        type: String,
        merchantAccount: NoticeAccount = .unsaid,
        currency: Currency? = nil,
        notices: [Notice] = [],
        problem: String? = nil,
        remark: String? = nil
    ) {
        self.id = String(id.prefix(255))
        self.type = String(type.prefix(100))
        self.merchantAccount = merchantAccount
        self.currency = currency
        self.notices = notices
        self.problem = problem
        self.remark = remark
    }
}
