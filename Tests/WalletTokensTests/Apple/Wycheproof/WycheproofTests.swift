import Crypto
import OpenSSLCMS
import StrictJSON
import Testing
import WireFormats

@testable import WalletTokens

@Suite("Apple Pay: Wycheproof through the paths that tokens take")
struct WycheproofTests {
    @Test("agrees with the device's key, or refuses it: public keys as tokens have them")
    func agreement() throws {
        var agreed = 0
        for vector in try Wycheproof("ecdh_secp256r1_test").vectors {
            let key = try Self.agreementKey(vector.bytes("private"))
            let publicKey = try vector.bytes("public")
            let secret = ApplePayDecryption.point(of: publicKey).flatMap { key.sharedSecret(withPoint: $0) }
            if vector.isInvalid { #expect(secret == nil, "vector \(vector.number)") }
            // Forms that tokens do not have, such as compressed points and unnamed curves, are refused though valid.
            if let secret {
                #expect(try secret == vector.bytes("shared"), "vector \(vector.number)")
                agreed += 1
            } else if vector.isValid {
                #expect(publicKey.count != 91, "vector \(vector.number)")
            }
        }
        #expect(agreed > 300)
    }

    @Test("agrees with points, or refuses them")
    func points() throws {
        for vector in try Wycheproof("ecdh_secp256r1_ecpoint_test").vectors {
            let key = try Self.agreementKey(vector.bytes("private"))
            let point = try vector.bytes("public")
            let secret = key.sharedSecret(withPoint: point)
            if vector.isInvalid { #expect(secret == nil, "vector \(vector.number)") }
            if let secret {
                #expect(try secret == vector.bytes("shared"), "vector \(vector.number)")
            } else if vector.isValid {
                #expect(point.count != 65, "vector \(vector.number)")
            }
        }
    }

    @Test("decrypts with AES-GCM, nonces of every length, or refuses")
    func gcm() throws {
        var opened = 0
        for vector in try Wycheproof("aes_gcm_test").vectors {
            let plaintext = AESGCM.open(
                try vector.bytes("ct") + vector.bytes("tag"),
                key: try vector.bytes("key"),
                nonce: try vector.bytes("iv"),
                associated: try vector.bytes("aad")
            )
            // OpenSSL takes nonces of at most 16 bytes; tokens have 16.
            let isTooLong = try vector.bytes("iv").count > 16
            if vector.isValid, !isTooLong || plaintext != nil {
                #expect(try plaintext == vector.bytes("msg"), "vector \(vector.number)")
                opened += 1
            } else {
                #expect(plaintext == nil, "vector \(vector.number)")
            }
        }
        #expect(opened > 200)
    }

    @Test("refuses tags that are not whole", arguments: [0, 1, 4, 8, 12, 15, 17, 32])
    func tagLength(length: Int) throws {
        let key = [UInt8](repeating: 1, count: 32)
        let sealed = try AESGCM.seal([1, 2, 3], key: key, nonce: ApplePayDecryption.nonce)
        #expect(AESGCM.open(sealed, key: key, nonce: ApplePayDecryption.nonce) == [1, 2, 3])
        let tag = Array(sealed.suffix(16)) + [UInt8](repeating: 0, count: 16)
        let changed = Array(sealed.prefix(3)) + tag.prefix(length)
        #expect(AESGCM.open(changed, key: key, nonce: ApplePayDecryption.nonce) == nil)
    }

    @Test("unwraps keys with RSAES-OAEP, or refuses; labels are not Apple's")
    func oaep() throws {
        for vector in try Wycheproof("rsa_oaep_2048_sha256_mgf1sha256_test").vectors {
            let pem = try #require(vector.group["privateKeyPem"]?.stringValue)
            let plaintext = try PrivateKey(Array(pem.utf8)).unwrapped(vector.bytes("ct"))
            if try vector.isValid && vector.bytes("label").isEmpty {
                #expect(try plaintext == vector.bytes("msg"), "vector \(vector.number)")
            } else {
                #expect(plaintext == nil, "vector \(vector.number)")
            }
        }
    }

    @Test("verifies ECDSA as a known signer's, and as OpenSSL's first look does")
    func ecdsa() throws {
        for vector in try Wycheproof("ecdsa_secp256r1_sha256_test").vectors {
            let der = try #require(vector.group["publicKeyDer"]?.stringValue.flatMap(Hexadecimal.decode))
            let signer = KnownSigner(
                issuerAndSerial: [],
                key: .ec(try P256.Signing.PublicKey(derRepresentation: der)),
                environment: .production,
                notBefore: 0,
                notAfter: 0
            )
            let digest = SHA256.hash(data: try vector.bytes("msg"))
            let signature = try vector.bytes("sig")
            #expect(signer.isSigner(of: digest, signature, .ecdsa) == vector.isValid, "vector \(vector.number)")
            let isValid = try PublicKey(der: der).isValid(signature, forSHA256: Array(digest))
            #expect(isValid == vector.isValid, "vector \(vector.number)")
            #expect(!signer.isSigner(of: digest, signature, .rsa))
        }
    }

    @Test("verifies RSA as a known signer's")
    func rsa() throws {
        for vector in try Wycheproof("rsa_signature_2048_sha256_test").vectors {
            let der = try #require(vector.group["publicKeyDer"]?.stringValue.flatMap(Hexadecimal.decode))
            let signer = KnownSigner(
                issuerAndSerial: [],
                key: .rsa(try PublicKey(der: der)),
                environment: .production,
                notBefore: 0,
                notAfter: 0
            )
            let digest = SHA256.hash(data: try vector.bytes("msg"))
            let isValid = signer.isSigner(of: digest, try vector.bytes("sig"), .rsa)
            if vector.isValid { #expect(isValid, "vector \(vector.number)") }
            if vector.isInvalid { #expect(!isValid, "vector \(vector.number)") }
        }
    }

    /// A key from its scalar: ECPrivateKey (RFC 5915) on prime256v1.
    private static func agreementKey(_ scalar: [UInt8]) throws -> AgreementKey {
        let padded = [UInt8](repeating: 0, count: max(0, 32 - scalar.count)) + scalar.suffix(32)
        let curve = DER.element(0xA0, [6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7])
        let key = try PrivateKey(DER.element(0x30, [2, 1, 1] + DER.element(4, padded) + curve))
        return try #require(AgreementKey(key))
    }
}
