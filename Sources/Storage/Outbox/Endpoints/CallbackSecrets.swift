package import Domain
package import SQL
import StrictJSON

/// What an endpoint's callbacks are signed with: the current secret and, while one is replaced, those before it.
///
/// None of them stands here in the clear.
package struct CallbackSecrets: Hashable, Sendable {
    /// How a secret is kept.
    package enum Kept: Hashable, Sendable {
        /// Elsewhere: `env:NAME` or `file:PATH`.
        case reference(String)
        /// Here, encrypted under the key of that name; the bytes in hexadecimal.
        case sealed(keyID: String, hexadecimal: String)
    }

    /// A secret that was replaced and still signs for a while.
    package struct Previous: Hashable, Sendable {
        /// How it is kept.
        package let kept: Kept
        /// From when on it signs nothing more.
        package let until: Timestamp
    }

    /// The one that whoever receives should verify with.
    package private(set) var current: Kept
    /// Those that were replaced, the latest first.
    package private(set) var previous: [Previous]

    /// One secret.
    package init(_ current: Kept) {
        self.current = current
        previous = []
    }

    /// Replaces the current secret, which goes on signing beside the new one until `until`; those before it no longer
    /// than that.
    package mutating func rotate(to kept: Kept, until: Timestamp, at now: Timestamp) {
        let older = previous.map { Previous(kept: $0.kept, until: min($0.until, until)) }
        previous = ([Previous(kept: current, until: until)] + older).filter { $0.until > now && $0.kept != kept }
        current = kept
    }

    /// Every secret that signs at `now`, the current one first.
    package func valid(at now: Timestamp) -> [Kept] { [current] + previous.filter { $0.until > now }.map(\.kept) }

    /// The document as JSON text.
    package var text: String {
        let older = previous.map { $0.kept.document + [.init("until", .integer($0.until.microseconds))] }
        return JSON.object([
            .init("current", .object(current.document)), .init("previous", .array(older.map(JSON.object))),
        ])
        .text
    }

    /// Reads a document back.
    ///
    /// - Throws: `SQLError.unexpectedValue(column:)` for what ``text`` does not write.
    package init(text: String) throws(SQLError) {
        guard let json = try? JSON.parse(text: text), let current = json["current"].flatMap(Kept.init),
            let older = json["previous"]?.arrayValue
        else { throw .unexpectedValue(column: "secrets") }
        self.current = current
        var previous: [Previous] = []
        for document in older {
            guard let kept = Kept(document), let until = document["until"]?.integerValue else {
                throw .unexpectedValue(column: "secrets")
            }
            previous.append(Previous(kept: kept, until: Timestamp(microseconds: until)))
        }
        self.previous = previous
    }
}

extension CallbackSecrets.Kept {
    fileprivate var document: [JSON.Member] {
        switch self {
        case .reference(let reference): [.init("reference", .string(reference))]
        case .sealed(let key, let hexadecimal): [.init("key", .string(key)), .init("sealed", .string(hexadecimal))]
        }
    }

    fileprivate init?(_ document: JSON) {
        if let reference = document["reference"]?.stringValue {
            self = .reference(reference)
        } else if let key = document["key"]?.stringValue, let bytes = document["sealed"]?.stringValue {
            self = .sealed(keyID: key, hexadecimal: bytes)
        } else {
            return nil
        }
    }
}
