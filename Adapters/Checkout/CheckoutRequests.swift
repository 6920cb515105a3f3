import AdapterKit
import Domain
import StrictJSON
import WireFormats

/// Writes the requests of one account.
///
/// Source: Checkout.com's API reference and the models of its .NET library, read in November 2026; the tests hold the
/// bodies against a schema written after them.
struct CheckoutRequests: Sendable {
    let baseURL: String
    let account: CheckoutAccount

    /// Makes an encrypted Apple Pay token into a token of Checkout.com's, which lives 15 minutes; nil if it is no JSON.
    func token(_ token: EncryptedApplePay, publicKey: Secret) -> WireRequest? {
        guard let data = try? JSON.parse(text: token.paymentData.reveal()), data.objectValue != nil else { return nil }
        let headers = [Self.authorization(publicKey), Header("Content-Type", "application/json")]
        let body: JSON = ["type": "applepay", "token_data": data]
        return WireRequest(.post, baseURL + "/tokens", headers: headers, body: body.bytes, canMoveMoney: false)
    }

    /// Deletes a stored source.
    func forget(_ source: String) -> WireRequest {
        WireRequest(
            .delete,
            "\(baseURL)/instruments/\(FormFields.percentEncoded(source))",
            headers: [Self.authorization(account.secretKey)],
            canMoveMoney: false
        )
    }

    /// Requests the payment.
    func authorize(_ payment: CheckoutNewPayment, for call: Call, exchange: Int) -> WireRequest {
        let commission = payment.commission == 0 ? nil : payment.commission
        let allocations = allocations(of: payment.amount, commission: commission, for: call)
        let body = payment.body(for: call, allocations: allocations, processingChannel: account.processingChannel)
        return post("/payments", body, for: call, exchange: exchange)
    }

    /// Captures `amount`; a final capture releases what is left.
    ///
    /// The allocation is stated again, as a partial capture must, with the commission: 0 is a commission of 0.
    func capture(_ payment: String, amount: Int64, commission: Int64?, isFinal: Bool, for call: Call) -> WireRequest {
        let body = JSON.object(omittingAbsent: [
            "amount": .integer(amount),
            "capture_type": isFinal ? "Final" : "NonFinal",
            "reference": .string(call.operation.text),
            "amount_allocations": allocations(of: amount, commission: commission, for: call),
            "metadata": .metadata(of: call),
        ])
        return post(path(payment, "/captures"), body, for: call)
    }

    /// Releases what the payment holds.
    func void(_ payment: String, for call: Call) -> WireRequest {
        let body: JSON = ["reference": .string(call.operation.text), "metadata": .metadata(of: call)]
        return post(path(payment, "/voids"), body, for: call)
    }

    /// Gives back `amount`, from the sub-entity's account; the commission is the part of it that the platform bears.
    func refund(_ payment: String, amount: Int64, commission: Int64?, for call: Call) -> WireRequest {
        let commission = commission == 0 ? nil : commission
        let body = JSON.object(omittingAbsent: [
            "amount": .integer(amount),
            "reference": .string(call.operation.text),
            "amount_allocations": allocations(of: amount, commission: commission, for: call),
            "metadata": .metadata(of: call),
        ])
        return post(path(payment, "/refunds"), body, for: call)
    }

    /// Reads the payment.
    func retrieve(_ payment: String) -> WireRequest { get(path(payment)) }

    /// Lists what was done to the payment, latest first.
    func actions(of payment: String) -> WireRequest { get(path(payment, "/actions")) }

    /// Looks for the payment by our reference; 100 is the greatest page.
    func search(for call: Call) -> WireRequest {
        get("/payments?reference=\(FormFields.percentEncoded(call.attempt.text))&limit=100&skip=0")
    }

