/// The requests of Authorize.Net's schema that the simulator answers (`AnetApiSchema.xsd`, 2026-02).
enum AuthorizeNetSchema {
    private typealias Place = AuthorizeNetParticle

    /// The elements of a request, in their order.
    static func places(of method: AuthorizeNetMethod) -> [AuthorizeNetParticle] { header + body(of: method) }

    private static func body(of method: AuthorizeNetMethod) -> [Place] {
        switch method {
        case .authenticateTest: []
        case .createTransaction: [Place("transactionRequest", .sequence(AuthorizeNetTransactionSchema.places)).required]
        case .getTransactionDetails: [Place("transId", .digits).required]
        case .getUnsettledTransactionList: [Place("status", .words(["any", "pendingApproval"]))] + pages
        case .getSettledBatchList:
            [
                Place("includeStatistics", .boolean), Place("firstSettlementDate", .moment),
                Place("lastSettlementDate", .moment),
            ]
        case .getTransactionList: [Place("batchId", .digits)] + pages
        }
    }

    private static let header: [Place] = [
        Place(
            "merchantAuthentication",
            .sequence([
                .text("name", 25),
                Place(anyOf: [
                    ("transactionKey", .text(0...16)), ("sessionToken", .anything), ("password", .text(0...40)),
                    ("impersonationAuthentication", .anything), ("fingerPrint", .anything), ("clientKey", .anything),
                    ("accessToken", .anything),
                ]).required,
                .text("mobileDeviceId", 60),
            ])
        ).required,
        .text("clientId", 30), .text("refId", 20),
    ]

    private static let pages: [Place] = [
        Place(
            "sorting",
            .sequence([
                Place("orderBy", .words(["id", "submitTimeUTC"])).required,
                Place("orderDescending", .boolean).required,
            ])
        ),
        Place(
            "paging",
            .sequence([
                Place("limit", .integer(1...1000)).required, Place("offset", .integer(1...100_000)).required,
            ])
        ),
    ]
}
