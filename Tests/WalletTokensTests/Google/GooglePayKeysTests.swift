import Crypto
import Domain
import StrictJSON
import Testing
import TributaryTestKit

@testable import WalletTokens

@Suite("Keys for Google Pay")
struct GooglePayKeysTests {
    private static let moment = Timestamp.milliseconds(1_700_000_000_000)

    @Test("are read from Google's file with their versions and expiries")
    func roots() throws {
        let sender = GooglePaySender()
        let value = try #require(sender.rootKey["keyValue"])
        let file: JSON = [
            "keys": [
                ["keyValue": value, "protocolVersion": "ECv1"],
                ["keyValue": value, "protocolVersion": "ECv1", "keyExpiration": "1700000000000"],
                ["keyValue": value, "protocolVersion": "ECv2", "keyExpiration": "1700000000001"],
                ["keyValue": "anything", "protocolVersion": "ECv2SigningOnly", "keyExpiration": "later"],
            ]
        ]
        let roots = try GooglePayRoots(file: file.bytes)
        #expect(roots.keys(for: .ecV1, at: Self.moment).count == 1)
        #expect(roots.keys(for: .ecV1, at: .milliseconds(1_699_999_999_999)).count == 2)
        #expect(roots.keys(for: .ecV2, at: Self.moment).count == 1)
        #expect(roots.keys(for: .ecV2, at: .milliseconds(1_700_000_000_001)).isEmpty)
    }

    @Test(
        "are not read from a file in another form",
        arguments: [
            ("", "not JSON"), ("[]", "form"), ("{}", "/keys"), (#"{"keys":[]}"#, "/keys"),
            (#"{"keys":[{"protocolVersion":"ECv3"}]}"#, "none of the root keys"),
            (#"{"keys":[{"keyValue":"AAAA","protocolVersion":"ECv1"}]}"#, "/keys/0/keyValue"),
            (#"{"keys":[{"keyValue":"AAAA"}]}"#, "/keys/0/protocolVersion"),
        ]
    )
    func otherForms(file: String, says: String) throws {
        let error = try #require(throws: UnusableGooglePayKeys.self) { try GooglePayRoots(file: Array(file.utf8)) }
        #expect(error.description.contains(says), "\(error)")
    }

    @Test("of ECv2 without an expiry, and any with an unreadable one, are not read")
    func expiries() throws {
        var sender = GooglePaySender()
        for (version, expiration) in [("ECv2", nil), ("ECv2", "soon"), ("ECv1", "soon")] as [(String, String?)] {
            sender.version = version
            sender.rootExpiration = expiration
            let file = sender.rootsFile
            let error = try #require(throws: UnusableGooglePayKeys.self) { try GooglePayRoots(file: file) }
            #expect(error.description.contains("/keys/0/keyExpiration"))
        }
    }

    @Test("that are private are read in PKCS #8 and in SEC 1, beside whatever else a file holds")
    func privateKeys() throws {
        let sec1 = String(decoding: try GooglePayFixture.bytes("payconnector/test-private-key.pem"), as: UTF8.self)
        let pkcs8 = P256.KeyAgreement.PrivateKey()
        let parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
        let ring = try GooglePayPrivateKeys(pem: [
            Secret(parameters + sec1),
            Secret("a comment\r\n" + pkcs8.pemRepresentation.replacing("\n", with: "\r\n") + "\r\n"),
            Secret(pkcs8.publicKey.pemRepresentation + "\n" + pkcs8.pemRepresentation),
        ])
        #expect(ring.keys.count == 3)
        #expect(ring.keys[1].rawRepresentation == pkcs8.rawRepresentation)
        #expect(ring.keys[2].rawRepresentation == pkcs8.rawRepresentation)
        var dumped = ""
        dump(ring, to: &dumped)
        #expect(dumped.contains("3 private keys"))
        #expect("\(ring)" == "3 private keys")
    }

    @Test("that are private and cannot be used are refused without a word of them")
    func unusable() throws {
        let key = P256.KeyAgreement.PrivateKey().pemRepresentation
        let cut = String(key.dropLast(40))
        let other = P384.KeyAgreement.PrivateKey().pemRepresentation
        let encrypted = key.replacing("PRIVATE KEY", with: "ENCRYPTED PRIVATE KEY")
        let flawed = key.replacing("\nM", with: "\n*")
        let files: [([String], String)] = [
            ([], "there are 0"), ([""], "no whole private key"), ([cut], "no whole private key"),
            ([other], "not an EC key of P-256"), ([encrypted], "encrypted"), ([flawed], "not an EC key of P-256"),
            (Array(repeating: key, count: 9), "there are 9"), ([key, ""], "no whole private key"),
        ]
        for (pem, says) in files {
            let secrets = pem.map { Secret($0) }
            let error = try #require(throws: UnusableGooglePayKeys.self) { try GooglePayPrivateKeys(pem: secrets) }
            #expect(error.description.contains(says), "\(error)")
            #expect(!error.description.contains("MIG"))
        }
    }
}
