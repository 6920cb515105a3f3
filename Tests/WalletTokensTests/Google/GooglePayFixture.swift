import Domain
import Foundation
import StrictJSON
import Testing

@testable import WalletTokens

/// Published tokens and the keys that open them.
struct GooglePayFixture {
    /// 2026-03-01T12:00:00Z, when every published key was in force.
    static let moment = Timestamp(microseconds: 1_772_366_400_000_000)

    /// The folder in which both lie.
    let folder: String

    /// The bytes of a file of any folder.
    static func bytes(_ path: String) throws -> [UInt8] {
        let folder = try #require(Bundle.module.resourceURL)
        return try Array(Data(contentsOf: folder.appending(path: "Fixtures/google-pay/\(path)")))
    }

    /// A token of the folder.
    func token(_ name: String) throws -> [UInt8] { try Self.bytes("\(folder)/\(name)") }

    /// The root keys of the folder, as a file in Google's form.
    func rootsFile() throws -> [UInt8] {
        let roots = try #require(keys()["roots"])
        return JSON.object([.init("keys", roots)]).bytes
    }

    /// A private key of the folder, in PEM.
    func privateKey(_ name: String = "merchant_private_key_pkcs8_b64") throws -> Secret {
        let base64 = try #require(keys()[name]?.stringValue)
        return Secret("-----BEGIN PRIVATE KEY-----\n\(base64)\n-----END PRIVATE KEY-----\n")
    }

    /// What opens the folder's tokens, unless something else is asked for.
    func opener(recipient: String? = nil, keys: [Secret]? = nil) throws -> GooglePayOpener {
        let published = try #require(self.keys()["recipient"]?.stringValue)
        return GooglePayOpener(
            roots: try GooglePayRoots(file: rootsFile()),
            keys: try GooglePayPrivateKeys(pem: keys ?? [privateKey()]),
            recipientIdentifier: recipient ?? published
        )
    }

    private func keys() throws -> JSON { try JSON.parse(token("keys.json")) }
}

extension Timestamp {
    /// A moment by the milliseconds since 1970.
    static func milliseconds(_ milliseconds: Int64) -> Timestamp {
        Timestamp(microseconds: 0).adding(milliseconds: milliseconds)
    }
}

extension TokenRefusal {
    /// Stage and code, to compare with what is expected.
    var name: String { "\(stage.rawValue)/\(code)" }
}

/// The stage and code with which `body` refuses; nil if it does not.
func refusal<Value>(_ body: () throws(TokenRefusal) -> Value) -> String? {
    do throws(TokenRefusal) {
        _ = try body()
        return nil
    } catch {
        return error.name
    }
}