    /// Who gets the amount; nil if nobody but the platform.
    ///
    /// On a full account an allocation pays the sub-entity, so that there is none where the marketplace is to be paid;
    /// on a lite account it only says whose sale it was, so that there is no commission.
    private func allocations(of amount: Int64, commission: Int64?, for call: Call) -> JSON? {
        guard let entity = call.merchantAccount, call.settlesToMerchant || account.isLite else { return nil }
        let kept = call.settlesToMerchant ? commission : nil
        let allocation = JSON.object(omittingAbsent: [
            "id": .string(entity),
            "amount": .integer(amount),
            "commission": kept.map { ["amount": .integer($0)] },
        ])
        return .array([allocation])
    }

    private func path(_ payment: String, _ action: String = "") -> String {
        "/payments/\(FormFields.percentEncoded(payment))\(action)"
    }

    private func get(_ path: String) -> WireRequest {
        WireRequest(.get, baseURL + path, headers: [Self.authorization(account.secretKey)], canMoveMoney: false)
    }

    /// A request with the operation's key.
    ///
    /// A search before it has no key and does not count, so that the key is the same whether or not the payment has
    /// become known in between.
    private func post(_ path: String, _ body: JSON, for call: Call, exchange: Int = 0) -> WireRequest {
        let headers = [
            Self.authorization(account.secretKey), Header("Cko-Idempotency-Key", call.key(exchange: exchange)),
            Header("Content-Type", "application/json"),
        ]
        return WireRequest(.post, baseURL + path, headers: headers, body: body.bytes, canMoveMoney: true)
    }

    private static func authorization(_ key: Secret) -> Header { Header("Authorization", "Bearer \(key.reveal())") }
}

/// A payment to be requested.
struct CheckoutNewPayment {
    var source: CheckoutPaymentSource
    var unit: CheckoutUnit
    /// In Checkout.com's unit.
    var amount: Int64
    /// In Checkout.com's unit; nil or 0 takes none.
    var commission: Int64?
    var authorization: Call.Authorization

    /// The body.
    ///
    /// The buyer is asked to authenticate if there is somewhere to come back to; a card that is not enrolled goes on
    /// without.
    func body(for call: Call, allocations: JSON?, processingChannel: String?) -> JSON {
        let terms = CheckoutTerms(authorization.initiation)
        let returnURL = terms.isMerchantInitiated == true ? nil : authorization.returnURL.map(JSON.string)
        let asksBuyer = source.asksBuyer && returnURL != nil
        let buyer = CheckoutBuyer(of: authorization, in: unit)
        return .object(omittingAbsent: [
            "source": .object((source.json.objectValue ?? []) + terms.source + buyer.holder),
            "customer": source.customer ?? buyer.customer,
            "amount": .integer(amount),
            "currency": .string(unit.code),
            "payment_type": terms.type.map(JSON.string),
            "merchant_initiated": terms.isMerchantInitiated.map(JSON.bool),
            "previous_payment_id": terms.previous.map(JSON.string),
            "processing": terms.reason.map { ["merchant_initiated_reason": .string($0)] },
            "reference": .string(call.attempt.text),
            "description": authorization.description.map { .string(Self.description($0)) },
            "capture": .bool(authorization.capture),
            "processing_channel_id": processingChannel.map(JSON.string),
            "3ds": asksBuyer ? ["enabled": true, "attempt_n3d": true] : .none,
            "success_url": returnURL,
            "failure_url": returnURL,
            "amount_allocations": allocations,
            "shipping": buyer.shipping,
            "risk": buyer.risk,
            "items": buyer.items,
            "metadata": .metadata(of: call),
        ])
    }

    /// Checkout.com takes 100 characters.
    private static func description(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(100)))
    }
}

/// What a payment says of the agreement that it is made under; nothing without one.
private struct CheckoutTerms {
    /// `payment_type`.
    var type: String?
    /// `merchant_initiated`.
    var isMerchantInitiated: Bool?
    /// `previous_payment_id`: the first payment.
    var previous: String?
    /// `processing.merchant_initiated_reason`.
    var reason: String?
    /// Whether the source is kept, or was kept, as a member of it.
    var source: [JSON.Member] = []

