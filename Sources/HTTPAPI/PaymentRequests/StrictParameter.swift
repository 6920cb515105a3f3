import Hummingbird

/// The query parameter `strict`, which turns warnings into errors.
enum StrictParameter {
    /// Whether it is `true`; absent means `false`.
    ///
    /// - Throws: a 422 ``Problem`` for any other value.
    static func value(of request: Request) throws(Problem) -> Bool {
        switch try Query(of: request, allowing: ["strict"])["strict"] {
        case nil, "false": return false
        case "true": return true
        default: throw Query.refusal("strict", "true or false")
        }
    }
}
