import AdapterKit
import Domain
import StrictJSON
import WireFormats

/// Writes the requests of one Worldpay account.
///
/// Source: Worldpay's descriptions of the Payments API 2024-06-01, the Card Payments API 7 and the Payment Queries
/// API 1, read in November 2026.
struct WorldpayRequests: Sendable {
    /// The version of the Payments API that every request pins.
    static let version = "2024-06-01"
    /// What the Card Payments API, to which the links of looked-up payments lead, speaks.
    static let cardPayments = "application/vnd.worldpay.payments-v7+json"
    /// What the Payment Queries API speaks.
    static let queries = "application/vnd.worldpay.payment-queries-v1.hal+json"

    let baseURL: String
    /// The value of the `Authorization` header field.
    let authorization: Secret
    let entity: String
    let narrative: String

    /// Makes a payment.
    func create(_ payment: WorldpayNewPayment, for call: Call) -> WireRequest {
        post("/api/payments", payment.body(for: call))
    }

    /// Follows a link, which may be only a path, with what the operation needs in the body.
    ///
    /// Captures and refunds are always the partial ones, whatever the amount, because only they carry a reference of
    /// ours. The last capture says which of how many it is; before that nobody knows how many there will be.
    func follow(_ path: String, captures: Int, for call: Call) -> WireRequest {
        switch call.kind {
        case .authorize, .void: return post(path, nil)
        case .refund: return post(path, Self.part(of: call, sequence: nil))
        case .capture(_, let isFinal):
            let number = Int64(captures) + 1
            return post(
                path,
                Self.part(
                    of: call,
                    sequence: isFinal ? ["number": .integer(number), "total": .integer(number)] : .none
                )
            )
        }
    }

    /// Looks for payments with our reference.
    func search(for call: Call) -> WireRequest {
        get("/paymentQueries/payments?transactionReference=\(FormFields.percentEncoded(call.attempt.text))")
    }

    /// Reads a payment's record: its events, and the links that fit its state.
    func retrieve(_ payment: String) -> WireRequest {
        get("/paymentQueries/payments/\(FormFields.percentEncoded(payment))")
    }

    private static func part(of call: Call, sequence: JSON?) -> JSON {
        .object(omittingAbsent: [
            "reference": .string(OperationReference.text(call.operation)),
            "value": value(call.money),
            "sequence": sequence,
        ])
    }

    /// An amount as Worldpay writes it.
    static func value(_ money: Money) -> JSON {
        ["currency": .string(money.currency.code), "amount": .integer(money.minorUnits)]
    }

    private func get(_ path: String) -> WireRequest {
        let headers = [Header("Authorization", authorization.reveal()), Header("Accept", Self.queries)]
        return WireRequest(.get, baseURL + path, headers: headers, canMoveMoney: false)
    }

    private func post(_ path: String, _ body: JSON?) -> WireRequest {
        let own =
            LinkReader.isOfPaymentsAPI(path)
            ? [
                Header("Content-Type", "application/json"), Header("Accept", "application/json"),
                Header("WP-Api-Version", Self.version),
            ] : [Header("Content-Type", Self.cardPayments), Header("Accept", Self.cardPayments)]
        return WireRequest(
            .post,
            baseURL + path,
            headers: [Header("Authorization", authorization.reveal())] + own,
            body: body?.bytes ?? [],
            canMoveMoney: true
        )
    }
}

/// A payment to be made.
struct WorldpayNewPayment {
    var instrument: PaymentInstrument
    var entity: MerchantEntity
    var narrative: String
    var authorization: Call.Authorization

    /// What the card schemes are told of stored cards.
    ///
    /// Worldpay has no first payment of type `unscheduled`: there the buyer stores the card for later use.
    private var customerAgreement: JSON? {
        switch authorization.initiation {
        case .buyer: return instrument.isStored ? ["type": "cardOnFile", "storedCardUsage": "subsequent"] : nil
        case .buyerStoring(let first):
            return ["type": first.type == .recurring ? "subscription" : "cardOnFile", "storedCardUsage": "first"]
        case .merchant(let charge):
            let transaction = charge.networkTransactionIDs.first { $0.kind == .transaction }
            let reference = transaction.map { JSON.string($0.value) }
            guard charge.type == .recurring else {
                return .object(omittingAbsent: ["type": "unscheduled", "schemeReference": reference])
            }
            return .object(omittingAbsent: [
                "type": "subscription", "storedCardUsage": "subsequent", "schemeReference": reference,
            ])
        }
    }

    /// The body of the request.
    ///
    /// `settlement` is always there, so that no default of the account decides whether money is taken. Nothing is
    /// cancelled because of an address or a security code, neither of which is sent.
    func body(for call: Call) -> JSON {
        let settlement: JSON =
            authorization.capture
            ? ["auto": true, "cancelOn": ["cvcNotMatched": "disabled", "avsNotMatched": "disabled"]] : ["auto": false]
        let buyer = WorldpayBuyer(of: authorization)
        let narrative = JSON.object(omittingAbsent: [
            "line1": .string(authorization.statementDescriptor.flatMap(Narrative.line) ?? narrative),
            "line2": authorization.description.flatMap(Narrative.line).map(JSON.string),
        ])
        return [
            "transactionReference": .string(call.attempt.text),
            "orderReference": .string(call.order.text),
            "merchant": ["entity": .string(entity.name)],
            "channel": "ecom",
            "instruction": .object(omittingAbsent: [
                "method": .string(instrument.method),
                "paymentInstrument": buyer.billed(instrument.json),
                "customerAgreement": customerAgreement,
                "narrative": narrative,
                "value": WorldpayRequests.value(call.money),
                "settlement": settlement,
                "customer": buyer.customer,
                "shipping": buyer.shipping,
            ]),
        ]
    }
}

