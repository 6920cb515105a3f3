import Domain

/// Agreements and moments for the tests of agreements.
enum TestAgreement {
    /// The moment at which they are made.
    static let start = Timestamp(microseconds: 1_790_000_000_000_000)
    /// A day in milliseconds.
    static let day: Int64 = 86_400_000

    /// A moment, so many days later.
    static func day(_ days: Int64) -> Timestamp { start.adding(milliseconds: days * day) }

    /// An agreement under which nothing was paid.
    static func pending(
        _ type: AgreementType = .recurring,
        _ bound: AgreementTerms.Bound = .maximum(5000)
    ) throws -> Agreement {
        var ids = IdentifierSource()
        return Agreement(
            id: ids.make(at: start),
            marketplace: "travel",
            merchant: ids.make(at: start),
            externalIdentifier: "airline",
            terms: AgreementTerms(type: type, currency: try dollars(1).currency, bound: bound, description: "Lounge"),
            reference: "buyer-1",
            createdAt: start
        )
    }

    /// An agreement that can be charged.
    static func active(
        _ type: AgreementType = .recurring,
        _ bound: AgreementTerms.Bound = .maximum(5000)
    ) throws -> Agreement {
        var agreement = try pending(type, bound)
        _ = agreement.apply(.firstPaymentPlaced(order(1), candidate: nil), at: start)
        _ = agreement.apply(.methodKept(method(1)), at: start)
        _ = agreement.apply(.firstPaymentSucceeded, at: start)
        return agreement
    }

    /// A method.
    static func method(_ number: UInt128, _ kind: AgreementMethod.Kind = .pspToken) -> AgreementMethod {
        AgreementMethod(
            id: StoredMethodID(bits: number),
            kind: kind,
            route: RouteSnapshot(psp: "simulator", pspAccount: "sim-a"),
            last4: "4242"
        )
    }

    /// An order's name.
    static func order(_ number: UInt128) -> OrderID { OrderID(bits: number << 32) }

    /// An amount in US dollars.
    static func dollars(_ cents: Int64) throws -> Money {
        guard let currency = Currency(code: "USD") else { throw MoneyError.currencyMismatch }
        return try Money(minorUnits: cents, currency: currency)
    }

    /// A decline.
    static func decline(_ category: Decline.Category, _ advice: Decline.RetryAdvice? = nil) -> Decline {
        Decline(code: "51", category: category, message: "No.", advice: advice)
    }
}
