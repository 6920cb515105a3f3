import AdapterKit
import PSPSimulator

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