    init(_ initiation: Initiation) {
        switch initiation {
        case .buyer: break
        case .buyerStoring(let first):
            type = Self.type(first.type)
            isMerchantInitiated = false
            source = [JSON.Member("store_for_future_use", true)]
        case .merchant(let charge):
            type = Self.type(charge.type)
            isMerchantInitiated = true
            previous = charge.firstReference
            reason = Self.reason(charge.reason)
            source = [JSON.Member("stored", true)]
        }
    }

    private static func type(_ type: AgreementType) -> String {
        switch type {
        case .recurring: "Recurring"
        case .automaticReload, .deferred: "Unscheduled"
        }
    }

    private static func reason(_ reason: ChargeReason) -> String? {
        switch reason {
        case .recurring, .reload: nil
        case .deferred: "Delayed_charge"
        case .noShow: "No_show"
        case .resubmission: "Resubmission"
        }
    }
}

/// What pays, in a form that a payment takes.
struct CheckoutPaymentSource {
    /// The member `source`.
    let json: JSON
    /// Whether the buyer can be asked to authenticate; a token of a wallet or a network is authenticated already.
    let asksBuyer: Bool
    /// The member `customer`, where the caller names whose the source is.
    var customer: JSON?

    /// A token or stored source of Checkout.com's that the caller had, and whose it is.
    init(pspToken: Secret, of customer: Secret?) {
        let token = pspToken.reveal()
        let isStored = token.hasPrefix("src_")
        json = isStored ? ["type": "id", "id": .string(token)] : ["type": "token", "token": .string(token)]
        asksBuyer = true
        self.customer = customer.map { ["id": .string($0.reveal())] }
    }

    /// A token made of a wallet's in an exchange before.
    init(walletToken: String) {
        json = ["type": "token", "token": .string(walletToken)]
        asksBuyer = false
    }

    /// A device or network token with its cryptogram; nil if Checkout.com does not name its network's token service.
    init?(networkToken token: NetworkToken) {
        guard let type = Self.type(of: token) else { return nil }
        json = .object(omittingAbsent: [
            "type": "network_token",
            "token": .string(token.number.reveal()),
            "token_type": .string(type),
            "expiry_month": .integer(Int64(token.expiryMonth)),
            "expiry_year": .integer(Int64(token.expiryYear)),
            "cryptogram": .string(token.cryptogram.reveal()),
            "eci": token.eci.map { .string(Self.twoDigits($0)) },
        ])
        asksBuyer = false
    }

    /// Visa's token service (VTS) for numbers that begin with 4, Mastercard's (MDES) for 2 and 5.
    private static func type(of token: NetworkToken) -> String? {
        switch token.source {
        case .applePay: return "applepay"
        case .googlePay: return "googlepay"
        case .network:
            switch token.number.reveal().first {
            case "4": return "vts"
            case "2", "5": return "mdes"
            default: return nil
            }
        }
    }

    /// Apple gives one digit for some networks; Checkout.com's examples have two.
    private static func twoDigits(_ eci: String) -> String { eci.utf8.count == 1 ? "0" + eci : eci }
}

/// What we write on every payment and action at Checkout.com.
extension JSON {
    /// Our identifiers, by which an inquiry, a webhook or a settlement line finds its way back, and the sub-entity,
    /// which webhooks do not name otherwise.
    ///
    /// Never free text. Checkout.com takes 20 members of 255 characters.
    static func metadata(of call: Call) -> JSON {
        .object(omittingAbsent: [
            "order": .string(call.order.text),
            "payment": .string(call.payment.text),
            "attempt": .string(call.attempt.text),
            "operation": .string(call.operation.text),
            "merchant_account": call.merchantAccount.map(JSON.string),
        ])
    }
}
