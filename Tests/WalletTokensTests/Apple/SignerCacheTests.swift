import Crypto
import Testing

@testable import WalletTokens

@Suite("Apple Pay: signers that are known")
struct SignerCacheTests {
    private static func signer(_ number: Int64) -> KnownSigner {
        KnownSigner(
            issuerAndSerial: [],
            key: .ec(P256.Signing.PrivateKey().publicKey),
            environment: .production,
            notBefore: number,
            notAfter: number
        )
    }

    @Test("are found by exactly their certificates")
    func lookup() {
        let cache = SignerCache()
        cache.insert(Self.signer(1), for: [1, 2, 3])
        cache.insert(Self.signer(2), for: [3, 2, 1])
        #expect(cache[[1, 2, 3]]?.notBefore == 1)
        #expect(cache[[3, 2, 1]]?.notBefore == 2)
        #expect(cache[[1, 2]] == nil)
        #expect(cache[[]] == nil)
    }

    @Test("are never more than the limit, and the newest is always there")
    func bounded() {
        let cache = SignerCache()
        for number in 0..<(3 * SignerCache.limit) {
            cache.insert(Self.signer(1), for: [UInt8(number)])
            cache.insert(Self.signer(2), for: [UInt8(number)])
            #expect(cache.count <= SignerCache.limit)
            #expect(cache[[UInt8(number)]]?.notBefore == 1)
        }
    }

    @Test("are kept only if their token verified")
    func onlyVerified() throws {
        let vector = try SyntheticVectors.vector("bad_ciphertext_flipped")
        let cache = SignerCache()
        _ = refusal { () throws(TokenRefusal) in
            try vector.opener(cache: cache).open(vector.token, at: vector.signingTime)
        }
        #expect(cache.count == 0)
        let good = try SyntheticVectors.vector("ec_single")
        for _ in 0..<2 { _ = try good.opener(cache: cache).open(good.token, at: good.signingTime) }
        #expect(cache.count == 1)
    }
}
