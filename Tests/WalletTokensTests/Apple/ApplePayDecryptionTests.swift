import Domain
import OpenSSLCMS
import StrictJSON
import Testing
import TributaryTestKit
import WireFormats

@testable import WalletTokens

@Suite("Apple Pay: decryption")
struct ApplePayDecryptionTests {
    @Test("agrees on a secret with leading zeros and keeps them")
    func leadingZeros() throws {
        let vector = try SyntheticVectors.vector("ec_z_leading_zero")
        let entry = try SyntheticVectors.entry("ec_z_leading_zero")
        let token = try vector.parsed()
        guard case .agreement(let key) = vector.key.operation else {
            Issue.record("the key is none for agreement")
            return
        }
        let point = try #require(ApplePayDecryption.point(of: token.keyMaterial))
        let secret = try #require(key.sharedSecret(withPoint: point))
        #expect(Hexadecimal.encode(secret) == entry["steps"]?["Z_hex"]?.stringValue)
        #expect(secret[0] == 0)
        let derived = ApplePayDecryption.derivedKey(
            secret: secret,
            merchantIdentifierHash: vector.key.merchantIdentifierHash
        )
        #expect(Hexadecimal.encode(derived) == entry["steps"]?["K_hex"]?.stringValue)
    }

    @Test("derives the key of a published calculation")
    func published() throws {
        let vectors = try #require(JSON.parse(ApplePayVector.bytes("concat/vectors.json")).arrayValue)
        let vector = try #require(vectors.first { $0["expected_key_hex"] != nil })
        let derived = ApplePayDecryption.derivedKey(secret: [], merchantIdentifierHash: [0])
        #expect(Hexadecimal.encode(derived) == vector["expected_key_hex"]?.stringValue)
    }

    @Test("puts together what is signed as published calculations do", arguments: [0, 1, 2])
    func signedContent(index: Int) throws {
        let vector = try #require(JSON.parse(ApplePayVector.bytes("concat/vectors.json"))[index])
        func bytes(_ name: String) -> [UInt8]? {
            vector["\(name)_utf8"]?.stringValue.map { Array($0.utf8) }
                ?? vector["\(name)_hex"]?.stringValue.flatMap(Hexadecimal.decode)
        }
        let token = ApplePayToken(
            version: .ec,
            sealed: try #require(bytes("data")),
            signature: [],
            keyMaterial: try #require(bytes("ephemeralPublicKey")),
            publicKeyHash: [],
            transactionID: try #require(bytes("transactionId")),
            applicationDataHash: bytes("applicationData")
        )
        #expect(String(decoding: token.signedContent, as: UTF8.self) == vector["expected_utf8"]?.stringValue)
    }

    @Test("takes a point only uncompressed, on P-256 and on the curve", arguments: [0, 25, 26, 40, 90])
    func points(position: Int) throws {
        var sealed = try ForgedToken.wallet.get().seal(TestApplePayment(amount: 1).json.bytes)
        sealed.keyMaterial[position] ^= 1
        #expect(try Self.verdict(sealed) == "decryption/invalid_ephemeral_key")
    }

    @Test("refuses a key in another form", arguments: [0, 90, 92])
    func keyLength(length: Int) throws {
        var sealed = try ForgedToken.wallet.get().seal(TestApplePayment(amount: 1).json.bytes)
        sealed.keyMaterial = Array((sealed.keyMaterial + [0]).prefix(length))
        let expected = length == 0 ? "structure/malformed_token" : "decryption/invalid_ephemeral_key"
        #expect(try Self.verdict(sealed) == expected)
    }

    @Test("refuses ciphertexts with a tag that is cut, changed or alone", arguments: [1, 15, 16, -1])
    func tags(cut: Int) throws {
        var sealed = try ForgedToken.wallet.get().seal(TestApplePayment(amount: 1).json.bytes)
        if cut < 0 { sealed.data += [0] } else { sealed.data.removeLast(cut) }
        #expect(try Self.verdict(sealed) == "decryption/authentication_failed")
        sealed.data = Array(sealed.data.prefix(12))
        #expect(try Self.verdict(sealed) == "decryption/authentication_failed")
    }

