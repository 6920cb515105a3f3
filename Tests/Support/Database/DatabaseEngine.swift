/// The engines behind `SQL.Database`; every storage test runs on each.
package enum DatabaseEngine: String, CaseIterable, Sendable, CustomStringConvertible {
    /// A file of its own in a temporary folder.
    case sqlite
    /// A database of its own on the run's throwaway server.
    case postgres

    package var description: String { rawValue }
}
