import AdapterKit
import Domain
import Testing

/// The calls that samples answer: 100.00 USD, with identifiers that the samples carry.
enum Sample {
    static let secretKey = "sk_test_sampleSecretKey"
    static let cryptogram = "AmDBuUq6QdUEY2FtcGxlAAA="
    static let number = "4242424242424242"
    static let pspToken = "pm_sampleSecretToken"
    static let paymentData = #"{"version":"EC_v1","data":"c2FtcGxl","header":{}}"#

    /// What webhooks are signed with: its text at Stripe, its base 64 at the simulator.
    static let webhookSecret = "whsec_c2FtcGxlIHdlYmhvb2sgc2VjcmV0IG9mIDMyIGJ5dGVz"
    /// When webhooks are signed, in seconds since 1970.
    static let signedAt: Int64 = 1_795_250_000

    /// What must not be read in any description.
    static let secrets = [secretKey, cryptogram, number, pspToken, paymentData, webhookSecret]

    static let settings = AdapterSettings(
        account: "sample",
        baseURL: "https://psp.example",
        credentials: [
            "secret_key": Secret(secretKey), "api_key": Secret(secretKey), "webhook_secret": Secret(webhookSecret),
        ]
    )

    /// A credential of each kind.
    static let credentials: [Credential] = [
        .pspToken(Secret(pspToken)),
        .networkToken(networkToken()),
        .encryptedApplePay(
            EncryptedApplePay(
                paymentData: Secret(paymentData),
                displayName: "Visa 4242",
                network: "Visa",
                transactionIdentifier: "b0a1c2"
            )
        ),
    ]

    static func networkToken(
        eci: String? = "7",
        source: NetworkToken.Source = .applePay
    ) -> NetworkToken {
        NetworkToken(
            number: Secret(number),
            expiryMonth: 12,
            expiryYear: 2030,
            cryptogram: Secret(cryptogram),
            eci: eci,
            source: source
        )
    }

    static func credential(_ kind: CredentialKind) -> Credential? { credentials.first { $0.kind == kind } }

    /// A call as the gateway would make it; `reference` is the PSP's name of the payment, if it is known.
    static func call(
        _ operation: SampleOperation,
        credential: Credential? = nil,
        reference: String? = nil,
        amount: Int64 = 10_000,
        currency: String = "USD",
        merchantAccount: String? = nil,
        applicationFee: Int64? = nil,
        returnURL: String? = "https://shop.example/back"
    ) throws -> Call {
        let isInquiry = operation.rawValue.hasPrefix("inquire")
        let kind: Call.Kind =
            switch operation {
            case .authorize, .inquireAuthorize:
                .authorize(
                    Call.Authorization(
                        credential: isInquiry ? nil : credential,
                        applicationFee: applicationFee,
                        returnURL: returnURL
                    )
                )
            case .capture, .inquireCapture: .capture(applicationFee: applicationFee)
            case .void, .inquireVoid: .void
            case .refund, .inquireRefund: .refund(applicationFee: applicationFee)
            }
        return Call(
            order: try #require(OrderID("ord_01ka5m9s346q3d25vt4f5v37e3")),
            payment: try #require(PaymentID("pay_01ka5s3e28jt97kb6cq643dzvm")),
            attempt: try #require(AttemptID("att_01ka5xxqkfbf5kznwj47tan9zt")),
            operation: try #require(OperationID("op_01ka524mnpzx45hy43kwjrp1xp")),
            money: try Money(minorUnits: amount, currency: try #require(Currency(code: currency))),
            merchantAccount: merchantAccount,
            pspReference: reference,
            kind: kind,
            purpose: isInquiry ? .inquire : .perform
        )
    }
}
