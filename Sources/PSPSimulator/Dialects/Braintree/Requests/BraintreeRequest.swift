import StrictJSON

/// A request to Braintree, checked against its schema, and who sends it.
struct BraintreeRequest: Sendable {
    /// What it asks.
    let call: GraphQLCall
    /// The account's name in the books: that of the private key.
    let account: String

    /// Reads a request.
    ///
    /// - Throws: ``Refusal``.
    init(_ request: PSPRequest) throws(Refusal) {
        guard let (publicKey, privateKey) = request.basic, !publicKey.isEmpty, !("_" + publicKey).hasSuffix("_invalid")
        else { throw .unauthorized }
        account = try Account(key: privateKey).name
        call = try Self.call(request)
    }

    /// What a request asks, whoever sends it.
    ///
    /// - Throws: ``Refusal``.
    static func call(_ request: PSPRequest) throws(Refusal) -> GraphQLCall {
        guard let version = request.header("Braintree-Version"), isVersion(version) else {
            throw BraintreeFault(
                errorClass: "UNSUPPORTED_CLIENT",
                message: "A Braintree-Version header with a date from 2018-09-10 on is required."
            ).refusal
        }
        let type = request.header("Content-Type")?.split(separator: ";").first ?? ""
        guard type.lowercased() == "application/json" else {
            throw .graphQL("The content type of a request must be application/json.")
        }
        let json = try request.json()
        guard let query = json["query"]?.stringValue else { throw .graphQL("The body needs a query.") }
        let variables = json["variables"] ?? .null
        guard variables.isNull || variables.objectValue != nil else {
            throw .graphQL("The variables are not an object.")
        }
        let call = try GraphQLCall(
            try GraphQLDocument(query),
            operation: json["operationName"]?.stringValue,
            variables: variables,
            BraintreeSchema.types,
            scalar: BraintreeScalar.value
        )
        guard !call.isMutation || call.roots.count == 1 else {
            throw .graphQL("This simulator runs one mutation a request.")
        }
        return call
    }

    /// `YYYY-MM-DD`, on or after the day of the first version.
    private static func isVersion(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, zip(parts, [4, 2, 2]).allSatisfy({ BraintreeScalar.isDigits($0, count: $1...$1) })
        else { return false }
        return ("01"..."12").contains(parts[1]) && ("01"..."31").contains(parts[2]) && text >= "2018-09-10"
    }
}