    @Test("opens what is wrapped with RSA, and refuses what is wrapped for another key or is no key of AES-128")
    func wrapped() throws {
        let wallet = try TestWallet(pki: Self.rsaPKI.get(), key: .rsa(bits: 2048))
        let opener = try Self.opener(wallet)
        let good = try wallet.token(TestApplePayment(amount: 7), signedAt: ForgedToken.moment)
        #expect(try opener.open(good, at: ForgedToken.moment).version == .rsa)
        var sealed = try wallet.seal(TestApplePayment(amount: 7).json.bytes)
        let other = try PrivateKey.generate(.rsa(bits: 2048))
        for (material, expected) in [
            (try other.publicKey.wrapped([UInt8](repeating: 1, count: 16)), "decryption/cannot_unwrap"),
            (
                try wallet.merchant.key.publicKey.wrapped([UInt8](repeating: 1, count: 32)),
                "decryption/wrapped_key_length"
            ),
            (
                try wallet.merchant.key.publicKey.wrapped([UInt8](repeating: 1, count: 16)),
                "decryption/authentication_failed"
            ),
            (Array(sealed.keyMaterial.dropLast()), "decryption/cannot_unwrap"),
        ] {
            sealed.keyMaterial = material
            let json = sealed.paymentData(signature: try wallet.signature(over: sealed.content, at: ForgedToken.moment))
            #expect(
                refusal { () throws(TokenRefusal) in try opener.open(json, at: ForgedToken.moment) } == expected
            )
        }
    }

    @Test("a key of the other kind under the token's hash is refused")
    func wrongKind() throws {
        let wallet = try ForgedToken.wallet.get()
        let rsa = try TestWallet(pki: Self.rsaPKI.get(), key: .rsa(bits: 2048))
        var sealed = try rsa.seal(TestApplePayment(amount: 7).json.bytes)
        let key = try ProcessingKey(wallet.merchant.key, merchantIdentifier: wallet.merchantIdentifier)
        sealed.publicKeyHash = key.publicKeyHash
        let json = sealed.paymentData(signature: try rsa.signature(over: sealed.content, at: ForgedToken.moment))
        let opener = ApplePayOpener(ring: ApplePayRing([key]), roots: try rsa.pki.roots())
        #expect(
            refusal { () throws(TokenRefusal) in try opener.open(json, at: ForgedToken.moment) }
                == "key_selection/wrong_key_kind"
        )
    }

    @Test("finds the key among several, and a token for another merchant identifier does not open")
    func ring() throws {
        let wallet = try ForgedToken.wallet.get()
        let token = try wallet.token(TestApplePayment(amount: 7), signedAt: ForgedToken.moment)
        let own = try ProcessingKey(wallet.merchant.key, merchantIdentifier: wallet.merchantIdentifier)
        let other = try ProcessingKey(PrivateKey.generate(.p256), merchantIdentifier: "merchant.other")
        let opener = ApplePayOpener(ring: ApplePayRing([other, own]), roots: try wallet.pki.roots())
        #expect(try opener.open(token, at: ForgedToken.moment).merchantIdentifier == wallet.merchantIdentifier)
        let wrong = try ProcessingKey(wallet.merchant.key, merchantIdentifier: "merchant.other")
        let misled = ApplePayOpener(ring: ApplePayRing([wrong]), roots: try wallet.pki.roots())
        #expect(
            refusal { () throws(TokenRefusal) in try misled.open(token, at: ForgedToken.moment) }
                == "decryption/authentication_failed"
        )
    }

    @Test("one device's tokens for several merchants' cards, opened by many threads, teach one signer once")
    func threads() async throws {
        let wallet = try ForgedToken.wallet.get()
        let key = try ProcessingKey(wallet.merchant.key, merchantIdentifier: wallet.merchantIdentifier)
        let cache = SignerCache()
        let opener = ApplePayOpener(ApplePayRing([key]), try wallet.pki.roots(), 300_000, .any, cache)
        let tokens = try (0..<40).map { amount in
            try wallet.token(TestApplePayment(amount: amount), signedAt: ForgedToken.moment)
        }
        let amounts = try await withThrowingTaskGroup(of: Int64.self) { group in
            for token in tokens {
                group.addTask { try opener.open(token, at: ForgedToken.moment).payment.amount.minorUnits }
            }
            return try await group.reduce(into: Set<Int64>()) { $0.insert($1) }
        }
        #expect(amounts == Set(0..<40))
        #expect(cache.count == 1)
    }

    /// Certificates whose signer is RSA, made once.
    private static let rsaPKI = Result {
        var options = TestApplePKI.Options()
        options.signerKey = .rsa(bits: 2048)
        return try TestApplePKI(options)
    }

    private static func opener(_ wallet: TestWallet) throws -> ApplePayOpener {
        let key = try ProcessingKey(wallet.merchant.key, merchantIdentifier: wallet.merchantIdentifier)
        return ApplePayOpener(ring: ApplePayRing([key]), roots: try wallet.pki.roots())
    }

    /// What a payment comes to that is signed as it is.
    private static func verdict(_ sealed: TestSealedPayment) throws -> String? {
        let wallet = try ForgedToken.wallet.get()
        let json = sealed.paymentData(signature: try wallet.signature(over: sealed.content, at: ForgedToken.moment))
        let opener = try opener(wallet)
        return refusal { () throws(TokenRefusal) in try opener.open(json, at: ForgedToken.moment) }
    }
}
