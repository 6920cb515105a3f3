import AdapterKit
import Domain
import SimulatorAdapter
import StripeAdapter
import Testing

/// An adapter that every suite here runs over, and what its recorded replies call the payment.
struct AdapterUnderTest: Sendable, CustomTestStringConvertible {
    let adapter: any PaymentAdapter
    /// The PSP's name of the payment in the recordings.
    let pspReference: String

    var name: String { adapter.name }
    var testDescription: String { name }

    /// Every adapter of the project.
    ///
    /// A new one is one line here and a folder of recorded replies.
    static var all: [AdapterUnderTest] {
        get throws {
            [
                AdapterUnderTest(
                    adapter: try StripeAdapter(settings: Sample.settings),
                    pspReference: "pi_3WvkAZ1DZP9ka1qZKhx5kwGZ"
                ),
                AdapterUnderTest(
                    adapter: try SimulatorAdapter(settings: Sample.settings),
                    pspReference: "auth_sample"
                ),
            ]
        }
    }

    /// The adapter as one that hears webhooks; nil if its PSP sends none.
    var listener: (any WebhookListener)? { adapter as? any WebhookListener }

    /// The call that is answered in one exchange: the credential needs no step before, the payment is known.
    func shortCall(_ operation: RecordedOperation) throws -> Call {
        try Sample.call(
            operation,
            credential: Sample.credential(.pspToken),
            reference: operation == .authorize ? nil : pspReference
        )
    }

    /// The call that takes more exchanges: the token has to be exchanged, the payment has to be looked for.
    func longCall(_ operation: RecordedOperation) throws -> Call {
        try Sample.call(operation, credential: Sample.credential(.encryptedApplePay))
    }
}
