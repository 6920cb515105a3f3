package import StrictJSON

/// Which references to secrets a declaration that comes over HTTP may have: to files in a folder of its marketplace's own.
///
/// Whoever declares also says where a secret is sent, as the address of a PSP. A reference to any secret of the server's
/// would be as good as the secret, and the keys of other marketplaces are among them. Without a folder there are no
/// references over HTTP; the command line, which runs where the secrets are, takes any.
package struct AllowedReferences: Hashable, Sendable {
    /// What the setting has to be.
    static let expected = "the absolute path of a folder with a folder for each marketplace, /run/secrets/tributary"

    /// The folder, without a slash at its end; nil if nothing is allowed.
    private let folder: String?

    /// Allows none.
    package init() { folder = nil }

    /// Allows the files below a folder, for each marketplace those in the folder of its id.
    ///
    /// Nil if the path is not absolute or leads up again.
    package init?(below folder: String) {
        guard folder.hasPrefix("/"), folder.count > 1, !folder.hasSuffix("/"), Self.isPlain(folder.dropFirst()) else {
            return nil
        }
        self.folder = folder
    }

    /// What is to be said of every reference in a document that a marketplace's declaration may not have.
    package func refusals(in json: JSON, of marketplace: String) -> [String] {
        references(in: json, at: "").filter { !allows($0.text, of: marketplace) }.map { reference in
            let place = folder.map { "over HTTP only file:\($0)/\(marketplace)/NAME may be referred to" }
            let reason = place ?? "over HTTP nothing may be referred to while apply_secrets is not set"
            return "\(reference.pointer): \(reason); apply it on the server's command line"
        }
    }

    private func allows(_ text: String, of marketplace: String) -> Bool {
        guard let folder else { return false }
        let beginning = "file:\(folder)/\(marketplace)/"
        return text.utf8.starts(with: beginning.utf8) && Self.isPlain(text.dropFirst(beginning.count))
    }

    /// Whether a path's parts are names, none of them empty or leading elsewhere.
    private static func isPlain(_ path: Substring) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." && !$0.utf8.contains(0) }
    }

    private func references(in json: JSON, at pointer: String) -> [(pointer: String, text: String)] {
        switch json {
        case .string(let text):
            ["env:", "file:"].contains { text.utf8.starts(with: $0.utf8) } ? [(pointer, text)] : []
        case .array(let elements):
            elements.enumerated().flatMap { references(in: $0.element, at: "\(pointer)/\($0.offset)") }
        case .object(let members):
            members.flatMap { references(in: $0.value, at: "\(pointer)/\($0.key)") }
        case .null, .bool, .integer, .number: []
        }
    }
}
