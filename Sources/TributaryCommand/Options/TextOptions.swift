import ArgumentParser
import Domain
import Foundation
import Settings

/// Text that an option brings.
extension TextRule {
    /// The text in the one spelling it has.
    ///
    /// - Throws: `ValidationError` that names the character which has no place in it.
    func checked(_ text: String, _ option: String) throws -> String {
        do throws(TextObjection) {
            return try accept(text)
        } catch {
            throw ValidationError("\(option): \(error)")
        }
    }
}

extension SecretReference {
    /// The same with a file named from the root, since the server may run in another folder.
    var absolute: SecretReference {
        guard case .file(let path) = self else { return self }
        return .file(URL(fileURLWithPath: path).standardizedFileURL.path)
    }

    /// A reference as it is typed, a relative path from the folder the command runs in.
    ///
    /// - Throws: ``CommandFailure`` for anything else, a literal secret above all.
    static func absolute(_ text: String) throws(CommandFailure) -> SecretReference {
        guard let reference = SecretReference(text) else {
            throw .unusable("a reference to a secret is env:NAME or file:PATH; a secret itself has no place there")
        }
        return reference.absolute
    }
}
