import AdapterKit
import PSPSimulator
import Testing

/// The dialects that have to tell the stories of all dialects.
enum Twins {
    /// Every dialect but the simulator's own, which has its own tests.
    static let names = DialectName.allCases.filter { $0 != .simulator }

    /// Who speaks a dialect.
    static func driver(_ name: DialectName) -> any TwinDriver.Type {
        switch name {
        case .simulator, .stripe: StripeDriver.self
        case .adyen: AdyenDriver.self
        case .square: SquareDriver.self
        case .checkout: CheckoutDriver.self
        case .authorizeNet: AuthorizeNetDriver.self
        case .worldpay: WorldpayDriver.self
        case .braintree: BraintreeDriver.self
        }
    }
}

/// Runs `body` against a simulator that speaks the dialect.
func withTwin(
    _ name: DialectName,
    _ body: (any TwinDriver, RunningSimulator) async throws -> Void
) async throws {
    try await withSimulator(dialect: name) { simulator, client in
        try await body(Twins.driver(name).init(client), simulator)
        #expect(await simulator.read { books, _ in books.violations } == [])
    }
}

/// How a test speaks a dialect as a careful caller would, for the stories that every dialect has to tell.
///
/// Written from the PSP's documents; what it answers is said in the words of ``TwinAnswer``.
protocol TwinDriver: Sendable {
    /// The account that its requests are of.
    var account: String { get }
    /// What the PSP's webhooks are signed with, and another secret of the same form.
    static var secrets: (right: String, wrong: String) { get }
    /// Whether the PSP knows a request again by an idempotency key.
    static var hasKeys: Bool { get }
    /// Whether captures, voids and refunds are answered before they are done.
    static var worksLater: Bool { get }

    /// Speaks to a simulator.
    init(_ client: RawClient)

    /// Holds an amount in USD, or takes it at once; nil if the PSP does not take such a credential.
    ///
    /// The idempotency key follows from the reference.
    func place(
        _ credential: TwinCredential,
        reference: String,
        amount: Int64,
        capture: Bool
    ) async throws -> TwinAnswer?

    /// Takes an amount and releases the rest.
    func capture(_ payment: String, amount: Int64, reference: String) async throws -> TwinAnswer

    /// Releases what is held.
    func void(_ payment: String, reference: String) async throws -> TwinAnswer

    /// Gives an amount back.
    func refund(_ payment: String, amount: Int64, reference: String) async throws -> TwinAnswer

    /// Finds the payment by the caller's reference; nil if the PSP has no inquiry.
    func find(reference: String) async throws -> TwinAnswer?

    /// Asks as somebody whom the PSP does not know.
    func intrude() async throws -> TwinAnswer

    /// Whether a webhook is signed with the secret, as the PSP's document says.
    func isSigned(_ incoming: IncomingWebhook, with secret: String) throws -> Bool

    /// What a webhook tells, in the PSP's words: the type, and what matters most of its subject.
    func words(_ incoming: IncomingWebhook) throws -> String
}

extension TwinDriver {
    /// Holds 1000.
    func hold(_ token: String, reference: String = "att_1", amount: Int64 = 1000) async throws -> TwinAnswer? {
        try await place(.token(token), reference: reference, amount: amount, capture: false)
    }
}

/// What a PSP answered, in words that all dialects share.
struct TwinAnswer: Sendable, CustomStringConvertible {
    /// What became of a request.
    enum Word: Hashable, Sendable {
        case authorized
        case captured
        case voided
        case refunded
        /// It is worked on.
        case pending
        /// The buyer has to do something.
        case action
        /// The issuer said no, with the PSP's code.
        case declined(String)
        /// Nothing happened because of the request, with the PSP's code.
        case refused(String)
        /// There is no such payment.
        case nothing
        /// The answer is not a whole one of the PSP's, or there is none.
        case unknown
    }

    let word: Word
    /// The PSP's name for the payment, if the answer has it.
    let payment: String?
    let reply: RawReply

    var description: String { "\(word): \(reply.text)" }

    /// Whether the issuer said no.
    var isDeclined: Bool { if case .declined = word { true } else { false } }

    /// Whether the PSP would not do it.
    var isRefused: Bool { if case .refused = word { true } else { false } }
}

/// The ways in which a trigger reaches the simulator through a PSP's fields.
enum TwinCredential: Sendable {
    /// A token of the PSP that stands for one of the simulator's: `tok_decline_generic`.
    case token(String)
    /// The number of a network token.
    case number(String)
    /// A wallet's encrypted data that stands for one of the simulator's tokens.
    case wallet(String)
}
