/// Where the books are kept.
package enum BooksStorage: Hashable, Sendable {
    /// In memory: they die with the simulator.
    case memory
    /// In a file of JSON lines, one a request, on disk before the request is answered and replayed at start.
    case file(path: String)
}
