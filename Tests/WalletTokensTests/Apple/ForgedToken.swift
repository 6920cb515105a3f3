import Domain
import OpenSSLCMS
import StrictJSON
import TributaryTestKit

@testable import WalletTokens

/// A token of a test's own making, and both ways of looking at it: by a signer's first token and by a later one.
struct ForgedToken {
    /// When tokens are signed and looked at.
    static let moment = Timestamp.seconds(of: "2026-03-01T12:00:00Z")
    /// Certificates as Apple's, made once.
    static let pki = Result { try TestApplePKI() }
    /// A device whose tokens those certificates sign, made once.
    static let wallet = Result { try TestWallet(pki: pki.get()) }

    /// Who makes it.
    let wallet: TestWallet
    /// What is signed.
    let sealed: TestSealedPayment
    /// How it is signed.
    var builder: SignatureBuilder

    /// A good token, whose builder a test can turn.
    init(_ wallet: TestWallet? = nil) throws {
        self.wallet = try wallet ?? Self.wallet.get()
        sealed = try self.wallet.seal(TestApplePayment(amount: 12_345).json.bytes)
        builder = SignatureBuilder(
            content: sealed.content,
            signers: [self.wallet.pki.signer],
            certificates: [self.wallet.pki.signer.certificate, self.wallet.pki.authority.certificate]
        )
    }

    /// The token.
    func json() throws -> JSON { sealed.paymentData(signature: try builder.bytes()) }

    /// An opener that trusts the wallet's root and, if asked to, knows its signer already.
    func opener(knowsSigner: Bool = false, roots: TrustRoots? = nil) throws -> ApplePayOpener {
        let key = try ProcessingKey(wallet.merchant.key, merchantIdentifier: wallet.merchantIdentifier)
        let opener = ApplePayOpener(ring: ApplePayRing([key]), roots: try roots ?? wallet.pki.roots())
        if knowsSigner { _ = try opener.open(try ForgedToken(wallet).json(), at: Self.moment) }
        return opener
    }

    /// What opening it comes to, as the signer's first token and as a later one: a refusal's name, or `opened`.
    func verdicts(at moment: Timestamp = moment) throws -> [String] {
        let json = try json()
        return try [false, true].map { knowsSigner in
            let opener = try opener(knowsSigner: knowsSigner)
            return refusal { () throws(TokenRefusal) in try opener.open(json, at: moment) } ?? "opened"
        }
    }

    /// Whether OpenSSL alone, which checks less, takes the signature for a token signer's.
    func openSSLAccepts() throws -> Bool {
        do {
            let message = try SignedMessage(try builder.bytes())
            _ = try message.chain(to: wallet.pki.roots(), at: 1_772_366_400)
            try message.check(over: sealed.content)
            return true
        } catch is SignedMessageRefusal {
            return false
        } catch is ChainRefusal {
            return false
        }
    }
}
