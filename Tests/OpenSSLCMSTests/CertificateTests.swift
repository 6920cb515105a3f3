import OpenSSLCMS
import Testing

@Suite("Certificates and chains")
struct CertificateTests {
    @Test("a certificate tells what was asked for, in PEM and DER")
    func fields() throws {
        let made = try TestIdentities.signer.get().certificate
        for certificate in [try Certificate(made.pem()), try Certificate(made.der), try Certificate(der: made.der)] {
            #expect(certificate.der == made.der)
            #expect(certificate.commonName == "Signer")
            #expect(certificate.userIdentifier == "id.Signer")
            #expect(certificate.notBefore == 1_577_836_800)
            #expect(certificate.notAfter == 2_208_988_800)
            #expect(certificate.extensionValue("1.2.3.4") == [5, 0])
            #expect(certificate.extensionValue("1.2.3.5") == nil)
            #expect(certificate.extensionValue("no identifier") == nil)
            #expect(try certificate.publicKey().kind == .p256)
            #expect(certificate.subjectPublicKeyInfo == (try certificate.publicKey().subjectPublicKeyInfo))
            #expect(made.der.firstRange(of: certificate.issuerAndSerial.suffix(8)) != nil)
        }
    }

    @Test("bytes that are not exactly a certificate are refused")
    func malformed() throws {
        let der = try TestIdentities.signer.get().certificate.der
        let inBER: [UInt8] = [0x30, 0x80] + der.dropFirst(4) + [0, 0]
        for bytes: [UInt8] in [[], [0x30], der + [0], Array(der.dropLast()), inBER] {
            #expect(throws: OpenSSLFailure.self) { try Certificate(der: bytes) }
        }
        #expect(throws: OpenSSLFailure.self) { try Certificate(Array("-----BEGIN CERTIFICATE-----".utf8)) }
    }

    @Test("a chain leads to a root that is trusted, at a time when all of it is valid")
    func chains() throws {
        let root = try TestIdentities.root.get()
        let signer = try TestIdentities.signer.get().certificate
        let roots = try TrustRoots(file: root.certificate.pem())
        #expect(try roots.chain(from: signer, through: [], at: TestIdentities.moment).count == 2)
        #expect(throws: ChainRefusal.notValidThen("certificate is not yet valid")) {
            try roots.chain(from: signer, through: [], at: 1_577_836_799)
        }
        #expect(throws: ChainRefusal.notValidThen("certificate has expired")) {
            try roots.chain(from: signer, through: [], at: 2_208_988_800)
        }
        let other = try SigningIdentity.selfSigned(
            TestIdentities.request("Root", isAuthority: true),
            key: .generate(.p256)
        )
        let strangers = try TrustRoots([other.certificate])
        do throws(ChainRefusal) {
            _ = try strangers.chain(from: signer, through: [root.certificate], at: TestIdentities.moment)
            Issue.record("a stranger's root was enough")
        } catch {
            guard case .untrusted = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test("only an authority issues")
    func issuedBySigner() throws {
        let signer = try TestIdentities.signer.get()
        let key = try PrivateKey.generate(.p256)
        let forged = try signer.issue(TestIdentities.request("Forged", isAuthority: false), for: key.publicKey)
        let roots = try TrustRoots([TestIdentities.root.get().certificate])
        #expect(throws: ChainRefusal.self) {
            try roots.chain(from: forged, through: [signer.certificate], at: TestIdentities.moment)
        }
    }

    @Test("a file of roots has at least one, and all are trusted")
    func files() throws {
        let root = try TestIdentities.root.get().certificate
        let other = try SigningIdentity.selfSigned(
            TestIdentities.request("Other", isAuthority: true),
            key: .generate(.p256)
        ).certificate
        #expect(try TrustRoots(file: root.der).certificates.count == 1)
        let both = try TrustRoots(file: other.pem() + root.pem())
        #expect(both.certificates.map(\.commonName) == ["Other", "Root"])
        let signer = try TestIdentities.signer.get().certificate
        #expect(try both.chain(from: signer, through: [], at: TestIdentities.moment).count == 2)
        #expect(throws: OpenSSLFailure.self) { try TrustRoots(file: Array("nothing".utf8)) }
        #expect(throws: OpenSSLFailure.self) { try TrustRoots(file: Array("-----BEGIN NOTHING-----".utf8)) }
    }
}
