import Crypto
import Domain
import StrictJSON
import Testing
import TributaryTestKit
import WireFormats

@testable import WalletTokens

@Suite("A Google Pay token with one bit changed")
struct GooglePayMutationTests {
    /// A valid token and what opens it.
    struct Subject: Sendable {
        let token: JSON
        let opener: GooglePayOpener
    }

    /// The refusals before anything is decrypted.
    private static let early: Set<TokenRefusal.Stage> = [.structure, .certificateChain, .signature]

    @Test("is refused before decryption, whichever field it is in", arguments: ["published", "ECv1", "ECv2"])
    func fields(subject name: String) throws {
        let subject = try Self.subject(name)
        var refused = 0
        for path in Self.paths where subject.token.value(at: path) != nil {
            let text = try #require(subject.token.value(at: path)?.stringValue)
            for changed in Self.oneBitChanges(of: Array(text.utf8)) {
                guard let changed = String(validating: changed, as: UTF8.self) else { continue }
                let stage = Self.stage(subject.token.replacing(path, with: .string(changed)), subject.opener)
                #expect(stage.map(Self.early.contains) == true, "\(path): \(String(describing: stage))")
                refused += 1
            }
        }
        #expect(refused > 1000)
    }

    @Test("in the bytes of a signature is refused", arguments: ["published", "ECv1", "ECv2"])
    func signatures(subject name: String) throws {
        let subject = try Self.subject(name)
        for path in [["signature"], ["intermediateSigningKey", "signatures", "0"]]
        where subject.token.value(at: path) != nil {
            let text = try #require(subject.token.value(at: path)?.stringValue)
            for changed in Self.oneBitChanges(of: try #require(Base64.decode(nonempty: text))) {
                let edited = subject.token.replacing(path, with: .string(GooglePaySender.base64(changed)))
                let stage = Self.stage(edited, subject.opener)
                #expect(stage == (path.count == 1 ? .signature : .certificateChain))
            }
        }
    }

    @Test("in the document's bytes is refused, or says the same as before")
    func bytes() throws {
        let subject = try Self.subject("ECv1")
        let bytes = subject.token.bytes
        for changed in Self.oneBitChanges(of: bytes) {
            let stage: TokenRefusal.Stage?
            do throws(TokenRefusal) {
                _ = try subject.opener.open(changed, at: GooglePayFixture.moment)
                stage = nil
            } catch {
                stage = error.stage
            }
            let isSame = (try? JSON.parse(changed)) == subject.token
            #expect(stage.map(Self.early.contains) ?? isSame)
        }
    }

    @Test("in what the signer encrypted is refused by the authentication code, even if it is signed anew")
    func sealed() throws {
        let key = P256.KeyAgreement.PrivateKey()
        let original = GooglePaySender()
        let opener = try Self.opener(for: original, key)
        let text = GooglePayMessage.numberOnly.text
        let changes: [(count: Int, change: @Sendable (inout GooglePaySender.MessageParts, Int, UInt8) -> Void)] = [
            (32, { $0.tag[$1] ^= $2 }),
            (65, { $0.ephemeralPublicKey[$1] ^= $2 }),
            (text.utf8.count, { $0.encryptedMessage[$1] ^= $2 }),
        ]
        for (count, change) in changes {
            for bit in 0..<8 * count {
                var sender = original
                sender.alterMessage = { change(&$0, bit / 8, 1 << UInt8(bit % 8)) }
                let token = try sender.token(text, for: key.publicKey)
                #expect(Self.stage(token, opener) == .decryption)
            }
        }
    }

    private static let paths = [
        ["protocolVersion"], ["signature"], ["signedMessage"], ["intermediateSigningKey", "signedKey"],
        ["intermediateSigningKey", "signatures", "0"],
    ]

    private static func oneBitChanges(of bytes: [UInt8]) -> some Sequence<[UInt8]> {
        (0..<8 * bytes.count).lazy.map { bit in
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            return changed
        }
    }

    private static func stage(_ token: JSON, _ opener: GooglePayOpener) -> TokenRefusal.Stage? {
        do throws(TokenRefusal) {
            _ = try opener.open(token, at: GooglePayFixture.moment)
            return nil
        } catch {
            return error.stage
        }
    }

    private static func subject(_ name: String) throws -> Subject {
        guard name != "published" else {
            let fixture = GooglePayFixture(folder: "yoyowallet-ecv2")
            return Subject(
                token: try JSON.parse(fixture.token("encrypted_token.json")),
                opener: try fixture.opener()
            )
        }
        var sender = GooglePaySender()
        sender.version = name
        let key = P256.KeyAgreement.PrivateKey()
        let token = try sender.token(GooglePayMessage.numberOnly.text, for: key.publicKey)
        return Subject(token: token, opener: try opener(for: sender, key))
    }

    private static func opener(
        for sender: GooglePaySender,
        _ key: P256.KeyAgreement.PrivateKey
    ) throws -> GooglePayOpener {
        GooglePayOpener(
            roots: try GooglePayRoots(file: sender.rootsFile),
            keys: try GooglePayPrivateKeys(pem: [Secret(key.pemRepresentation)]),
            recipientIdentifier: sender.recipient
        )
    }
}

extension JSON {
    /// The value at the end of a path of keys and indices.
    fileprivate func value(at path: [String]) -> JSON? {
        guard let first = path.first else { return self }
        let next = arrayValue == nil ? self[first] : Int(first).flatMap { self[$0] }
        return next?.value(at: Array(path.dropFirst()))
    }

    /// The document with the value at the end of a path replaced.
    fileprivate func replacing(_ path: [String], with value: JSON) -> JSON {
        guard let first = path.first else { return value }
        let rest = Array(path.dropFirst())
        switch self {
        case .object(let members):
            return .object(
                members.map { $0.key == first ? Member($0.key, $0.value.replacing(rest, with: value)) : $0 }
            )
        case .array(let elements):
            return .array(
                elements.enumerated().map {
                    String($0.offset) == first ? $0.element.replacing(rest, with: value) : $0.element
                }
            )
        default: return self
        }
    }
}
