import OpenSSLCMS
import Testing

@Suite("Signed messages")
struct SignedMessageTests {
    private static let content = Array("what is signed".utf8)

    private static func signature(
        by signers: [SigningIdentity]? = nil,
        isDetached: Bool = true,
        attributes: [SignedMessage.Attribute] = []
    ) throws -> [UInt8] {
        try SignedMessage.signature(
            over: content,
            by: signers ?? [TestIdentities.signer.get()],
            certificates: [TestIdentities.root.get().certificate],
            at: TestIdentities.moment,
            attributes: attributes,
            isDetached: isDetached
        )
    }

    /// Why a message is refused; nil if it is not.
    private static func refusal(_ bytes: [UInt8], limit: Int = SignedMessage.usualLimit) -> SignedMessageRefusal? {
        do throws(SignedMessageRefusal) {
            let message = try SignedMessage(bytes, limit: limit)
            try message.check(over: content)
            return nil
        } catch {
            return error
        }
    }

    @Test("what is signed with either algorithm is verified, with the signer's chain and attributes")
    func roundTrip() throws {
        for signer in [try TestIdentities.signer.get(), try TestIdentities.rsaSigner.get()] {
            let attribute = SignedMessage.Attribute("1.2.840.113549.1.9.52", sequence: [5, 0])
            let message = try SignedMessage(Self.signature(by: [signer], attributes: [attribute]))
            try message.check(over: Self.content)
            #expect(message.signer.der == signer.certificate.der)
            #expect(message.certificates.count == 2)
            let roots = try TrustRoots([TestIdentities.root.get().certificate])
            let chain = try message.chain(to: roots, at: TestIdentities.moment)
            #expect(chain.map(\.commonName) == [signer.certificate.commonName, "Root"])
            let time = message.signedAttribute("1.2.840.113549.1.9.5")
            #expect(time == [DER.element(0x17, Array("260301120000Z".utf8))])
            #expect(message.signedAttribute("1.2.840.113549.1.9.52") == [[0x30, 2, 5, 0]])
            #expect(message.signedAttribute("1.2.3").isEmpty)
        }
    }

    @Test("a message over other content, or signed with another key, is refused")
    func forged() throws {
        let message = try SignedMessage(Self.signature())
        #expect(throws: SignedMessageRefusal.self) { try message.check(over: Self.content + [0]) }
        #expect(throws: SignedMessageRefusal.self) { try message.check(over: []) }
        let thief = SigningIdentity(
            certificate: try TestIdentities.signer.get().certificate,
            key: try PrivateKey.generate(.p256)
        )
        // OpenSSL does not even sign with a key that is not the certificate's.
        #expect(throws: OpenSSLFailure.self) { try Self.signature(by: [thief]) }
    }

    @Test("exactly one signer, no content, nothing behind it, within the limit")
    func form() throws {
        let signer = try TestIdentities.signer.get()
        let good = try Self.signature()
        #expect(Self.refusal(good) == nil)
        #expect(try Self.refusal(Self.signature(isDetached: false)) == .embeddedContent)
        let two = try Self.signature(by: [signer, TestIdentities.rsaSigner.get()])
        #expect(Self.refusal(two) == .signerCount(2))
        // OpenSSL makes no message without a signer; one that was made elsewhere is refused for its form.
        #expect(throws: OpenSSLFailure.self) { try Self.signature(by: []) }
        #expect(Self.refusal(good + [0]) == .trailingBytes)
        #expect(Self.refusal(good, limit: good.count) == nil)
        #expect(Self.refusal(good, limit: good.count - 1) == .tooLong(limit: good.count - 1))
        #expect(Self.refusal([UInt8](repeating: 0x30, count: 1 << 20)) == .tooLong(limit: 16_384))
    }

    @Test("what is no message is refused", arguments: [[], [0], [0x30, 0], [0x30, 0x80, 0, 0], [0xFF]] as [[UInt8]])
    func garbage(bytes: [UInt8]) {
        guard case .malformed = Self.refusal(bytes) else {
            Issue.record("it was taken")
            return
        }
    }

    @Test("a message whose signer's certificate is missing is refused")
    func unknownSigner() throws {
        let bytes = try Self.signature()
        let certificate = try TestIdentities.signer.get().certificate.der
        let place = try #require(bytes.firstRange(of: certificate))
        // The serial number is the first INTEGER behind version 3 of the certificate.
        var changed = bytes
        let serial = try #require(bytes[place].firstRange(of: [0xA0, 3, 2, 1, 2, 2] as [UInt8]))
        changed[serial.upperBound + 3] ^= 1
        #expect(Self.refusal(changed) == .unknownSigner)
    }
}
