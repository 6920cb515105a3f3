import Domain
import OpenSSLCMS
import StrictJSON
import Testing
import TributaryTestKit

@testable import WalletTokens

@Suite("Apple Pay: forged signatures")
struct ApplePayForgeryTests {
    @Test("opens what it makes itself, in BER and in DER, by both ways, as OpenSSL does", arguments: [true, false])
    func good(isDefinite: Bool) throws {
        var token = try ForgedToken()
        token.builder.framing = isDefinite ? .definite : .indefinite
        #expect(try token.verdicts() == ["opened", "opened"])
        #expect(try token.openSSLAccepts())
    }

    @Test("takes the certificates in either order")
    func order() throws {
        var token = try ForgedToken()
        token.builder.certificates.reverse()
        #expect(try token.verdicts() == ["opened", "opened"])
    }

    @Test("takes the digest algorithm's parameters as NULL and as nothing", arguments: [[], [5, 0]] as [[UInt8]])
    func digestParameters(parameters: [UInt8]) throws {
        var token = try ForgedToken()
        token.builder.digestParameters = parameters
        #expect(try token.verdicts() == ["opened", "opened"])
    }

    @Test("takes the signing time as GeneralizedTime")
    func generalizedTime() throws {
        var token = try ForgedToken()
        token.builder.signingTime = DER.element(0x18, Array("20260301120000Z".utf8))
        #expect(try token.verdicts() == ["opened", "opened"])
    }

    @Test("refuses a chain that copies Apple's names")
    func copiedNames() throws {
        var options = TestApplePKI.Options()
        options.names = ("Apple Root CA - G3", "Apple Application Integration CA - G3")
        options.signerName = "ecc-smp-broker-sign_UC4-PROD"
        let token = try ForgedToken(TestWallet(pki: TestApplePKI(options)))
        let opener = try token.opener(roots: AppleRoot.roots())
        let json = try token.json()
        #expect(
            refusal { () throws(TokenRefusal) in try opener.open(json, at: ForgedToken.moment) }
                == "certificate_chain/untrusted_chain"
        )
    }

    @Test(
        "refuses certificates that lack what Apple puts in",
        arguments: [
            "certificate_chain/missing_leaf_marker", "certificate_chain/missing_intermediate_marker",
            "certificate_chain/untrusted_chain",
        ]
    )
    func missing(expected: String) throws {
        var options = TestApplePKI.Options()
        options.hasSignerMarker = expected != "certificate_chain/missing_leaf_marker"
        options.hasAuthorityMarker = expected != "certificate_chain/missing_intermediate_marker"
        options.isAuthority = expected != "certificate_chain/untrusted_chain"
        let token = try ForgedToken(TestWallet(pki: TestApplePKI(options)))
        #expect(try Self.firstVerdict(token) == expected)
    }

    @Test("refuses a signer whose name tells neither production nor sandbox")
    func unknownEnvironment() throws {
        var options = TestApplePKI.Options()
        options.signerName = "test-smp-broker-sign_UC4-QA"
        let token = try ForgedToken(TestWallet(pki: TestApplePKI(options)))
        #expect(try Self.firstVerdict(token) == "certificate_chain/unknown_environment")
    }

    @Test("refuses a signer that another signer issued")
    func issuedBySigner() throws {
        var token = try ForgedToken()
        let forger = try TestApplePKI.signer(TestApplePKI.Options(), from: token.wallet.pki.signer)
        token.builder.signers = [forger]
        token.builder.certificates = [forger.certificate, token.wallet.pki.signer.certificate]
        #expect(try token.verdicts() == Array(repeating: "certificate_chain/untrusted_chain", count: 2))
    }

    @Test("refuses a signer that the root itself issued, beside a decoy of an authority")
    func decoy() throws {
        var token = try ForgedToken()
        let direct = try TestApplePKI.signer(TestApplePKI.Options(), from: token.wallet.pki.root)
        token.builder.signers = [direct]
        token.builder.certificates = [direct.certificate, token.wallet.pki.authority.certificate]
        #expect(try token.verdicts() == Array(repeating: "certificate_chain/decoy_certificate", count: 2))
    }

    @Test("refuses any other number of certificates than two", arguments: [0, 1, 3])
    func certificateCount(count: Int) throws {
        var token = try ForgedToken()
        let pki = token.wallet.pki
        token.builder.certificates = Array(
            [pki.signer.certificate, pki.authority.certificate, pki.root.certificate].prefix(count)
        )
        #expect(try token.verdicts() == Array(repeating: "certificate_chain/certificate_count", count: 2))
    }

    @Test("refuses the certificates of one signer with the signature of another")
    func stolenCertificates() throws {
        var token = try ForgedToken()
        let thief = try PrivateKey.generate(.p256)
        token.builder.signers = [SigningIdentity(certificate: token.wallet.pki.signer.certificate, key: thief)]
        #expect(try token.verdicts() == Array(repeating: "signature/invalid_signature", count: 2))
        #expect(try !token.openSSLAccepts())
    }

    @Test("refuses a signer that names another certificate, even if only by the case of a letter")
    func otherName() throws {
        var token = try ForgedToken()
        token.builder.issuerAndSerial = token.wallet.pki.authority.certificate.issuerAndSerial
        #expect(try token.verdicts() == ["certificate_chain/decoy_certificate", "certificate_chain/unknown_signer"])
        var name = token.wallet.pki.signer.certificate.issuerAndSerial
        let letter = try #require(name.firstRange(of: Array("Integration".utf8)))
        name[letter.lowerBound] |= 0x20
        token.builder.issuerAndSerial = name
        #expect(try token.verdicts() == Array(repeating: "certificate_chain/unknown_signer", count: 2))
    }

    @Test("refuses a signer that was not valid when it signed, or is not any more")
    func validity() throws {
        var options = TestApplePKI.Options()
        options.signerNotAfter = ForgedToken.moment.microseconds / 1_000_000
        var token = try ForgedToken(TestWallet(pki: TestApplePKI(options)))
        #expect(try Self.firstVerdict(token) == "certificate_chain/not_valid_when_signed")
        token.builder.signingTime = DER.element(0x17, Array("260301115959Z".utf8))
        #expect(try Self.firstVerdict(token) == "certificate_chain/not_valid_now")
        #expect(try Self.firstVerdict(token, at: ForgedToken.moment.adding(seconds: -1)) == "opened")
    }

    @Test("a signer whose certificate expires after its first token is refused by the next")
    func expiryOfKnownSigner() throws {
        var options = TestApplePKI.Options()
        options.signerNotAfter = ForgedToken.moment.microseconds / 1_000_000 + 60
        let token = try ForgedToken(TestWallet(pki: TestApplePKI(options)))
        let opener = try token.opener(knowsSigner: true)
        let json = try token.json()
        let late = ForgedToken.moment.adding(seconds: 60)
        #expect(
            refusal { () throws(TokenRefusal) in try opener.open(json, at: late) } == "certificate_chain/not_valid_now"
        )
    }

    private static func firstVerdict(_ token: ForgedToken, at moment: Timestamp = ForgedToken.moment) throws -> String {
        let opener = try token.opener()
        let json = try token.json()
        return refusal { () throws(TokenRefusal) in try opener.open(json, at: moment) } ?? "opened"
    }
}
