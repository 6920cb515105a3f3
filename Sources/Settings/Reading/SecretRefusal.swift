/// Why a secret cannot be had.
package enum SecretRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The environment variable with that name is not set.
    case unsetVariable(String)
    /// The file with that path cannot be read.
    case unreadableFile(String)
    /// The file with that path is not UTF-8 text.
    case notText(String)
    /// The variable or the file is empty.
    case empty(SecretReference)

    /// A sentence for an operator.
    package var description: String {
        switch self {
        case .unsetVariable(let name): "The environment variable \(name) is not set."
        case .unreadableFile(let path): "The file \(path) cannot be read."
        case .notText(let path): "The file \(path) is not UTF-8 text."
        case .empty(let reference): "The secret at \(reference) is empty."
        }
    }
}
