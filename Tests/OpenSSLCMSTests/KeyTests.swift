import OpenSSLCMS
import Testing

@Suite("Keys")
struct KeyTests {
    @Test("a key is read as it was written", arguments: [KeyKind.p256, .p384, .rsa(bits: 2048)])
    func roundTrip(kind: KeyKind) throws {
        let key = try PrivateKey.generate(kind)
        let read = try PrivateKey(key.pem())
        #expect(read.kind == kind)
        #expect(read.publicKey.subjectPublicKeyInfo == key.publicKey.subjectPublicKeyInfo)
        #expect(try PublicKey(der: key.publicKey.subjectPublicKeyInfo).kind == kind)
    }

    @Test("no kind but those three is made")
    func otherKind() { #expect(throws: KeyRefusal.unreadable) { try PrivateKey.generate(.other) } }

    @Test(
        "signatures are verified with the public half, and any change is refused",
        arguments: [KeyKind.p256, .rsa(bits: 2048)]
    )
    func signatures(kind: KeyKind) throws {
        let key = try PrivateKey.generate(kind)
        let digest = [UInt8](repeating: 9, count: 32)
        var signature = try key.signature(forSHA256: digest)
        #expect(key.publicKey.isValid(signature, forSHA256: digest))
        #expect(!key.publicKey.isValid(signature, forSHA256: [UInt8](repeating: 8, count: 32)))
        #expect(!key.publicKey.isValid(signature, forSHA256: Array(digest.dropLast())))
        #expect(!key.publicKey.isValid([], forSHA256: digest))
        #expect(!(try PrivateKey.generate(kind).publicKey.isValid(signature, forSHA256: digest)))
        signature[signature.count - 1] ^= 1
        #expect(!key.publicKey.isValid(signature, forSHA256: digest))
    }

    @Test("both sides agree on the same secret, and only keys on P-256 agree")
    func agreement() throws {
        let (one, other) = (try PrivateKey.generate(.p256), try PrivateKey.generate(.p256))
        let secret = AgreementKey(one)?.sharedSecret(withPoint: Array(other.publicKey.subjectPublicKeyInfo.suffix(65)))
        #expect(secret?.count == 32)
        #expect(
            secret == AgreementKey(other)?.sharedSecret(withPoint: Array(one.publicKey.subjectPublicKeyInfo.suffix(65)))
        )
        #expect(AgreementKey(one)?.sharedSecret(withPoint: []) == nil)
        #expect(AgreementKey(one)?.sharedSecret(withPoint: [4] + [UInt8](repeating: 0, count: 64)) == nil)
        #expect(AgreementKey(try PrivateKey.generate(.p384)) == nil)
    }

    @Test("wrapped keys are unwrapped, and nothing else is")
    func wrapping() throws {
        let key = try PrivateKey.generate(.rsa(bits: 2048))
        let wrapped = try key.publicKey.wrapped([1, 2, 3])
        #expect(key.unwrapped(wrapped) == [1, 2, 3])
        #expect(key.unwrapped([]) == nil)
        #expect(key.unwrapped(Array(wrapped.reversed())) == nil)
        #expect(try PrivateKey.generate(.p256).unwrapped(wrapped) == nil)
        #expect(throws: OpenSSLFailure.self) { try key.publicKey.wrapped([UInt8](repeating: 0, count: 256)) }
    }

    @Test("AES-GCM opens what it sealed, with nonces of any length", arguments: [1, 12, 16])
    func gcm(length: Int) throws {
        let nonce = [UInt8](repeating: 0, count: length)
        for keyLength in [16, 24, 32] {
            let key = [UInt8](repeating: 1, count: keyLength)
            for plain in [[], [7], [UInt8](repeating: 7, count: 1000)] {
                let sealed = try AESGCM.seal(plain, key: key, nonce: nonce)
                #expect(sealed.count == plain.count + AESGCM.tagLength)
                #expect(AESGCM.open(sealed, key: key, nonce: nonce) == plain)
                #expect(AESGCM.open(sealed, key: key, nonce: nonce, associated: [1]) == nil)
                #expect(AESGCM.open(Array(sealed.dropLast()), key: key, nonce: nonce) == nil)
            }
        }
        #expect(AESGCM.open([UInt8](repeating: 0, count: 16), key: [1], nonce: nonce) == nil)
        #expect(throws: OpenSSLFailure.self) { try AESGCM.seal([], key: [UInt8](repeating: 0, count: 32), nonce: []) }
    }

    @Test("bytes are cleansed")
    func cleansing() {
        var secret: [UInt8] = [1, 2, 3]
        secret.cleanse()
        #expect(secret.isEmpty)
        secret.cleanse()
        #expect(secret.isEmpty)
    }

    @Test("a key that is unreadable or encrypted is refused in words")
    func refused() throws {
        #expect(throws: KeyRefusal.unreadable) { try PrivateKey([]) }
        #expect(throws: KeyRefusal.unreadable) { try PrivateKey([0x30, 0]) }
        let key = try PrivateKey.generate(.p256).publicKey.subjectPublicKeyInfo
        #expect(throws: KeyRefusal.unreadable) { try PrivateKey(key) }
        let encrypted = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n"
        #expect(throws: KeyRefusal.encrypted) { try PrivateKey(Array(encrypted.utf8)) }
        let swapped = DER.element(
            0x30,
            [2, 1, 1] + DER.element(4, [UInt8](repeating: 1, count: 32))
                + DER.element(0xA0, [6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7])
                + DER.element(0xA1, DER.element(3, [0] + key.suffix(65)))
        )
        #expect(throws: KeyRefusal.inconsistent) { try PrivateKey(swapped) }
        #expect(KeyRefusal.encrypted.description.contains("openssl pkey"))
    }
}
