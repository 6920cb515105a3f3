/// Names an order.
public enum OrderTag: IdentifierTag {
    /// `ord`.
    public static let prefix = "ord"
}

/// Names a payment, the part of an order for one token context.
public enum PaymentTag: IdentifierTag {
    /// `pay`.
    public static let prefix = "pay"
}

/// Names an attempt to authorize a payment at one PSP account.
public enum AttemptTag: IdentifierTag {
    /// `att`.
    public static let prefix = "att"
}

/// Names an operation asked of a PSP.
public enum OperationTag: IdentifierTag {
    /// `op`.
    public static let prefix = "op"
}

/// Names a merchant.
public enum MerchantTag: IdentifierTag {
    /// `mer`.
    public static let prefix = "mer"
}

/// Names an event of an order's history.
public enum EventTag: IdentifierTag {
    /// `evt`.
    public static let prefix = "evt"
}

/// Names a journal entry.
public enum EntryTag: IdentifierTag {
    /// `je`.
    public static let prefix = "je"
}

/// Names a refund, which may concern several payments.
public enum RefundTag: IdentifierTag {
    /// `rfd`.
    public static let prefix = "rfd"
}

/// Names a dispute of a payment.
public enum DisputeTag: IdentifierTag {
    /// `dsp`.
    public static let prefix = "dsp"
}

/// Names a payment request stored before the sheet opened.
public enum PaymentRequestTag: IdentifierTag {
    /// `prq`.
    public static let prefix = "prq"
}

/// Names an event that a PSP told by webhook.
public enum WebhookTag: IdentifierTag {
    /// `whk`.
    public static let prefix = "whk"
}

/// Names a callback: one event told to one endpoint, the same for every try to deliver it.
public enum CallbackTag: IdentifierTag {
    /// `cb`.
    public static let prefix = "cb"
}

/// Names an endpoint that callbacks are delivered to.
public enum EndpointTag: IdentifierTag {
    /// `cbe`.
    public static let prefix = "cbe"
}

/// Names a payout to a merchant.
public enum PayoutTag: IdentifierTag {
    /// `po`.
    public static let prefix = "po"
}

/// Names a file of a PSP or bank that was taken in.
public enum ImportTag: IdentifierTag {
    /// `imp`.
    public static let prefix = "imp"
}

/// Names a break.
public enum BreakTag: IdentifierTag {
    /// `brk`.
    public static let prefix = "brk"
}

/// Names an API key.
public enum KeyTag: IdentifierTag {
    /// `key`.
    public static let prefix = "key"
}

/// Names an entry of the audit trail.
public enum AuditTag: IdentifierTag {
    /// `aud`.
    public static let prefix = "aud"
}

/// Names an agreement.
public enum AgreementTag: IdentifierTag {
    /// `agr`.
    public static let prefix = "agr"
}

/// Names a method that is kept for charges under an agreement.
public enum StoredMethodTag: IdentifierTag {
    /// `mth`.
    public static let prefix = "mth"
}

/// Names a key that credentials are sealed with.
public enum CredentialKeyTag: IdentifierTag {
    /// `ck`.
    public static let prefix = "ck"
}

/// An order's identifier.
public typealias OrderID = Identifier<OrderTag>
/// A payment's identifier.
public typealias PaymentID = Identifier<PaymentTag>
/// An attempt's identifier.
public typealias AttemptID = Identifier<AttemptTag>
/// An operation's identifier.
public typealias OperationID = Identifier<OperationTag>
/// A merchant's identifier.
public typealias MerchantID = Identifier<MerchantTag>
/// An event's identifier.
public typealias EventID = Identifier<EventTag>
/// A journal entry's identifier.
public typealias EntryID = Identifier<EntryTag>
/// A refund's identifier.
public typealias RefundID = Identifier<RefundTag>
/// A dispute's identifier.
public typealias DisputeID = Identifier<DisputeTag>
/// A payment request's identifier.
public typealias PaymentRequestID = Identifier<PaymentRequestTag>
/// A webhook event's identifier.
public typealias WebhookID = Identifier<WebhookTag>
/// An API key's identifier.
public typealias KeyID = Identifier<KeyTag>
/// The identifier of an entry of the audit trail.
public typealias AuditID = Identifier<AuditTag>
/// The identifier of a key that credentials are sealed with.
public typealias CredentialKeyID = Identifier<CredentialKeyTag>
/// An agreement's identifier.
public typealias AgreementID = Identifier<AgreementTag>
/// The identifier of a method that is kept for charges under an agreement.
public typealias StoredMethodID = Identifier<StoredMethodTag>
/// A payout's identifier.
public typealias PayoutID = Identifier<PayoutTag>
/// A callback's identifier.
public typealias CallbackID = Identifier<CallbackTag>
/// An endpoint's identifier.
public typealias EndpointID = Identifier<EndpointTag>
/// The identifier of a file that was taken in.
public typealias ImportID = Identifier<ImportTag>
/// A break's identifier.
public typealias BreakID = Identifier<BreakTag>
