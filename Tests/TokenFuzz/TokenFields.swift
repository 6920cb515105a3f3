import Foundation
import StrictJSON

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
