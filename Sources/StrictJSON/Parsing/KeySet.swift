/// The keys of an object being read.
///
/// Few keys are compared one by one; many go into a hash table.
struct KeySet {
    private static let linearLimit = 12
    private var hashed: Set<String> = []

    /// Takes in a key that is about to join `members`; false if it, or a canonical equivalent, is there already.
    mutating func insert(_ key: String, among members: [JSON.Member]) -> Bool {
        guard members.count >= Self.linearLimit else { return !members.contains { $0.key == key } }
        if hashed.isEmpty { hashed = Set(members.lazy.map(\.key)) }
        return hashed.insert(key).inserted
    }
}
