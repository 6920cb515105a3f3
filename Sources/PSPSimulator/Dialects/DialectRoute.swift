/// One endpoint of a PSP.
package struct DialectRoute: Sendable {
    /// The methods that PSPs use.
    package enum Method: String, Hashable, Sendable {
        /// Read.
        case get = "GET"
        /// Do.
        case post = "POST"
        /// Replace.
        case put = "PUT"
    }

    /// The method.
    package let method: Method
    /// The path, with `:name` for a segment that varies; a fixed segment is preferred to one that varies.
    package let path: String
    /// What a request to it asks.
    let read: @Sendable (PSPRequest) throws(Refusal) -> Ask

    /// Describes an endpoint.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - path: the path, with `:name` for a segment that varies.
    ///   - read: what a request asks; throws a refusal if it is wrong by itself.
    init(
        _ method: Method,
        _ path: String,
        _ read: @escaping @Sendable (PSPRequest) throws(Refusal) -> Ask
    ) {
        self.method = method
        self.path = path
        self.read = read
    }
}
