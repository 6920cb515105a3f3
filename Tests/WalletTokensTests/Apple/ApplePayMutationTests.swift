import Domain
import Foundation
import StrictJSON
import Testing
import WireFormats

@testable import WalletTokens

@Suite("Apple Pay: changed tokens")
struct ApplePayMutationTests {
    /// How many bits of each field of each token are changed: as many as the environment says, or a few.
    static let bitsPerField =
        ProcessInfo.processInfo.environment["TRIBUTARY_TOKEN_BITS"].flatMap { $0 == "all" ? .max : Int($0) } ?? 10

    /// A field whose every bit is signed, or signs.
    enum Field: String, CaseIterable {
        case data, signature, ephemeralPublicKey, wrappedKey, transactionId, applicationData

        var isHexadecimal: Bool { self == .transactionId || self == .applicationData }
    }

    @Test(
        "a token with one bit changed is refused before anything is decrypted, the first of a signer as a later one",
        arguments: ApplePayVector.all
    )
    func everyBit(vector: ApplePayVector) throws {
        let known = vector.opener()
        _ = try known.open(vector.token, at: vector.signingTime)
        let data = try vector.paymentData()
        for field in Field.allCases {
            guard let bytes = Self.bytes(of: field, in: data) else { continue }
            for bit in Self.sample(of: bytes.count * 8) {
                var changed = bytes
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                let token = Self.setting(field, to: changed, in: data)
                let first = Self.verdict(vector.opener(), token, vector.signingTime)
                let later = Self.verdict(known, token, vector.signingTime)
                let place = "\(field.rawValue), bit \(bit)"
                #expect(first?.stage == later?.stage && first?.code == later?.code, "\(place)")
                let stages: [TokenRefusal.Stage] = [.structure, .certificateChain, .signature]
                #expect(first.map { stages.contains($0.stage) } == true, "\(place)")
            }
        }
    }

    @Test("a token that names another public key finds no key", arguments: ApplePayVector.all)
    func publicKeyHash(vector: ApplePayVector) throws {
        var hash = vector.key.publicKeyHash
        hash[31] ^= 1
        let data = try vector.paymentData().setting(
            ["header", "publicKeyHash"],
            .string(Data(hash).base64EncodedString())
        )
        #expect(Self.verdict(vector.opener(), data, vector.signingTime)?.name == "key_selection/unknown_key")
    }

    @Test("a token of another's application data is refused, also where the token has none")
    func addedApplicationData() throws {
        let vector = try SyntheticVectors.vector("ec_single")
        let hash = JSON.string(String(repeating: "0", count: 64))
        let data = try vector.paymentData().setting(["header", "applicationData"], hash)
        #expect(Self.verdict(vector.opener(), data, vector.signingTime)?.name == "signature/content_changed")
        let other = try SyntheticVectors.vector("ec_application_data")
        let without = try other.paymentData().setting(["header", "applicationData"], nil)
        #expect(Self.verdict(other.opener(), without, other.signingTime)?.name == "signature/content_changed")
    }

    @Test("a token of one version under the name of the other is refused", arguments: ["ec_single", "rsa_emv"])
    func version(name: String) throws {
        let vector = try SyntheticVectors.vector(name)
        let (version, own, other) =
            name == "rsa_emv"
            ? ("EC_v1", "wrappedKey", "ephemeralPublicKey") : ("RSA_v1", "ephemeralPublicKey", "wrappedKey")
        let data = try vector.paymentData()
        let renamed = data.setting(["version"], .string(version))
        #expect(Self.verdict(vector.opener(), renamed, vector.signingTime)?.name == "structure/version_key_mismatch")
        let key = try #require(data["header"]?[own])
        let moved = renamed.setting(["header", own], nil).setting(["header", other], key)
        #expect(Self.verdict(vector.opener(), moved, vector.signingTime)?.name == "signature/wrong_algorithm")
        let both = data.setting(["header", other], key)
        #expect(Self.verdict(vector.opener(), both, vector.signingTime)?.name == "structure/version_key_mismatch")
        let null = data.setting(["header", other], .null)
        #expect(Self.verdict(vector.opener(), null, vector.signingTime)?.name == "structure/version_key_mismatch")
    }

    private static func verdict(_ opener: ApplePayOpener, _ token: JSON, _ moment: Timestamp) -> TokenRefusal? {
        do throws(TokenRefusal) {
            _ = try opener.open(token, at: moment)
            return nil
        } catch {
            return error
        }
    }

    private static func bytes(of field: Field, in data: JSON) -> [UInt8]? {
        guard let text = (data[field.rawValue] ?? data["header"]?[field.rawValue])?.stringValue else { return nil }
        return field.isHexadecimal ? Hexadecimal.decode(text) : Base64.decode(nonempty: text)
    }

    private static func setting(_ field: Field, to bytes: [UInt8], in data: JSON) -> JSON {
        let text = field.isHexadecimal ? Hexadecimal.encode(bytes) : Data(bytes).base64EncodedString()
        let isOuter = data[field.rawValue] != nil
        return data.setting(isOuter ? [field.rawValue] : ["header", field.rawValue], .string(text))
    }

    private static func sample(of count: Int) -> any Sequence<Int> {
        guard bitsPerField < count else { return 0..<count }
        return (0..<bitsPerField).map { _ in Int.random(in: 0..<count) }
    }
}

extension JSON {
    /// The document with another value at a path of keys; nil takes the member away.
    func setting(_ path: [String], _ value: JSON?) -> JSON {
        guard let key = path.first, var members = objectValue else { return value ?? self }
        let index = members.firstIndex { $0.key == key }
        let replacement = path.count == 1 ? value : (self[key] ?? .object([])).setting(Array(path.dropFirst()), value)
        if let index { members.remove(at: index) }
        if let replacement { members.insert(.init(key, replacement), at: index ?? members.count) }
        return .object(members)
    }
}
