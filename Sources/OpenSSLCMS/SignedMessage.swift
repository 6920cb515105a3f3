import COpenSSL

/// A detached signature as Cryptographic Message Syntax (RFC 5652), with exactly one signer and no content.
///
/// Read by OpenSSL, which takes BER as well as DER. Making one checks its form; the signer and the signature are
/// checked by ``chain(to:at:)`` and ``check(over:)``, and by nothing else.
@safe
package struct SignedMessage: ~Copyable {
    /// The most bytes that are read unless another limit is given; signatures of wallets have about 2,500.
    package static let usualLimit = 16_384

    /// The certificate whose issuer and serial number the signer names.
    package let signer: Certificate
    /// All certificates, in the order of the message.
    package let certificates: [Certificate]
    private let pointer: OpaquePointer

    /// Reads a message.
    ///
    /// - Throws: ``SignedMessageRefusal`` for its form.
    package init(_ bytes: [UInt8], limit: Int = usualLimit) throws(SignedMessageRefusal) {
        guard bytes.count <= limit else { throw .tooLong(limit: limit) }
        guard let (pointer, count) = unsafe Encoding.decode(bytes, { unsafe d2i_CMS_ContentInfo(nil, $0, $1) }) else {
            throw .malformed(OpenSSLFailure.drained().description)
        }
        let read: (signer: Certificate, certificates: [Certificate])
        do throws(SignedMessageRefusal) {
            guard count == bytes.count else { throw .trailingBytes }
            read = try unsafe Self.read(pointer)
        } catch {
            unsafe CMS_ContentInfo_free(pointer)
            throw error
        }
        signer = read.signer
        certificates = read.certificates
        unsafe self.pointer = pointer
    }

    @unsafe
    private static func read(
        _ message: OpaquePointer
    ) throws(SignedMessageRefusal) -> (signer: Certificate, certificates: [Certificate]) {
        try unsafe checkForm(message)
        let certificates = try unsafe certificates(of: message)
        return (try unsafe signer(of: message, among: certificates), certificates)
    }

    deinit { unsafe CMS_ContentInfo_free(pointer) }

    /// The signer's chain to a root, through the message's certificates.
    ///
    /// - Throws: ``ChainRefusal``.
    package borrowing func chain(to roots: TrustRoots, at seconds: Int64) throws(ChainRefusal) -> [Certificate] {
        try roots.chain(from: signer, through: certificates, at: seconds)
    }

    /// Checks that the signer's key signed the attributes and that they have the digest of `content`.
    ///
    /// - Throws: ``SignedMessageRefusal/invalidSignature(_:)``.
    package borrowing func check(over content: [UInt8]) throws(SignedMessageRefusal) {
        guard let input = try? MemoryBIO(content),
            unsafe CMS_verify(
                pointer,
                nil,
                nil,
                input.pointer,
                nil,
                UInt32(CMS_BINARY) | UInt32(CMS_NO_SIGNER_CERT_VERIFY)
            ) == 1
        else { throw .invalidSignature(OpenSSLFailure.drained().description) }
    }

    /// The values of a signed attribute, each in DER.
    ///
    /// - Parameter identifier: the attribute's type in dotted form.
    /// - Returns: the values; none if the signer has no such attribute.
    package borrowing func signedAttribute(_ identifier: String) -> [[UInt8]] {
        guard let info = unsafe copenssl_signer_at(pointer, 0), let object = unsafe OBJ_txt2obj(identifier, 1) else {
            return []
        }
        defer { unsafe ASN1_OBJECT_free(object) }
        let index = unsafe CMS_signed_get_attr_by_OBJ(info, object, -1)
        guard index >= 0, let attribute = unsafe CMS_signed_get_attr(info, index) else { return [] }
        let count = unsafe X509_ATTRIBUTE_count(attribute)
        return (0..<count).compactMap { position in
            guard let value = unsafe X509_ATTRIBUTE_get0_type(attribute, position) else { return nil }
            return unsafe Encoding.encode { unsafe i2d_ASN1_TYPE(value, $0) }
        }
    }

    @unsafe
    private static func checkForm(_ message: OpaquePointer) throws(SignedMessageRefusal) {
        guard unsafe OBJ_obj2nid(CMS_get0_type(message)) == NID_pkcs7_signed else { throw .malformed("no SignedData") }
        guard let content = unsafe CMS_get0_content(message) else {
            throw .malformed(OpenSSLFailure.drained().description)
        }
        guard unsafe content.pointee == nil else { throw .embeddedContent }
        let count = Int(unsafe copenssl_signer_count(message))
        guard count == 1 else { throw .signerCount(max(0, count)) }
    }

    @unsafe
    private static func certificates(of message: OpaquePointer) throws(SignedMessageRefusal) -> [Certificate] {
        guard let stack = unsafe CMS_get1_certs(message) else { return [] }
        defer { unsafe copenssl_certificates_release(stack) }
        var certificates: [Certificate] = []
        let count = unsafe copenssl_certificate_count(stack)
        for index in 0..<count {
            guard let pointer = unsafe copenssl_certificate_at(stack, index), unsafe X509_up_ref(pointer) == 1,
                let certificate = unsafe try? Certificate(owning: pointer)
            else { throw .malformed("a certificate cannot be read") }
            certificates.append(certificate)
        }
        return certificates
    }

    @unsafe
    private static func signer(
        of message: OpaquePointer,
        among certificates: [Certificate]
    ) throws(SignedMessageRefusal) -> Certificate {
        let info = unsafe copenssl_signer_at(message, 0)
        guard let signer = certificates.first(where: { unsafe CMS_SignerInfo_cert_cmp(info, $0.pointer) == 0 }) else {
            throw .unknownSigner
        }
        return signer
    }
}

/// Why a signed message is refused.
package enum SignedMessageRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// It has more bytes than are read.
    case tooLong(limit: Int)
    /// It is not SignedData that OpenSSL can read.
    case malformed(String)
    /// Something follows it.
    case trailingBytes
    /// The content stands in it instead of beside it.
    case embeddedContent
    /// It has no signer, or several.
    case signerCount(Int)
    /// Its signer's certificate is not in it.
    case unknownSigner
    /// The signature, or the digest it covers, does not agree.
    case invalidSignature(String)

    /// The reason in words.
    package var description: String {
        switch self {
        case .tooLong(let limit): "it has more than \(limit) bytes"
        case .malformed(let reason): "it is not CMS SignedData: \(reason)"
        case .trailingBytes: "something follows it"
        case .embeddedContent: "it holds content, and should be detached"
        case .signerCount(let count): "it has \(count) signers, and should have one"
        case .unknownSigner: "the signer's certificate is not in it"
        case .invalidSignature(let reason): "the signature does not agree: \(reason)"
        }
    }
}
