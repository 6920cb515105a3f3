import Domain
import SQL
import Storage

/// Looks at the API keys of a marketplace for those whose time is soon over.
struct APIKeyCheck {
    /// How long before its end a key is warned of: 14 days.
    private static let noticeMilliseconds: Int64 = 14 * 86_400_000

    /// A sentence for each key that ends soon.
    let warnings: [String]

    /// Reads the keys.
    init(of marketplace: String, at now: Timestamp, in session: any Session) throws(SQLError) {
        let soon = now.adding(milliseconds: Self.noticeMilliseconds)
        warnings = try APIKeyTable.all(in: session).compactMap { key in
            guard key.marketplace == marketplace, key.isValid(at: now), let end = key.expiresAt, end <= soon else {
                return nil
            }
            let used = key.lastUsedAt.map { "last used at \($0)" } ?? "never used"
            return
                "the API key \(key.id) (\(key.name.harmless)) ends at \(end), \(used); make another with `keys create`"
        }
    }
}
