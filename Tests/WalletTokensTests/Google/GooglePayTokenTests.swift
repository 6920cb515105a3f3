import Crypto
import Domain
import StrictJSON
import Testing
import TributaryTestKit

@testable import WalletTokens

@Suite("Google Pay tokens")
struct GooglePayTokenTests {
    private static let moment = Timestamp.milliseconds(1_700_000_000_000)
    private let key = P256.KeyAgreement.PrivateKey()

    /// Something wrong with a token, and how it is refused.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var version = "ECv2"
        var change: @Sendable (inout GooglePaySender) -> Void = { _ in }
        var edit: @Sendable (inout [String: JSON]) -> Void = { _ in }
        var refusal: String?
    }

    @Test("of either version and of either kind of card are opened", arguments: ["ECv1", "ECv2"])
    func opened(version: String) throws {
        var sender = GooglePaySender()
        sender.version = version
        let onFile = try open(sender.token(GooglePayMessage.numberOnly.text, for: key.publicKey), from: sender)
        #expect(onFile.version.rawValue == version)
        #expect(onFile.card.authentication == .numberOnly)
        let device = try open(sender.token(GooglePayMessage.cryptogram.text, for: key.publicKey), from: sender)
        #expect(device.card.authentication == .cryptogram(Secret("AAAAAAAAAAAAAAAAAAAAAAAAAAA="), eci: "05"))
        #expect(device.card.expirationYear == 2028)
        #expect(device.messageIdentifier == "AH2Ejtc-example")
    }

    @Test("are opened as bytes, as an object, and as a string that holds the object")
    func forms() throws {
        let sender = GooglePaySender()
        let token = try sender.token(GooglePayMessage.numberOnly.text, for: key.publicKey)
        let opener = try opener(for: sender)
        let expected = try opener.open(token, at: Self.moment)
        #expect(try opener.open(token.bytes, at: Self.moment) == expected)
        #expect(try opener.open(.string(token.text), at: Self.moment) == expected)
        #expect(try opener.open(JSON.string(token.text).bytes, at: Self.moment) == expected)
        let nested = refusal { () throws(TokenRefusal) in
            try opener.open(.string(JSON.string(token.text).text), at: Self.moment)
        }
        #expect(nested == "structure/malformed_token")
    }

    @Test("whose shared secret has leading zeros are opened", arguments: ["ECv1", "ECv2"])
    func leadingZeros(version: String) throws {
        var sender = GooglePaySender()
        sender.version = version
        let key = try P256.KeyAgreement.PrivateKey(rawRepresentation: [UInt8](repeating: 7, count: 32))
        var scalar = 0
        repeat {
            scalar += 1
            let bytes = [UInt8](repeating: 0, count: 29) + [16, 8, 0].map { UInt8(scalar >> $0 & 255) }
            sender.ephemeral = try P256.KeyAgreement.PrivateKey(rawRepresentation: bytes)
        } while try sender.sharedSecret(with: key.publicKey).first != 0
        let opener = try opener(for: sender, key: key)
        let token = try sender.token(GooglePayMessage.numberOnly.text, for: key.publicKey)
        #expect(try opener.open(token, at: Self.moment).card.expirationMonth == 12)
    }

    @Test(
        "are refused by the check that fails",
        arguments: [
            Case(testDescription: "nothing wrong", refusal: nil),
            Case(
                testDescription: "another recipient",
                change: { $0.recipient = "merchant:1" },
                refusal: "signature/invalid_signature"
            ),
            Case(
                testDescription: "another recipient, ECv1",
                version: "ECv1",
                change: { $0.recipient = "merchant:1" },
                refusal: "signature/invalid_signature"
            ),
            Case(
                testDescription: "another sender",
                change: { $0.sender = "Goggle" },
                refusal: "certificate_chain/untrusted_intermediate_key"
            ),
            Case(
                testDescription: "another root key",
                change: { $0.root = P256.Signing.PrivateKey() },
                refusal: "certificate_chain/untrusted_intermediate_key"
            ),
            Case(
                testDescription: "another root key, ECv1",
                version: "ECv1",
                change: { $0.root = P256.Signing.PrivateKey() },
                refusal: "signature/invalid_signature"
            ),
            Case(
                testDescription: "an intermediate key of that very moment",
                change: { $0.intermediateExpiration = "1700000000000" },
                refusal: "certificate_chain/intermediate_key_expired"
            ),
            Case(
                testDescription: "an intermediate key of the next millisecond",
                change: { $0.intermediateExpiration = "1700000000001" },
                refusal: nil
            ),
            Case(
                testDescription: "an intermediate key whose expiry is no number",
                change: { $0.intermediateExpiration = "never" },
                refusal: "certificate_chain/malformed_intermediate_key"
            ),
            Case(
                testDescription: "a tag of the wrong length",
                change: { $0.alterMessage = { $0.tag.removeLast() } },
                refusal: "decryption/authentication_failed"
            ),
            Case(
                testDescription: "no tag",
                change: { $0.alterMessage = { $0.tag = [] } },
                refusal: "structure/malformed_signed_message"
            ),
            Case(
                testDescription: "an ephemeral key off the curve",
                change: { $0.alterMessage = { $0.ephemeralPublicKey = [4] + [UInt8](repeating: 1, count: 64) } },
                refusal: "decryption/invalid_ephemeral_key"
            ),
            Case(
                testDescription: "a compressed ephemeral key",
                change: { sender in
                    let compressed = Array(sender.ephemeral.publicKey.compressedRepresentation)
                    sender.alterMessage = { $0.ephemeralPublicKey = compressed }
                },
                refusal: "decryption/invalid_ephemeral_key"
            ),
            Case(
                testDescription: "the point at infinity",
                change: { $0.alterMessage = { $0.ephemeralPublicKey = [0] } },
                refusal: "decryption/invalid_ephemeral_key"
            ),
            Case(
                testDescription: "no protocolVersion",
                edit: { $0["protocolVersion"] = nil },
                refusal: "structure/unsigned_token"
            ),
            Case(
                testDescription: "the version that is not signed",
                edit: { $0["protocolVersion"] = "ECv0" },
                refusal: "structure/unsigned_token"
            ),
            Case(
                testDescription: "the version that is only signed",
                edit: { $0["protocolVersion"] = "ECv2SigningOnly" },
                refusal: "structure/unknown_version"
            ),
            Case(
                testDescription: "a version that is no text",
                edit: { $0["protocolVersion"] = 2 },
                refusal: "structure/unknown_version"
            ),
            Case(
                testDescription: "no intermediate key",
                edit: { $0["intermediateSigningKey"] = nil },
                refusal: "structure/malformed_token"
            ),
            Case(
                testDescription: "no signature",
                edit: { $0["signature"] = nil },
                refusal: "structure/malformed_token"
            ),
            Case(
                testDescription: "a signature that is none",
                edit: { $0["signature"] = "AAAA" },
                refusal: "signature/invalid_signature"
            ),
            Case(
                testDescription: "a signed message that is an object",
                edit: { $0["signedMessage"] = [:] },
                refusal: "structure/malformed_token"
            ),
            Case(testDescription: "a member Google may add", edit: { $0["purpose"] = "later" }, refusal: nil),
        ]
    )
    func refused(_ row: Case) throws {
        var sender = GooglePaySender()
        sender.version = row.version
        let opener = try opener(for: sender)
        row.change(&sender)
        let token = try sender.token(GooglePayMessage.cryptogram.text, for: key.publicKey)
        let parts = try #require(token.objectValue)
        var members = Dictionary(uniqueKeysWithValues: parts.map { ($0.key, $0.value) })
        row.edit(&members)
        let edited = JSON.object(members.sorted { $0.key < $1.key }.map { JSON.Member($0.key, $0.value) })
        #expect(refusal { () throws(TokenRefusal) in try opener.open(edited, at: Self.moment) } == row.refusal)
    }

    @Test("of ECv1 are not taken for ECv2, nor the other way round")
    func versionSwap() throws {
        for (version, other) in [("ECv1", "ECv2"), ("ECv2", "ECv1")] {
            var sender = GooglePaySender()
            sender.version = version
            var otherSender = sender
            otherSender.version = other
            let file = JSON.object([.init("keys", [sender.rootKey, otherSender.rootKey])]).bytes
            let opener = GooglePayOpener(
                roots: try GooglePayRoots(file: file),
                keys: try GooglePayPrivateKeys(pem: [Secret(key.pemRepresentation)]),
                recipientIdentifier: sender.recipient
            )
            let token = try sender.token(GooglePayMessage.numberOnly.text, for: key.publicKey)
            let members = try #require(token.objectValue)
            let swapped = JSON.object(
                members.map { $0.key == "protocolVersion" ? JSON.Member($0.key, .string(other)) : $0 }
            )
            let expected = other == "ECv1" ? "signature/invalid_signature" : "structure/malformed_token"
            #expect(refusal { () throws(TokenRefusal) in try opener.open(swapped, at: Self.moment) } == expected)
        }
    }

    @Test("verify with any of several signatures and of several root keys")
    func severalRoots() throws {
        let sender = GooglePaySender()
        var other = sender
        other.root = P256.Signing.PrivateKey()
        let token = try sender.token(GooglePayMessage.numberOnly.text, for: key.publicKey)
        let opener = GooglePayOpener(
            roots: try GooglePayRoots(file: JSON.object([.init("keys", [other.rootKey, sender.rootKey])]).bytes),
            keys: try GooglePayPrivateKeys(pem: [Secret(key.pemRepresentation)]),
            recipientIdentifier: sender.recipient
        )
        #expect(try opener.open(token, at: Self.moment).card.authentication == .numberOnly)
        let intermediate = try #require(token["intermediateSigningKey"])
        let signature = try #require(intermediate["signatures"]?[0])
        for signatures: [JSON] in [["AAAA", signature], [signature, "AAAA"]] {
            let members = try #require(token.objectValue)
            let signed = try #require(intermediate["signedKey"])
            let edited = JSON.object(
                members.map { member in
                    guard member.key == "intermediateSigningKey" else { return member }
                    return JSON.Member(member.key, ["signedKey": signed, "signatures": .array(signatures)])
                }
            )
            #expect(try opener.open(edited, at: Self.moment).card.authentication == .numberOnly)
        }
    }

    @Test("that are too long, too deep or no JSON are refused before anything else")
    func unreadable() throws {
        let opener = try opener(for: GooglePaySender())
        let long = [UInt8](repeating: UInt8(ascii: " "), count: 65_537)
        let deep = Array((String(repeating: "[", count: 9) + String(repeating: "]", count: 9)).utf8)
        let twice = Array(#"{"protocolVersion":"ECv2","protocolVersion":"ECv1"}"#.utf8)
        for (bytes, code) in [
            (long, "token_too_long"), (deep, "malformed_token"), (twice, "malformed_token"), ([], "malformed_token"),
            ([0xFF], "malformed_token"), (Array("[]".utf8), "malformed_token"),
        ] {
            let refused = refusal { () throws(TokenRefusal) in try opener.open(bytes, at: Self.moment) }
            #expect(refused == "structure/\(code)")
        }
    }

    private func open(_ token: JSON, from sender: GooglePaySender) throws -> GooglePayPayment {
        try opener(for: sender).open(token, at: Self.moment)
    }

    private func opener(
        for sender: GooglePaySender,
        key: P256.KeyAgreement.PrivateKey? = nil
    ) throws -> GooglePayOpener {
        GooglePayOpener(
            roots: try GooglePayRoots(file: sender.rootsFile),
            keys: try GooglePayPrivateKeys(pem: [Secret((key ?? self.key).pemRepresentation)]),
            recipientIdentifier: sender.recipient
        )
    }
}
