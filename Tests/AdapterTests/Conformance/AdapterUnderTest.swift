import AdapterKit
import Domain
import Testing

/// An adapter that every suite here runs over, and what its samples call the payment.
struct AdapterUnderTest: Sendable, CustomTestStringConvertible {
    let adapter: any PaymentAdapter
    /// The settings it was made with; another one is made with these, changed.
    let settings: AdapterSettings
    /// The PSP's name of the payment in the samples.
    let pspReference: String
    /// The state that an earlier reply left with the attempt, for adapters that keep one.
    var pspState: String?
    /// What pays in the call that is answered in one exchange.
    var shortCredential = CredentialKind.pspToken
    /// What pays in the call that takes more exchanges, whose replies are numbered.
    var longCredential = CredentialKind.encryptedApplePay
    /// Conversations that the PSP's documents leave no room for, each `<operation>/<word>`: `capture/succeeded` where
    /// captures end by webhook only.
    var lacks: Set<String> = []
    /// How the paths of requests end that take no key because what they do cannot be done twice: to complete a payment
    /// that is completed once, to cancel what is canceled.
    var requestsWithoutKey: [String] = []
    /// Whether authorizations carry the attempt as their key: it has only one, and can be canceled by that name.
    var keysByAttempt = false
    /// What else the samples call the payment, and what samples of another payment would: a node's name, a link.
    var otherNames: [(sampled: String, other: String)] = []
    /// Conversations, each `<operation>/<name>`, whose last reply carries nothing of ours by the PSP's documents, by the
    /// reason why; read for another call they still refuse it.
    var bareReplies: [String: Set<String>] = [:]
    /// The same for conversations whose last reply says that it is done.
    var bareSuccesses: [String: Set<String>] = [:]
    /// Why a list that is searched before an operation carries nothing of ours unless ours is found in it; nil if it
    /// does.
    var bareSearches: String?
    /// Why the reply to a capture or a refund names the payment but not which of several it is; nil if it does.
    var namesNoOperation: String?
    /// Why the reply that makes a token of an encrypted one carries nothing of ours; nil if it does.
    var bareTokens: String?
    /// How its PSP's webhooks are signed and named in the samples; nil if it sends none.
    var webhooks: WebhookScheme?

    /// Makes the adapter that the suites run over.
    init(
        _ type: any PaymentAdapter.Type,
        settings: AdapterSettings = Sample.settings,
        pspReference: String
    ) throws {
        adapter = try type.init(settings: settings)
        self.settings = settings
        self.pspReference = pspReference
    }

    var name: String { adapter.name }
    var testDescription: String { name }

    /// Every adapter of the project.
    ///
    /// A new one is one line here, a file that describes it and a folder of samples.
    static var all: [AdapterUnderTest] {
        get throws {
            [
                try adyen,
                try authorizeNet,
                try braintree,
                try checkout,
                try simulator,
                try square,
                try stripe,
                try worldpay,
            ]
        }
    }

    /// The adapters that hear webhooks.
    static var listeners: [AdapterUnderTest] { get throws { try all.filter { $0.listener != nil } } }

    /// The adapter with that name.
    static func named(_ name: String) throws -> AdapterUnderTest {
        try #require(try all.first { $0.name == name }, "there is no adapter \(name)")
    }

    /// The adapter as one that hears webhooks; nil if its PSP sends none.
    var listener: (any WebhookListener)? { adapter as? any WebhookListener }

    /// The call that is answered in one exchange: the credential needs no step before, the payment is known.
    func shortCall(_ operation: SampleOperation) throws -> Call {
        var call = try Sample.call(
            operation,
            credential: Sample.credential(shortCredential),
            reference: operation == .authorize ? nil : pspReference
        )
        call.pspState = operation == .authorize ? nil : pspState
        return call
    }

    /// The call that takes more exchanges: the token has to be exchanged, the payment has to be looked for.
    func longCall(_ operation: SampleOperation) throws -> Call {
        try Sample.call(operation, credential: Sample.credential(longCredential))
    }

    /// The call that a conversation is about.
    func call(_ conversation: Conversation) throws -> Call {
        try conversation.isNumbered ? longCall(conversation.operation) : shortCall(conversation.operation)
    }
}
