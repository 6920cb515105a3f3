import Foundation
import StrictJSON
import WalletTokens

/// Opens changed tokens until one is taken, or the number that was asked for is refused.
///
/// Arguments: how many (100,000 unless said), and the seed (random unless said). Exits 1 if a changed token was taken,
/// or refused at another stage by a signer's first look than by a later one.
@main
enum TokenFuzz {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
        let count = Int(arguments.first ?? 100_000)
        let seed = arguments.dropFirst().first ?? UInt64.random(in: .min ... .max)
        say("seed \(seed), \(count) changed tokens")
        let specimens = try Specimen.all(fixtures: fixtures)
        var mutator = Mutator(seed: seed, specimens)
        var stages: [String: Int] = [:]
        for number in 0..<count {
            let (specimen, text) = mutator.next()
            let verdict = verdict(specimen.opener, specimen, text)
            stages[verdict.name, default: 0] += 1
            var failure = verdict.isFailure ? "was taken" : nil
            if mutator.asksFreshOpener() {
                let first = Self.verdict(specimen.fresh(), specimen, text)
                if first.name != verdict.name { failure = "is \(verdict.name), and \(first.name) at first" }
            }
            if let failure {
                say("number \(number) \(failure):\n\(String(decoding: text, as: UTF8.self))")
                exit(1)
            }
        }
        for (stage, count) in stages.sorted(by: { $0.key < $1.key }) { say("\(stage): \(count)") }
        say("no crash, and none was taken that is not the same token in another encoding")
    }

    private static func verdict(
        _ opener: ApplePayOpener,
        _ specimen: Specimen,
        _ text: [UInt8]
    ) -> (name: String, isFailure: Bool) {
        do throws(TokenRefusal) {
            let opened = try opener.open(text, at: specimen.moment)
            let json = try? JSON.parse(text)
            let isSame = json.map { TokenFields.areEquivalent($0, specimen.token) } ?? false
            return ("the same in another encoding", !isSame || opened != specimen.opened)
        } catch {
            return (error.stage.rawValue, false)
        }
    }

    /// The folder of published tokens beside this file's.
    private static var fixtures: String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "WalletTokensTests/Fixtures/apple-pay").path
    }

    private static func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}

/// The fields of a token as bytes.
enum TokenFields {
    /// The bytes of a field; nil if it is not there or its text is none.
    static func bytes(_ token: JSON, _ path: [String]) -> [UInt8]? {
        guard let text = value(token, path)?.stringValue else { return nil }
        guard isHexadecimal(path) else { return Data(base64Encoded: text).map(Array.init) }
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// The token with other bytes in a field.
    static func setting(_ bytes: [UInt8], _ path: [String], in token: JSON) -> JSON {
        let digits = bytes.map { String(UInt16(0x100) + UInt16($0), radix: 16).dropFirst() }.joined()
        return setting(.string(isHexadecimal(path) ? digits : Data(bytes).base64EncodedString()), path[...], in: token)
    }

    /// Whether two tokens are the same in all that is signed or signs, apart from how the signature is encoded.
    static func areEquivalent(_ one: JSON, _ other: JSON) -> Bool {
        Specimen.fields.allSatisfy { path in
            guard path == ["signature"] else { return bytes(one, path) == bytes(other, path) }
            let signatures = [one, other].map { bytes($0, path).flatMap(Element.init)?.canonical }
            return signatures[0] != nil && signatures[0] == signatures[1]
        }
    }

    private static func isHexadecimal(_ path: [String]) -> Bool {
        path.last == "transactionId" || path.last == "applicationData"
    }

    private static func value(_ token: JSON, _ path: [String]) -> JSON? {
        path.reduce(Optional(token)) { value, key in value.flatMap { $0[key] } }
    }

    private static func setting(_ value: JSON, _ path: ArraySlice<String>, in json: JSON) -> JSON {
        guard let key = path.first, let members = json.objectValue else { return value }
        let changed = members.map { member in
            member.key == key ? JSON.Member(key, setting(value, path.dropFirst(), in: member.value)) : member
        }
        return .object(members.contains { $0.key == key } ? changed : changed + [.init(key, value)])
    }
}
