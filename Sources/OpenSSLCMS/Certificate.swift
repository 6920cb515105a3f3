import COpenSSL

/// An X.509 certificate (RFC 5280); immutable.
///
/// OpenSSL lets threads share a certificate that nobody changes, and nothing here changes it: hence the unchecked
/// conformance.
@safe
package final class Certificate: @unchecked Sendable {
    /// The certificate in DER.
    package let der: [UInt8]
    /// From when on it is valid, in seconds since 1970.
    package let notBefore: Int64
    /// Until when it is valid, in seconds since 1970.
    package let notAfter: Int64
    let pointer: OpaquePointer

    /// Reads one certificate in DER, with nothing behind it and encoded in the one way DER allows.
    ///
    /// - Throws: ``OpenSSLFailure``.
    package convenience init(der bytes: [UInt8]) throws(OpenSSLFailure) {
        guard let (pointer, count) = unsafe Encoding.decode(bytes, { unsafe d2i_X509(nil, $0, $1) }) else {
            throw .drained()
        }
        try unsafe self.init(owning: pointer)
        guard count == bytes.count, der == bytes else {
            throw OpenSSLFailure(reasons: ["the certificate is not in DER"])
        }
    }

    /// Reads the first certificate of a PEM file, or one in DER.
    ///
    /// - Throws: ``OpenSSLFailure``.
    package convenience init(_ bytes: [UInt8]) throws(OpenSSLFailure) {
        guard Encoding.isPEM(bytes) else {
            try self.init(der: bytes)
            return
        }
        let input = try MemoryBIO(bytes)
        guard let pointer = unsafe PEM_read_bio_X509(input.pointer, nil, nil, nil) else { throw .drained() }
        try unsafe self.init(owning: pointer)
    }

    /// Takes over a reference.
    init(owning pointer: OpaquePointer) throws(OpenSSLFailure) {
        unsafe self.pointer = pointer
        der = unsafe Encoding.encode { unsafe i2d_X509(pointer, $0) } ?? []
        notBefore = unsafe Self.seconds(X509_get0_notBefore(pointer)) ?? .max
        notAfter = unsafe Self.seconds(X509_get0_notAfter(pointer)) ?? .min
        guard !der.isEmpty else { throw .drained() }
    }

    deinit { unsafe X509_free(pointer) }

    /// The key it is for, as SubjectPublicKeyInfo in DER, as it stands in the certificate.
    package var subjectPublicKeyInfo: [UInt8] {
        unsafe Encoding.encode { unsafe i2d_X509_PUBKEY(X509_get_X509_PUBKEY(pointer), $0) } ?? []
    }

    /// The key it is for.
    ///
    /// - Throws: ``OpenSSLFailure`` if it cannot be read.
    package func publicKey() throws(OpenSSLFailure) -> PublicKey {
        guard let key = unsafe X509_get_pubkey(pointer) else { throw .drained() }
        return unsafe PublicKey(owning: key)
    }

    /// The certificate in PEM.
    ///
    /// - Throws: ``OpenSSLFailure``.
    package func pem() throws(OpenSSLFailure) -> [UInt8] {
        let output = try MemoryBIO()
        guard unsafe PEM_write_bio_X509(output.pointer, pointer) == 1 else { throw .drained() }
        return output.contents()
    }

    /// The issuer's name and the serial number, each in DER as they stand in the certificate.
    package var issuerAndSerial: [UInt8] {
        let issuer = unsafe Encoding.encode { unsafe i2d_X509_NAME(X509_get_issuer_name(pointer), $0) }
        let serial = unsafe Encoding.encode { unsafe i2d_ASN1_INTEGER(X509_get0_serialNumber(pointer), $0) }
        return (issuer ?? []) + (serial ?? [])
    }

    /// Whether another certificate's holder issued this one: by name, by key identifier where both have one, by what the
    /// other may do, and by the signature.
    ///
    /// Says nothing of validity in time, nor of trust.
    package func isIssued(by issuer: Certificate) -> Bool {
        defer { ERR_clear_error() }
        guard unsafe X509_check_issued(issuer.pointer, pointer) == X509_V_OK,
            let key = unsafe X509_get0_pubkey(issuer.pointer)
        else { return false }
        return unsafe X509_verify(pointer, key) == 1
    }

    /// The first common name of the subject (2.5.4.3).
    package var commonName: String? { subject(NID_commonName) }

    /// The first user identifier of the subject (0.9.2342.19200300.100.1.1).
    package var userIdentifier: String? { subject(NID_userId) }

    /// The value of an extension.
    ///
    /// - Parameter identifier: the object identifier in dotted form.
    /// - Returns: the bytes in its OCTET STRING; nil if the certificate has no such extension.
    package func extensionValue(_ identifier: String) -> [UInt8]? {
        guard let object = unsafe OBJ_txt2obj(identifier, 1) else { return nil }
        defer { unsafe ASN1_OBJECT_free(object) }
        let index = unsafe X509_get_ext_by_OBJ(pointer, object, -1)
        guard index >= 0, let found = unsafe X509_get_ext(pointer, index) else { return nil }
        guard let octets = unsafe X509_EXTENSION_get_data(found) else { return nil }
        return unsafe ASN1Text.bytes(octets)
    }

    private func subject(_ identifier: Int32) -> String? {
        let name = unsafe X509_get_subject_name(pointer)
        let index = unsafe X509_NAME_get_index_by_NID(name, identifier, -1)
        guard index >= 0, let entry = unsafe X509_NAME_get_entry(name, index),
            let text = unsafe X509_NAME_ENTRY_get_data(entry)
        else { return nil }
        return unsafe ASN1Text.utf8(text)
    }

    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        var parts = unsafe tm()
        guard let time = unsafe time, unsafe ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
        return unsafe Int64(timegm(&parts))
    }
}