extension Initiation {
    /// Whether a payment that is started so can be paid with such a credential.
    ///
    /// What is kept of a payment is the number, which an encrypted token does not tell us.
    func takes(_ credential: Credential) -> Bool {
        switch self {
        case .buyer: credential.kind != .storedNetworkToken
        case .buyerStoring: credential.kind == .networkToken
        case .merchant: credential.kind == .storedNetworkToken
        }
    }
}

/// What pays, as Worldpay writes it.
struct PaymentInstrument {
    /// `card`, `applepay` or `googlepay`.
    var method: String
    /// `instruction.paymentInstrument`.
    var json: JSON
    /// Whether it is a card that the buyer has stored, which the card schemes want to be told.
    var isStored = false

    /// Writes a credential; nil if it is a token that is none of Worldpay's.
    init?(_ credential: Credential) {
        switch credential {
        case .storedNetworkToken(let token):
            method = Self.method(token.source)
            json = Self.json(
                token.source,
                number: token.number,
                month: token.expiryMonth,
                year: token.expiryYear,
                cryptogram: nil,
                eci: nil
            )
        case .encryptedApplePay(let token):
            method = "applepay"
            json = ["type": "encrypted", "walletToken": .string(token.paymentData.reveal())]
        case .networkToken(let token):
            method = Self.method(token.source)
            json = Self.json(
                token.source,
                number: token.number,
                month: token.expiryMonth,
                year: token.expiryYear,
                cryptogram: token.cryptogram,
                eci: token.eci
            )
        case .pspToken(let token, _):
            guard let json = Self.json(token.reveal()) else { return nil }
            method = "card"
            self.json = json
            isStored = json["type"] == "token"
        }
    }

    private static func method(_ source: NetworkToken.Source) -> String {
        switch source {
        case .applePay: "applepay"
        case .googlePay: "googlepay"
        case .network: "card"
        }
    }

    /// A wallet's opened token names its number differently from a card network's own.
    private static func json(
        _ source: NetworkToken.Source,
        number: Secret,
        month: Int,
        year: Int,
        cryptogram: Secret?,
        eci: String?
    ) -> JSON {
        let isNetwork = source == .network
        return .object(omittingAbsent: [
            "type": .string(isNetwork ? "networkToken" : "decrypted"),
            (isNetwork ? "tokenNumber" : "number"): .string(number.reveal()),
            "expiryDate": ["month": .integer(Int64(month)), "year": .integer(Int64(year))],
            "cryptogram": cryptogram.map { .string($0.reveal()) },
            "eci": eci.map { .string($0.utf8.count == 1 ? "0" + $0 : $0) },
        ])
    }

    /// A session of Worldpay's client library, or a stored card by its link or identifier.
    private static func json(_ token: String) -> JSON? {
        if token.hasPrefix("https://") {
            if token.contains("/sessions/") { return ["type": "checkout", "sessionHref": .string(token)] }
            return token.contains("/tokens/") ? ["type": "token", "href": .string(token)] : nil
        }
        let isIdentifier = token.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "I"), UInt8(ascii: "O"): false
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            default: false
            }
        }
        return isIdentifier && 15...21 ~= token.utf8.count ? ["type": "token", "tokenId": .string(token)] : nil
    }
}

/// The merchant entity that a payment is made under, which says whose contract with Worldpay it falls under.
struct MerchantEntity {
    let name: String

    /// The entity on the route, or the account's; nil if the one on the route cannot be one.
    init?(of call: Call, otherwise own: String) {
        name = call.merchantAccount ?? own
        guard Self.isValid(name) else { return nil }
    }

    /// Whether it is letters and digits, with spaces in between, at most 32 characters.
    static func isValid(_ name: String) -> Bool {
        let bytes = name.utf8
        guard let first = bytes.first, first != UInt8(ascii: " "), bytes.count <= 32 else { return false }
        return bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "):
                true
            default: false
            }
        }
    }
}

/// A line on the buyer's statement: at most 24 letters, digits, spaces, and `,` `.` `/` `-`.
enum Narrative {
    private static let limit = 24

    /// The text as such a line, other characters left out; nil if none is left.
    static func line(_ text: String) -> String? {
        let allowed = text.utf8.filter { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: "."),
                UInt8(ascii: "/"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        let line = String(decoding: allowed.drop { $0 == UInt8(ascii: " ") }.prefix(limit), as: UTF8.self)
        return line.isEmpty ? nil : line
    }
}

/// Our operation's name as the reference of a capture or a refund at Worldpay.
///
/// The Card Payments API takes letters, digits and `-` only, so that the underscore is written `-`.
enum OperationReference {
    private static let prefix = "op-"

    /// The reference of an operation.
    static func text(_ operation: OperationID) -> String { prefix + operation.text.dropFirst(prefix.count) }

    /// The operation of a reference; nil if it is none of ours.
    static func operation(_ text: String) -> OperationID? {
        text.hasPrefix(prefix) ? OperationID("op_" + text.dropFirst(prefix.count)) : nil
    }
}
