import OpenSSLCMS

/// A token's signature, taken apart by a reader that knows nothing but the form Apple gives it: SignedData with one
/// signer, two certificates in any order and no content, in BER or DER.
struct ApplePaySignature: Hashable, Sendable {
    /// The longest signature that is read, in bytes; real ones have about 2,500.
    static let lengthLimit = SignedMessage.usualLimit

    /// The certificates one behind the other, as they stand in the message.
    let certificateBytes: [UInt8]
    /// The certificates, each in its own bytes.
    let certificates: [[UInt8]]
    /// The name of the signer's issuer and the signer's serial number, each in DER.
    let issuerAndSerial: [UInt8]
    /// How it is signed.
    let algorithm: SignatureAlgorithm
    /// What is signed beside the content.
    let attributes: SignedAttributes
    /// The bytes that the signature is over: the attributes as a SET (RFC 5652, 5.4).
    let signedBytes: [UInt8]
    /// The signature proper.
    let value: [UInt8]

    /// Reads a signature.
    ///
    /// - Throws: `TokenRefusal` of the stage `signature`, or `certificate_chain` for the number of certificates.
    init(_ bytes: [UInt8]) throws(TokenRefusal) {
        guard bytes.count <= Self.lengthLimit else {
            throw TokenRefusal(.signature, "signature_too_long", "a signature has at most \(Self.lengthLimit) bytes")
        }
        var parts: Parts
        do throws(BERCursor.Malformation) {
            parts = try Parts(bytes)
        } catch {
            throw Self.malformed("its outer form is not that of SignedData without content")
        }
        guard parts.contentIsDetached else {
            throw TokenRefusal(.signature, "embedded_content", "the signature holds content, and should be detached")
        }
        do throws(BERCursor.Malformation) {
            certificateBytes = parts.certificates.copy(parts.certificateRange)
            certificates = try Self.elements(parts.certificates)
        } catch {
            throw Self.malformed("its certificates cannot be told apart")
        }
        guard certificates.count == 2 else {
            throw TokenRefusal(
                .certificateChain,
                "certificate_count",
                "the signature has \(certificates.count) certificates; it should have the signer's and its issuer's"
            )
        }
        let signer: SignerInfo
        do throws(BERCursor.Malformation) {
            signer = try SignerInfo(&parts.signers)
        } catch {
            throw Self.malformed("its signer has not the fields, algorithms and signed attributes that Apple uses")
        }
        guard parts.signers.isAtEnd else {
            throw TokenRefusal(.signature, "signer_count", "the signature has more than one signer")
        }
        issuerAndSerial = signer.issuerAndSerial
        algorithm = signer.algorithm
        attributes = signer.attributes
        signedBytes = signer.signedBytes
        value = signer.signature
    }

    private static func malformed(_ detail: String) -> TokenRefusal {
        TokenRefusal(.signature, "malformed_signature", "the signature cannot be read: \(detail)")
    }

    /// The bytes of each element; the form of a certificate is a SEQUENCE.
    private static func elements(_ cursor: BERCursor) throws(BERCursor.Malformation) -> [[UInt8]] {
        var cursor = cursor
        var elements: [[UInt8]] = []
        while !cursor.isAtEnd { elements.append(cursor.copy(try cursor.next(0x30).whole)) }
        return elements
    }
}

extension ApplePaySignature {
    /// The parts of SignedData (RFC 5652, 5.1).
    private struct Parts {
        let contentIsDetached: Bool
        let certificates: BERCursor
        let certificateRange: Range<Int>
        var signers: BERCursor

        init(_ bytes: [UInt8]) throws(BERCursor.Malformation) {
            var outer = BERCursor(bytes)
            var message = try outer.enter(0x30)
            try outer.finish()
            guard message.copy(try message.next(0x06).content) == ObjectIdentifiers.signedData else {
                throw .unexpected
            }
            var explicit = try message.enter(0xA0)
            try message.finish()
            var signed = try explicit.enter(0x30)
            try explicit.finish()
            guard signed.copy(try signed.next(0x02).content) == [1] else { throw .unexpected }
            var digests = try signed.enter(0x31)
            try SignatureAlgorithm.expectSHA256(&digests)
            try digests.finish()
            var content = try signed.enter(0x30)
            guard content.copy(try content.next(0x06).content) == ObjectIdentifiers.data else { throw .unexpected }
            contentIsDetached = content.isAtEnd
            var ahead = signed
            certificates = try signed.enter(0xA0)
            certificateRange = try ahead.next(0xA0).content
            signers = try signed.enter(0x31)
            try signed.finish()
        }
    }

    /// One signer (RFC 5652, 5.3).
    private struct SignerInfo {
        let issuerAndSerial: [UInt8]
        let algorithm: SignatureAlgorithm
        let attributes: SignedAttributes
        let signedBytes: [UInt8]
        let signature: [UInt8]

        init(_ signers: inout BERCursor) throws(BERCursor.Malformation) {
            var signer = try signers.enter(0x30)
            guard signer.copy(try signer.next(0x02).content) == [1] else { throw .unexpected }
            issuerAndSerial = signer.copy(try signer.next(0x30).content)
            try SignatureAlgorithm.expectSHA256(&signer)
            var ahead = signer
            let attributes = try signer.enter(0xA0)
            var set = signer.copy(try ahead.next(0xA0).whole)
            set[0] = 0x31
            guard DEREncoding.isMinimal(set) else { throw .encoding }
            signedBytes = set
            algorithm = try SignatureAlgorithm(&signer)
            self.attributes = try SignedAttributes(attributes, algorithm)
            signature = signer.copy(try signer.next(0x04).content)
            try signer.finish()
        }
    }
}
