/// The keys of an object being read, compared by their bytes.
///
/// Few keys are compared one by one; many go into a hash table.
struct KeySet {
    private static let linearLimit = 12
    private var hashed: Set<UTF8Text> = []

    /// Takes in a key that is about to join `members`; false if it is there already.
    mutating func insert(_ key: String, among members: [JSON.Member]) -> Bool {
        guard members.count >= Self.linearLimit else { return !members.contains { $0.isNamed(key) } }
        if hashed.isEmpty { hashed = Set(members.lazy.map { UTF8Text($0.key) }) }
        return hashed.insert(UTF8Text(key)).inserted
    }
}
