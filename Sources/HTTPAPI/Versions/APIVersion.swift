import HTTPTypes
import Hummingbird

/// A version of the API: the day from which answers are as they are.
///
/// What is added needs no version, for whoever reads answers ignores what they do not know. What would break a caller gets
/// one, with a ``VersionChange`` that makes the older answer of the newer one.
package struct APIVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The header that asks for a version, and that names the one of an answer.
    static let header = HTTPField.Name("Tributary-Version")

    /// The first.
    static let november1 = APIVersion(known: "2026-11-01")
    /// Problems are explained at their type; payments and what belongs to them stand alone.
    static let november23 = APIVersion(known: "2026-11-23")

    /// Every version that is answered, the oldest first.
    package static let all = [november1, november23]

    /// The version of whoever asks for none.
    package static let newest = november23

    /// The day, as `2026-11-23`.
    package let text: String

    /// A version that there is; nil for any other text.
    package init?(_ text: String) {
        guard let known = Self.all.first(where: { $0.text == text }) else { return nil }
        self = known
    }

    private init(known text: String) { self.text = text }

    /// The day.
    package var description: String { text }

    /// Whether one is older than another.
    package static func < (one: APIVersion, other: APIVersion) -> Bool { one.text < other.text }

    /// The version that a request asks for; nil if it asks for none.
    ///
    /// - Throws: a 400 ``Problem`` that names the versions there are.
    static func asked(by request: Request) throws(Problem) -> APIVersion? {
        guard let header, let value = request.headers[header] else { return nil }
        if let text = value.boundedASCII, let version = APIVersion(text) { return version }
        throw Problem(
            status: .badRequest,
            code: "unknown_api_version",
            detail: "Tributary-Version is one of \(all.map(\.text).joined(separator: ", "))."
        )
    }
}
