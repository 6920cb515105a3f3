import OpenSSLCMS
import StrictJSON
import Testing
import TributaryTestKit
import WireFormats

@testable import WalletTokens

@Suite("Apple Pay: forms of a signature")
struct ApplePaySignatureFormTests {
    /// A change to a good signature, and what it comes to; all of them are made by who could sign with Apple's key.
    struct Change: Sendable, CustomTestStringConvertible {
        let name: String
        let verdict: String
        let apply: @Sendable (inout SignatureBuilder) throws -> Void

        var testDescription: String { name }

        init(_ name: String, _ verdict: String, _ apply: @escaping @Sendable (inout SignatureBuilder) throws -> Void) {
            self.name = name
            self.verdict = verdict
            self.apply = apply
        }
    }

    private static let malformed = "signature/malformed_signature"
    private static let protection: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 52]

    static let changes: [Change] = [
        Change("embedded content", "signature/embedded_content") {
            $0.embedded = DER.element(0xA0, DER.element(4, $0.content))
        },
        Change("two signers", "signature/signer_count") { $0.signers.append($0.signers[0]) },
        Change("no signer", malformed) { $0.signers = [] },
        Change("another digest", "signature/content_changed") { $0.messageDigest = [UInt8](repeating: 7, count: 32) },
        Change("a short digest", "signature/content_changed") { $0.messageDigest = [7] },
        Change("no signing time", malformed) { $0.signingTime = nil },
        Change("no content type", malformed) { $0.contentType = nil },
        Change("another content type", malformed) { $0.contentType = Array(SignatureBuilder.data.dropLast()) + [2] },
        Change("a signing time without Z", malformed) {
            $0.signingTime = DER.element(0x17, Array("2603011200000".utf8))
        },
        Change("a signing time in February 30", malformed) {
            $0.signingTime = DER.element(0x17, Array("260230120000Z".utf8))
        },
        Change("two signing times", malformed) {
            let time = $0.signingTime ?? []
            $0.moreAttributes = [SignatureBuilder.attribute(5, time)]
        },
        Change("two values of the signing time", malformed) {
            $0.signingTime = ($0.signingTime ?? []) + ($0.signingTime ?? [])
        },
        Change("two digests", malformed) {
            $0.moreAttributes = [SignatureBuilder.attribute(4, DER.element(4, [UInt8](repeating: 0, count: 32)))]
        },
        Change("another protected signature algorithm", malformed) {
            $0.moreAttributes = [
                SignatureBuilder.attribute(52, DER.element(0x30, $0.sha256 + DER.element(0xA1, SignatureBuilder.rsa)))
            ]
        },
        Change("another protected digest algorithm", malformed) {
            let sha1 = DER.element(0x30, DER.element(6, [0x2B, 0x0E, 3, 2, 0x1A]))
            $0.moreAttributes = [
                SignatureBuilder.attribute(52, DER.element(0x30, sha1 + DER.element(0xA1, SignatureBuilder.ecdsa)))
            ]
        },
        Change("the right protected algorithms", "opened") {
            $0.moreAttributes = [
                SignatureBuilder.attribute(52, DER.element(0x30, $0.sha256 + DER.element(0xA1, SignatureBuilder.ecdsa)))
            ]
        },
        Change("an attribute that nobody knows", "opened") {
            $0.moreAttributes = [SignatureBuilder.attribute([0x2A, 3, 4], DER.element(4, [1]))]
        },
        Change("an unsigned attribute", malformed) {
            $0.unsignedAttributes = DER.element(0xA1, SignatureBuilder.attribute([0x2A, 3, 4], DER.element(4, [1])))
        },
        Change("another version of the signer", malformed) { $0.signerVersion = 3 },
        Change("the algorithm of another key", "signature/wrong_algorithm") {
            $0.signatureAlgorithm = SignatureBuilder.rsa
        },
        Change("an algorithm that nobody uses", malformed) {
            $0.signatureAlgorithm = DER.element(6, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 3])
        },
        Change("parameters of ECDSA", malformed) { $0.signatureAlgorithm = SignatureBuilder.ecdsa + [5, 0] },
        Change("parameters of the digest that are not NULL", malformed) { $0.digestParameters = [4, 0] },
    ]

    @Test("a signer's first token and a later one come to the same", arguments: changes)
    func verdict(change: Change) throws {
        var token = try ForgedToken()
        try change.apply(&token.builder)
        #expect(try token.verdicts() == [change.verdict, change.verdict])
        if change.verdict == "opened" { #expect(try token.openSSLAccepts()) }
    }

    @Test("refuses whatever follows the signature, or is left of it", arguments: [-1, -3, 1, 2])
    func trailing(count: Int) throws {
        let token = try ForgedToken()
        let bytes = try token.builder.bytes()
        let changed = count > 0 ? bytes + [UInt8](repeating: 0, count: count) : bytes.dropLast(-count)
        let json = token.sealed.paymentData(signature: Array(changed))
        for knowsSigner in [false, true] {
            let opener = try token.opener(knowsSigner: knowsSigner)
            #expect(
                refusal { () throws(TokenRefusal) in try opener.open(json, at: ForgedToken.moment) } == Self.malformed
            )
        }
    }

    @Test("refuses a signature of a megabyte, and a nested one, at once")
    func large() throws {
        let token = try ForgedToken()
        let opener = try token.opener()
        let million = [UInt8](repeating: 0x30, count: 1 << 20)
        let kilobytes = (0..<8000).flatMap { _ in [0x30, 0x80] as [UInt8] }
        let started = ContinuousClock.now
        #expect(
            refusal { () throws(TokenRefusal) in
                try opener.open(token.sealed.paymentData(signature: million).bytes, at: ForgedToken.moment)
            } == "structure/token_too_long"
        )
        #expect(
            refusal { () throws(TokenRefusal) in
                try opener.open(token.sealed.paymentData(signature: million), at: ForgedToken.moment)
            } == "signature/signature_too_long"
        )
        #expect(
            refusal { () throws(TokenRefusal) in
                try opener.open(token.sealed.paymentData(signature: kilobytes), at: ForgedToken.moment)
            } == Self.malformed
        )
        #expect(ContinuousClock.now - started < .seconds(10))
    }

    @Test("the reader finds what another reader found in a published signature")
    func publishedFields() throws {
        let vector = try JSON.parse(ApplePayVector.bytes("payu-cms-fields/vector.json"))
        let bytes = try #require(vector["signature_b64"]?.stringValue.flatMap(Base64.decode(nonempty:)))
        let signature = try ApplePaySignature(bytes)
        let expected = try #require(
            vector["expected"]?["expectedSignature"]?.stringValue.flatMap(Base64.decode(nonempty:))
        )
        #expect(signature.value == expected)
        // Mon, 11 Dec 2017 16:10:25 +0000
        #expect(signature.attributes.signingSeconds == 1_513_008_625)
    }
}
