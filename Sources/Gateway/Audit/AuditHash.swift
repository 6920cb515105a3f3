import Crypto
import Storage
import WireFormats

/// The hash that chains an entry to the one before.
///
/// SHA-256 (FIPS 180-4), in hexadecimal, over three lines in UTF-8: the hash before, the number in decimal, the entry's
/// canonical text; a line feed between them, and none at the end.
package enum AuditHash {
    /// What stands for the hash before the first entry: 64 zeros.
    package static let origin = String(repeating: "0", count: 64)

    /// The hash of an entry behind another.
    package static func hash(_ text: String, number: Int64, after previous: String) -> String {
        Hexadecimal.encode(SHA256.hash(data: Array("\(previous)\n\(number)\n\(text)".utf8)))
    }
}

/// How far a chain is: the number of an entry and its hash, which stand for all before it.
package struct AuditHead: Hashable, Sendable, CustomStringConvertible {
    /// The number; 0 for an empty chain.
    package let number: Int64
    /// The hash.
    package let hash: String

    /// An empty chain.
    package static let empty = AuditHead(number: 0, hash: AuditHash.origin)

    /// The place of an entry.
    package init(number: Int64, hash: String) {
        self.number = number
        self.hash = hash
    }

    /// Reads `12:<64 hexadecimal digits>`; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int64(parts[0]), number >= 0, parts[1].utf8.count == 64,
            Hexadecimal.decode(parts[1]) != nil
        else { return nil }
        self.init(number: number, hash: parts[1].lowercased())
    }

    /// As it is typed.
    package var description: String { "\(number):\(hash)" }
}
