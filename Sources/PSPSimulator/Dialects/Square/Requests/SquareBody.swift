import StrictJSON

/// The body of a request to Square, and who sends it.
struct SquareBody: Sendable {
    let fields: SquareFields
    /// The seller whose access token was sent.
    let account: String

    /// Reads a request that may have a body.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - known: the endpoint's fields.
    ///   - isOptional: whether there need be no body.
    /// - Throws: ``Refusal``.
    init(_ request: PSPRequest, knowing known: Set<String>, isOptional: Bool = false) throws(Refusal) {
        account = try Self.account(of: request)
        if isOptional, request.body.isEmpty {
            fields = try SquareFields(.object([]), knowing: known)
            return
        }
        guard request.header("Content-Type")?.lowercased().hasPrefix("application/json") ?? true else {
            throw SquareError.refusal("INVALID_CONTENT_TYPE", "The content type must be application/json.")
        }
        guard let json = try? request.json(), json.objectValue != nil else {
            throw SquareError.refusal("EXPECTED_JSON_BODY", "The request body is not a JSON object.")
        }
        fields = try SquareFields(json, knowing: known)
    }

    /// The seller whose access token a request has.
    ///
    /// - Throws: ``Refusal`` if there is none, or the version that is asked for is no date.
    static func account(of request: PSPRequest) throws(Refusal) -> String {
        let account = try Account(of: request).name
        if let version = request.header("Square-Version") {
            guard version.utf8.count == 10, SquareTime.milliseconds(version + "T00:00:00Z") != nil else {
                throw SquareError.refusal("INVALID_SQUARE_VERSION_FORMAT", "The Square-Version is not a date.")
            }
        }
        return account
    }
}
