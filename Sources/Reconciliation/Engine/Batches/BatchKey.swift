/// Which batch a sum is of.
struct BatchKey: Hashable {
    var digest: UInt64
    var account: UInt16
    var currency: UInt16
    var batch: String

    func hash(into hasher: inout Hasher) {
        hasher.combine(digest)
        hasher.combine(currency)
    }
}
