/// A host and port: what limits per host count by.
struct Origin: Hashable {
    let host: String
    let port: String
}
