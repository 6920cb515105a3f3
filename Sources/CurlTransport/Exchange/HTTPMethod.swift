/// The methods this transport sends.
package enum HTTPMethod: String, Hashable, Sendable {
    /// Reads.
    case get = "GET"
    /// Creates or acts.
    case post = "POST"
    /// Replaces.
    case put = "PUT"
    /// Changes.
    case patch = "PATCH"
    /// Removes.
    case delete = "DELETE"

    /// Whether a request has a body even when it is empty, so that `Content-Length: 0` is sent.
    var alwaysHasBody: Bool {
        switch self {
        case .post, .put, .patch: true
        case .get, .delete: false
        }
    }
}
