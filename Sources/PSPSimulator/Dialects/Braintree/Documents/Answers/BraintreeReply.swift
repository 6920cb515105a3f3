import StrictJSON

/// Braintree's answers, which always have the status 200 and a request's identifier.
enum BraintreeReply {
    /// What was asked for.
    static func data(_ members: [JSON.Member]) -> PSPReply {
        PSPReply(200, ["data": .object(members), "extensions": extensions])
    }

    /// The answer to a mutation.
    static func data(_ root: GraphQLNode, _ payload: JSON) -> PSPReply {
        data([JSON.Member(root.key, root.answer(payload))])
    }

    /// What went wrong.
    ///
    /// - Parameters:
    ///   - error: the only element of `errors`.
    ///   - root: what the answer calls the field that failed; nil if nothing was run.
    ///   - status: the HTTP status.
    /// - Returns: the answer.
    static func error(_ error: JSON, root: String? = nil, status: Int = 200) -> PSPReply {
        PSPReply(
            status,
            .object(omittingAbsent: [
                "data": root.map { .object([JSON.Member($0, .null)]) }, "errors": [error], "extensions": extensions,
            ])
        )
    }

    private static var extensions: JSON {
        let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        let parts = [bytes[..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10...]].map(Hexadecimal.encode)
        return ["requestId": .string(parts.joined(separator: "-"))]
    }
}
