public import Domain

/// One PSP as a pure function: it writes requests and reads replies.
///
/// The gateway sends, times, retries, stores and logs. An adapter knows no clock and no socket, so the same
/// operation and exchanges always give the same bytes, and a retry is a replay.
public protocol PaymentAdapter: Sendable {
    /// The name that configuration, samples and the ledger know this PSP by: lower case, for example `stripe`.
    static var name: String { get }

    /// What this PSP can do.
    static var capabilities: Capabilities { get }

    /// Makes an adapter for one PSP account.
    ///
    /// - Throws: ``SettingsError`` if a credential is missing or the base URL will not do.
    init(settings: AdapterSettings) throws(SettingsError)

    /// Whether an account is one in the PSP's test world or its live one, as far as its settings tell; nil if they do not.
    ///
    /// A credential may be absent, or a stand-in, where nothing is called.
    static func mode(of settings: AdapterSettings) -> MarketplaceMode?

    /// The next step of `call` after the exchanges made so far: another request, or what became of it.
    ///
    /// Anything the PSP's documents do not promise is `Outcome.unknown`.
    func next(for call: Call, after exchanges: [Exchange]) -> Step

    /// The next step of having the PSP forget a stored method, after the exchanges made so far.
    ///
    /// It moves no money, and is asked until it is done: `Rejection.Reason.notFound` is as good as done, and
    /// `Rejection.Reason.unsupported` says that there is no such call.
    func next(forRemoval removal: MethodRemoval, after exchanges: [Exchange]) -> Step

    /// The next step of asking after what the PSP stored of a first payment, after the exchanges made so far.
    ///
    /// The payment has succeeded, and no reply told of a method. Nothing that is sent may move money; it may have the PSP
    /// keep what the payment left, and is safe to repeat.
    ///
    /// - Parameters:
    ///   - call: the payment's authorization as it is inquired after, with `Initiation.buyerStoring` and the PSP's reference.
    ///   - exchanges: what was sent and answered.
    /// - Returns: a success with ``Success/stored``; one without says that nothing is stored, and
    ///   `Rejection.Reason.unsupported` that the PSP cannot be asked. With anything else it is asked again.
    func next(forStoredMethodOf call: Call, after exchanges: [Exchange]) -> Step

    /// Whether a reply says that the PSP does not take the account's credentials; nil if it does not say so.
    func objection(in reply: WireReply) -> CredentialObjection?
}

extension PaymentAdapter {
    /// What the statuses 401 and 403 say of whoever asks (RFC 9110, 15.5.2 and 15.5.4).
    public func objection(in reply: WireReply) -> CredentialObjection? {
        switch reply.status {
        case 401: .unauthenticated
        case 403: .forbidden
        default: nil
        }
    }

    /// There is no such call.
    public func next(forRemoval removal: MethodRemoval, after exchanges: [Exchange]) -> Step {
        .outcome(.rejected(Rejection(.unsupported, code: "no_removal", message: "This PSP has no call for it.")))
    }

    /// The inquiry after the payment, where there is one, tells the method, too.
    public func next(forStoredMethodOf call: Call, after exchanges: [Exchange]) -> Step {
        guard capabilities.inquiry != .none else {
            let message = "This PSP cannot be asked what it stored."
            return .outcome(.rejected(Rejection(.unsupported, code: "no_inquiry", message: message)))
        }
        var call = call
        call.asksForStoredMethod = true
        return next(for: call, after: exchanges)
    }

    /// Not known.
    public static func mode(of settings: AdapterSettings) -> MarketplaceMode? { nil }
    /// What this PSP can do.
    public var capabilities: Capabilities { Self.capabilities }
    /// The name of this PSP.
    public var name: String { Self.name }
}

/// What comes next in an operation.
public enum Step: Hashable, Sendable {
    /// Send this and come back with the reply.
    case send(WireRequest)
    /// The operation has ended, or is left in doubt.
    case outcome(Outcome)
}

/// One HTTP call that has been answered.
public struct Exchange: Hashable, Sendable {
    /// What the PSP answered.
    public let reply: WireReply

    /// Makes an exchange.
    public init(reply: WireReply) { self.reply = reply }
}

extension Outcome {
    /// Nothing was sent: the PSP, or its adapter, does not do what is asked for.
    public static func unsupported(_ code: String, _ message: String) -> Outcome {
        .rejected(Rejection(.unsupported, code: code, message: message))
    }
}
