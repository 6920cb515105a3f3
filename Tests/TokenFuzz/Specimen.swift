import Domain
import Foundation
import OpenSSLCMS
import StrictJSON
import TributaryTestKit
import WalletTokens

/// A good token, what opens it, and what it comes to.
struct Specimen {
    /// The fields whose bytes are signed, or sign.
    static let fields: [[String]] = [
        ["data"], ["signature"], ["header", "ephemeralPublicKey"], ["header", "wrappedKey"],
        ["header", "transactionId"], ["header", "applicationData"], ["header", "publicKeyHash"],
    ]

    /// `paymentData`.
    let token: JSON
    /// When it was signed.
    let moment: Timestamp
    /// The key that opens it.
    let key: ProcessingKey
    /// The root above its signer.
    let roots: TrustRoots
    /// An opener that knows its signer.
    let opener: ApplePayOpener
    /// What opening it comes to.
    let opened: OpenedApplePay

    /// Opens the token once, so that its signer is known.
    init(_ token: JSON, _ moment: Timestamp, _ key: ProcessingKey, _ roots: TrustRoots) throws {
        self.token = token["paymentData"] ?? token
        self.moment = moment
        self.key = key
        self.roots = roots
        opener = ApplePayOpener(ring: ApplePayRing([key]), roots: roots, environment: .any)
        opened = try opener.open(token, at: moment)
    }

    /// An opener that knows no signer.
    func fresh() -> ApplePayOpener { ApplePayOpener(ring: ApplePayRing([key]), roots: roots, environment: .any) }

    /// The published tokens in a folder, and some of one's own of each kind.
    static func all(fixtures: String) throws -> [Specimen] {
        let published: [(String, Int64)] = [
            ("gala-2014-visa-seatgeek", 1_414_439_503), ("gala-2021-mastercard", 1_630_522_986),
            ("sepuka-2019-visa", 1_559_896_755),
        ]
        return try published.map {
            try load("\(fixtures)/\($0.0)", signedAt: Timestamp(microseconds: $0.1 * 1_000_000))
        }
            + made()
    }

    private static func load(_ folder: String, signedAt moment: Timestamp) throws -> Specimen {
        let read = { (file: String) in try Array(Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(file)"))) }
        let pair = ApplePayCertificate(
            certificate: try read("certificate.pem"),
            key: try read("private_key.pem"),
            at: moment
        )
        guard let key = pair.key else { throw UnusableFixture(folder: folder) }
        return try Specimen(JSON.parse(read("token.json")), moment, key, AppleRoot.roots())
    }

    private static func made() throws -> [Specimen] {
        let moment = Timestamp(microseconds: 1_772_366_400_000_000)
        var options = TestApplePKI.Options()
        options.signerKey = .rsa(bits: 2048)
        let wallets = [try TestWallet(), try TestWallet(pki: TestApplePKI(options), key: .rsa(bits: 2048))]
        let responses = [
            TestApplePayment.Response(merchantHash: "a", amount: 40, cryptogram: "AAEC"),
            TestApplePayment.Response(merchantHash: "b", amount: 60, cryptogram: "AwQF"),
        ]
        return try wallets.flatMap { wallet in
            let key = try ProcessingKey(wallet.merchant.key, merchantIdentifier: wallet.merchantIdentifier)
            let roots = try wallet.pki.roots()
            return try [[], responses].map { responses in
                let payment = TestApplePayment(amount: 100, responses: responses)
                let token = try wallet.token(payment, signedAt: moment, applicationData: responses.isEmpty ? nil : [1])
                return try Specimen(token, moment, key, roots)
            }
        }
    }
}

/// A published token that is not there as it should be.
struct UnusableFixture: Error {
    /// Where it should be.
    let folder: String
}
