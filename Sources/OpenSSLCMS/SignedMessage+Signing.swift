import COpenSSL

extension SignedMessage {
    /// A signed attribute of a type that OpenSSL does not add by itself.
    package struct Attribute: Hashable, Sendable {
        /// The type in dotted form.
        package let identifier: String
        /// The content octets of its one value, which is a SEQUENCE.
        package let sequence: [UInt8]

        /// Makes an attribute.
        package init(_ identifier: String, sequence: [UInt8]) {
            self.identifier = identifier
            self.sequence = sequence
        }
    }

    /// Signs content with SHA-256 and the attributes contentType, signingTime and messageDigest.
    ///
    /// - Parameters:
    ///   - content: what is signed.
    ///   - signers: who signs; their certificates go into the message.
    ///   - certificates: further certificates for the message.
    ///   - seconds: the signing time, in seconds since 1970.
    ///   - attributes: further signed attributes.
    ///   - isDetached: whether the content stays outside of the message.
    /// - Returns: the message in DER.
    /// - Throws: ``OpenSSLFailure``.
    package static func signature(
        over content: [UInt8],
        by signers: [SigningIdentity],
        certificates: [Certificate] = [],
        at seconds: Int64,
        attributes: [Attribute] = [],
        isDetached: Bool = true
    ) throws(OpenSSLFailure) -> [UInt8] {
        let mode = UInt32(CMS_BINARY) | (isDetached ? UInt32(CMS_DETACHED) : 0)
        guard let message = unsafe CMS_sign(nil, nil, nil, nil, mode | UInt32(CMS_PARTIAL)) else { throw .drained() }
        defer { unsafe CMS_ContentInfo_free(message) }
        for signer in signers {
            let info = unsafe CMS_add1_signer(
                message,
                signer.certificate.pointer,
                signer.key.pointer,
                EVP_sha256(),
                UInt32(CMS_BINARY) | UInt32(CMS_NOSMIMECAP) | UInt32(CMS_PARTIAL)
            )
            guard let info = unsafe info else { throw .drained() }
            try unsafe add(attributes, at: seconds, to: info)
        }
        for certificate in certificates {
            guard unsafe CMS_add1_cert(message, certificate.pointer) == 1 else { throw .drained() }
        }
        let input = try MemoryBIO(content)
        guard unsafe CMS_final(message, input.pointer, nil, mode) == 1,
            let bytes = unsafe Encoding.encode({ unsafe i2d_CMS_ContentInfo(message, $0) })
        else { throw .drained() }
        return bytes
    }

    @unsafe
    private static func add(
        _ attributes: [Attribute],
        at seconds: Int64,
        to info: OpaquePointer
    ) throws(OpenSSLFailure) {
        guard let time = unsafe ASN1_TIME_set(nil, time_t(seconds)) else { throw .drained() }
        defer { unsafe ASN1_STRING_free(time) }
        guard
            unsafe CMS_signed_add1_attr_by_NID(
                info,
                NID_pkcs9_signingTime,
                ASN1_STRING_type(time),
                UnsafeRawPointer(time),
                -1
            ) == 1
        else { throw .drained() }
        for attribute in attributes {
            let value = DER.element(0x30, attribute.sequence)
            let added = unsafe CMS_signed_add1_attr_by_txt(
                info,
                attribute.identifier,
                V_ASN1_SEQUENCE,
                value,
                Int32(value.count)
            )
            guard added == 1 else { throw .drained() }
        }
    }
}

/// Writing elements in DER (X.690, 8.1 and 10.1).
package enum DER {
    /// An element: tag, shortest length, content.
    package static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 128 else { return [tag, UInt8(content.count)] + content }
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }
}
