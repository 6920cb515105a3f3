/// Why a books file cannot be used.
package enum BooksFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another simulator has it open.
    case inUse(path: String)
    /// The line with that number, from 1, is none that this version wrote.
    case unreadable(path: String, line: Int)
    /// It cannot be opened, read or written.
    case inaccessible(path: String, reason: String)

    /// A sentence with the path.
    package var description: String {
        switch self {
        case .inUse(let path): "the books file \(path) is in use by another simulator"
        case .unreadable(let path, let line): "line \(line) of the books file \(path) cannot be read"
        case .inaccessible(let path, let reason): "the books file \(path) cannot be used: \(reason)"
        }
    }
}
