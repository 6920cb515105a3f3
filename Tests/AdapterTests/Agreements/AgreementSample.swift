import AdapterKit
import Domain
import Testing

/// The calls of an agreement: its first payment, what the merchant charges later, and asking after them.
enum AgreementSample {
    static let number = "4242424242424242"
    static let transaction = "MCC0123456789"

    static var agreement: AgreementID {
        get throws { try #require(AgreementID("agr_01ka5m9s346q3d25vt4f5v37e3")) }
    }

    /// What pays first at a PSP, and what the later payments are paid with.
    static func credentials(_ psp: String) throws -> (first: Credential, later: Credential) {
        let token = { (token: String, customer: String?) in
            Credential.pspToken(Secret(token), customer: customer.map { Secret($0) })
        }
        let network = Credential.networkToken(Sample.networkToken())
        return switch psp {
        case "adyen": (network, token("M5N7TQ4TG5PFWR50", try agreement.text))
        case "authorize-net": (token("eyJjb2RlIjoiNTBfMl8wNjAwMDUy", nil), token("1929020", "900135"))
        case "braintree": (token("tokencc_bh_sample", nil), token("cGF5bWVudG1ldGhvZF9jY19x", nil))
        case "checkout": (network, token("src_wmlfc3zyhqzehihu7giusaaawu", "cus_y3oqhf46pyzuxjbcn2giaqnb44"))
        case "square":
            (token("cnon:card-nonce-ok", nil), token("ccof:GaJGNaZa8x4OgDJn4GB", "W92WH6P11H4Z77CTET0RNTGFW8"))
        case "worldpay": (network, .storedNetworkToken(StoredNetworkToken(Sample.networkToken())))
        default: (network, token("pm_1sample", "cus_1sample"))
        }
    }

    /// The first payment; an inquiry has no credential any more.
    static func first(
        _ credential: Credential?,
        _ type: AgreementType = .recurring,
        _ operation: SampleOperation = .authorize
    ) throws -> Call {
        let payment = Initiation.FirstPayment(agreement: try agreement, type: type)
        return try call(credential, .buyerStoring(payment), operation)
    }

    /// What the merchant charges.
    static func charge(
        _ credential: Credential,
        _ type: AgreementType = .recurring,
        _ reason: ChargeReason = .recurring,
        first reference: String? = "pay_first",
        transactions: [NetworkTransactionID]? = nil
    ) throws -> Call {
        let known = [NetworkTransactionID(transaction)].compactMap { $0 }
        let charge = Initiation.MerchantCharge(
            agreement: try agreement,
            type: type,
            reason: reason,
            firstReference: reference,
            networkTransactionIDs: transactions ?? known
        )
        return try call(credential, .merchant(charge), .authorize)
    }

    /// The adapter's next request.
    static func request(_ psp: String, _ call: Call, after replies: [WireReply] = []) throws -> WireRequest {
        let adapter = try AdapterUnderTest.named(psp).adapter
        guard case .send(let request) = adapter.next(for: call, after: replies.map { Exchange(reply: $0) }) else {
            Issue.record("\(psp) sends nothing")
            throw SettingsError.missingCredential("request")
        }
        return request
    }

    /// What became of the call.
    static func outcome(_ psp: String, _ call: Call, after replies: [WireReply] = []) throws -> Outcome {
        let adapter = try AdapterUnderTest.named(psp).adapter
        guard case .outcome(let outcome) = adapter.next(for: call, after: replies.map { Exchange(reply: $0) }) else {
            Issue.record("\(psp) has something to send")
            throw SettingsError.missingCredential("outcome")
        }
        return outcome
    }

    /// A reply of JSON.
    static func reply(_ status: Int, _ body: String, _ headers: [Header] = []) -> WireReply {
        WireReply(
            status: status,
            headers: [Header("Content-Type", "application/json")] + headers,
            body: Array(body.utf8)
        )
    }

    private static func call(
        _ credential: Credential?,
        _ initiation: Initiation,
        _ operation: SampleOperation
    ) throws -> Call {
        var call = try Sample.call(operation)
        call.kind = .authorize(
            Call.Authorization(
                credential: credential,
                returnURL: "https://shop.example/back",
                initiation: initiation
            )
        )
        return call
    }
}
