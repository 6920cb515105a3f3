import Domain
import Gateway
import Hummingbird
import StrictJSON
import WireFormats

/// `/v1/payment-requests`.
struct PaymentRequestRoutes: Sendable {
    let requests: PaymentRequests
    /// Where Apple tells of the merchant tokens of agreements.
    let tokenAddress: MerchantTokenAddress
    let door: Door
    let pages: PageRequests
    let clock: any GatewayClock
    let authenticator: Authenticator
    let body: RequestBody
    let reader: PaymentRequestReader

    func add(to router: Router<APIContext>) {
        router.post("/v1/payment-requests") { request, context in try await store(request, context) }
        router.post("/v1/payment-requests/validate") { request, context in try await validate(request, context) }
        router.post("/v1/payment-requests/{id}") { request, context in try await revise(request, context) }
    }

    private func store(_ request: Request, _ context: APIContext) async throws -> Response {
        let visit = try await door.enter()
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.checkout, .publishable)
        try pages.requireListedOrigin(of: request, by: principal)
        visit.leave()
        let json = try await body.json(of: request)
        let isStrict = try StrictParameter.value(of: request)
        let stored = try await pages.counting(principal) {
            try await visit.reenter()
            defer { visit.leave() }
            let (draft, strict) = try Problem.reading { () throws(InvalidDocument) in try reader.draft(json) }
            // Whoever reads a page makes no agreements.
            if draft.agreement != nil { try principal.require(.checkout) }
            return try await requests.store(draft, of: principal.marketplace, strict: strict || isStrict)
        }
        return .json(
            PaymentRequestPresenter.json(stored, tokenAddress).told(to: principal).bytes,
            status: .created,
            headers: [("Location", "/v1/payment-requests/\(stored.id)")]
        )
    }

    private func revise(_ request: Request, _ context: APIContext) async throws -> Response {
        let (principal, json) = try await read(request, context, .checkout)
        let isStrict = try StrictParameter.value(of: request)
        guard let id = context.pathParameter("id").flatMap({ PaymentRequestID($0) }) else { throw Problem.notFound }
        let (revision, strict) = try Problem.reading { () throws(InvalidDocument) in try reader.revision(json) }
        let revised = try await requests.revise(
            id,
            of: principal.marketplace,
            with: revision,
            strict: strict || isStrict
        )
        return .json(PaymentRequestPresenter.json(revised, tokenAddress).told(to: principal))
    }

    /// A dry run of our own body or of Apple's own JSON, told apart by their keys.
    private func validate(_ request: Request, _ context: APIContext) async throws -> Response {
        let (principal, json) = try await read(request, context, .checkout)
        let isStrict = try StrictParameter.value(of: request)
        if ApplePayVocabulary.isRequest(json) { return try validateApple(json, isStrict) }
        let (draft, strict) = try Problem.reading { () throws(InvalidDocument) in try reader.draft(json) }
        let plan = try await requests.check(draft, of: principal.marketplace, strict: strict || isStrict)
        return Self.valid(plan.warnings)
    }

    private func validateApple(_ json: JSON, _ isStrict: Bool) throws(Problem) -> Response {
        let found = ApplePayRequestValidation.violations(
            in: json,
            strict: isStrict || json["strict"] == true,
            now: clock.now()
        )
        let wrongType = Violation(pointer: "/strict", code: "wrong_type", detail: "Must be true or false.")
        let isWrong = json["strict"].map { $0.boolValue == nil } ?? false
        let errors = found.errors + (isWrong ? [wrongType] : [])
        guard errors.isEmpty else { throw Problem.invalid(errors) }
        return Self.valid(found.warnings)
    }

    private static func valid(_ warnings: [Violation]) -> Response {
        .json(["valid": true, "warnings": .array(warnings.map(\.json))])
    }

    private func read(
        _ request: Request,
        _ context: APIContext,
        _ scope: Principal.Scope
    ) async throws -> (Principal, JSON) {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(scope)
        return (principal, try await body.json(of: request))
    }
}

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

/// Writes payment requests as the API shows them.
enum PaymentRequestPresenter {
    /// A stored request with the JSON for the sheet.
    static func json(_ request: PaymentRequest, _ tokenAddress: MerchantTokenAddress) -> JSON {
        .object(omittingAbsent: [
            "id": .string(request.id.text), "revision": .integer(request.revision),
            "expires_at": .string(request.expiresAt.description),
            "agreement": request.agreement.map { .string($0.text) },
            "request": sheet(request.plan, applicationData: request.applicationData, tokenAddress),
            "warnings": .array(request.plan.warnings.map(\.json)),
        ])
    }

    /// The `ApplePayPaymentRequest` of a plan.
    ///
    /// `applicationData` never has amounts, for the sheet can change those but not it.
    private static func sheet(
        _ plan: PaymentRequestPlan,
        applicationData: String,
        _ tokenAddress: MerchantTokenAddress
    ) -> JSON {
        let agreement = plan.draft.agreement
        let sheet = JSON.object(omittingAbsent: [
            "countryCode": .string(plan.draft.country), "currencyCode": .string(plan.draft.amount.currency.code),
            "merchantCapabilities": .strings(plan.draft.merchantCapabilities),
            "supportedNetworks": .strings(plan.draft.supportedNetworks),
            "total": [
                "label": .string(plan.label), "type": "final", "amount": .string(plan.draft.amount.decimal),
            ],
            "multiTokenContexts": agreement == nil ? plan.contexts.map { .array($0.map(context)) } : nil,
            "applicationData": .string(Base64.encode(Array(applicationData.utf8))),
        ])
        guard let agreement, let merchant = plan.contexts?.first?.merchant else { return sheet }
        let address = tokenAddress.isHeard ? tokenAddress.url(of: merchant) : nil
        let told = address.map { [JSON.Member("tokenNotificationURL", .string($0))] } ?? []
        let asked = JSON.object((agreement.sheet.objectValue ?? []) + told)
        return .object((sheet.objectValue ?? []) + [JSON.Member(agreement.terms.type.applePayKey, asked)])
    }

    private static func context(_ context: PaymentRequestPlan.Context) -> JSON {
        .object(omittingAbsent: [
            "merchantIdentifier": .string(context.merchantIdentifier),
            "externalIdentifier": .string(context.externalIdentifier),
            "merchantName": .string(context.merchantName),
            "merchantDomain": context.merchantDomain.map(JSON.string), "amount": .string(context.amount.decimal),
        ])
    }
}

extension MerchantTokenAddress {
    /// Whether Apple calls it, which is by https alone.
    var isHeard: Bool { publicURL?.utf8.starts(with: "https://".utf8) ?? false }
}
