import AdapterKit
import Domain
import StrictJSON
import WireFormats

/// Writes the requests of one seller.
///
/// Source: Square's OpenAPI description of the API version below, which the tests hold these requests against.
struct SquareRequests: Sendable {
    /// The API version every request pins.
    static let version = "2025-08-20"

    let baseURL: String
    let accessToken: Secret
    /// The location of payments whose route names none.
    let ownLocation: String?

    /// The key of a payment's creation.
    ///
    /// An attempt creates one payment, so that its name is a key, by which the payment can also be canceled while its
    /// own name is not known.
    static func creationKey(_ call: Call) -> String { call.attempt.text }

    /// Creates the payment, held or, for a sale, completed.
    ///
    /// A card on file is known only together with the customer who filed it.
    func authorize(
        _ authorization: Call.Authorization,
        _ source: String,
        of customer: String?,
        fee: Int64?,
        for call: Call
    ) -> WireRequest {
        let body = JSON.object(omittingAbsent: [
            "source_id": .string(source),
            "customer_id": customer.map(JSON.string),
            "idempotency_key": .string(Self.creationKey(call)),
            "amount_money": money(call.money.minorUnits, of: call),
            "app_fee_money": fee.flatMap { $0 > 0 ? $0 : nil }.map { money($0, of: call) },
            "autocomplete": .bool(authorization.capture),
            "location_id": location(of: call).map(JSON.string),
            "reference_id": .string(call.attempt.text),
            "note": authorization.description.map { JSON.string(Self.note($0)) },
            "customer_details": authorization.isMerchantInitiated ? ["customer_initiated": false] : .none,
        ])
        let members = (body.objectValue ?? []) + SquareBuyer(of: authorization).members
        return write(.post, "/v2/payments", .object(members))
    }

    /// Creates the customer that a card is kept for; it knows nothing of the buyer but the agreement.
    ///
    /// Square wants one of a few names, so that the agreement is the customer's company.
    func customer(of agreement: AgreementID, for call: Call) -> WireRequest {
        let body: JSON = [
            "idempotency_key": .string(call.key(exchange: 0)), "company_name": .string(agreement.text),
            "reference_id": .string(agreement.text),
        ]
        return write(.post, "/v2/customers", body, canMoveMoney: false)
    }

    /// Keeps the card of a payment for a customer.
    func card(of payment: String, for customer: String, _ agreement: AgreementID, for call: Call) -> WireRequest {
        let body: JSON = [
            "idempotency_key": .string(call.key(exchange: 2)), "source_id": .string(payment),
            "card": ["customer_id": .string(customer), "reference_id": .string(agreement.text)],
        ]
        return write(.post, "/v2/cards", body, canMoveMoney: false)
    }

    /// Lists the cards that a customer keeps for an agreement; those that are disabled are left out.
    func cards(of customer: String, _ agreement: AgreementID) -> WireRequest {
        var query = FormFields()
        query.append("customer_id", customer)
        query.append("reference_id", agreement.text)
        return read("/v2/cards", query)
    }

    /// Disables a card that is kept, for ever.
    func disable(_ card: String) -> WireRequest {
        write(.post, "/v2/cards/\(FormFields.percentEncoded(card))/disable", nil, canMoveMoney: false)
    }

    /// Changes what the payment is over, and with `fee` what the marketplace keeps.
    ///
    /// It says nothing of versions, so that the same call always gives the same bytes: the last one to write wins.
    func update(_ payment: String, fee: Int64?, for call: Call, exchange: Int) -> WireRequest {
        let change = JSON.object(omittingAbsent: [
            "amount_money": money(call.money.minorUnits, of: call),
            "app_fee_money": fee.map { money($0, of: call) },
        ])
        let body: JSON = ["idempotency_key": .string(call.key(exchange: exchange)), "payment": change]
        return write(.put, path(payment), body)
    }

    /// Takes all that the payment is over, if that is still the version it is in.
    func complete(_ payment: String, version: String?) -> WireRequest {
        let body = JSON.object(omittingAbsent: ["version_token": version.map(JSON.string)])
        return write(.post, path(payment, "/complete"), body)
    }

    /// Releases all that the payment holds.
    func cancel(_ payment: String) -> WireRequest { write(.post, path(payment, "/cancel"), nil) }

    /// Releases whatever the attempt's creation made.
    func cancelByKey(for call: Call) -> WireRequest {
        write(.post, "/v2/payments/cancel", ["idempotency_key": .string(Self.creationKey(call))])
    }

    /// Gives back the call's amount, `fee` of it by the marketplace; nil if the payment had no fee.
    ///
    /// Our operation is the reason, by which an inquiry, a webhook or a settlement line finds its way back.
    func refund(_ payment: String, fee: Int64?, for call: Call) -> WireRequest {
        let body = JSON.object(omittingAbsent: [
            "idempotency_key": .string(call.key(exchange: 0)),
            "payment_id": .string(payment),
            "amount_money": money(call.money.minorUnits, of: call),
            "app_fee_money": fee.map { money($0, of: call) },
            "reason": .string(call.operation.text),
        ])
        return write(.post, "/v2/refunds", body)
    }

    /// Reads the payment.
    func retrieve(_ payment: String) -> WireRequest { read(path(payment), FormFields()) }

    /// Lists the location's payments, oldest first, from about when the attempt was made.
    ///
    /// - Parameters:
    ///   - call: whose attempt.
    ///   - total: the total of those to list, in minor units; nil for any.
    ///   - cursor: where the page begins; nil for the first.
    /// - Returns: the request for a page of a hundred.
    func payments(for call: Call, ofTotal total: Int64?, _ cursor: String?) -> WireRequest {
        var query = FormFields()
        query.append("begin_time", SearchStart.text(of: call.attempt))
        query.append("sort_order", "ASC")
        query.append("location_id", location(of: call))
        if let total { query.append("total", total) }
        query.append("limit", 100)
        query.append("cursor", cursor)
        return read("/v2/payments", query)
    }

    /// Lists the seller's refunds, oldest first, from about when the operation was made.
    func refunds(for call: Call, _ cursor: String?) -> WireRequest {
        var query = FormFields()
        query.append("begin_time", SearchStart.text(of: call.operation))
        query.append("sort_order", "ASC")
        query.append("limit", 100)
        query.append("cursor", cursor)
        return read("/v2/refunds", query)
    }

    /// Lists what changed at a location since a moment, the earliest change first; disputes whenever they changed.
    func list(
        _ list: SquarePlace.List,
        changedSince since: Timestamp,
        at location: String?,
        _ cursor: String?
    ) -> WireRequest {
        var query = FormFields()
        if list != .disputes {
            // Square looks at the last year only, unless it is told how far back payments may have been made.
            query.append("begin_time", since.adding(milliseconds: -Self.yearMilliseconds).description)
            query.append("updated_at_begin_time", since.description)
            query.append("sort_field", "UPDATED_AT")
            query.append("sort_order", "ASC")
            query.append("limit", 100)
        }
        query.append("location_id", location ?? ownLocation)
        query.append("cursor", cursor)
        return read("/v2/\(list.rawValue)", query)
    }

    private static let yearMilliseconds: Int64 = 365 * 86_400_000

    private func location(of call: Call) -> String? { call.merchantAccount ?? ownLocation }

    private func money(_ amount: Int64, of call: Call) -> JSON {
        ["amount": .integer(amount), "currency": .string(call.money.currency.code)]
    }

    /// Square takes 500 characters.
    private static func note(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(500)))
    }

    private func path(_ payment: String, _ action: String = "") -> String {
        "/v2/payments/\(FormFields.percentEncoded(payment))\(action)"
    }

    private func read(_ path: String, _ query: FormFields) -> WireRequest {
        let suffix = query.encoded.isEmpty ? "" : "?\(query.encoded)"
        return WireRequest(.get, "\(baseURL)\(path)\(suffix)", headers: headers, canMoveMoney: false)
    }

    private func write(
        _ method: WireRequest.Method,
        _ path: String,
        _ body: JSON?,
        canMoveMoney: Bool = true
    ) -> WireRequest {
        WireRequest(
            method,
            baseURL + path,
            headers: headers + (body == nil ? [] : [Header("Content-Type", "application/json")]),
            body: body?.bytes ?? [],
            canMoveMoney: canMoveMoney
        )
    }

    private var headers: [Header] {
        [Header("Authorization", "Bearer \(accessToken.reveal())"), Header("Square-Version", Self.version)]
    }
}

extension Call.Authorization {
    /// Whether the merchant starts the payment while the buyer is away.
    fileprivate var isMerchantInitiated: Bool { if case .merchant = initiation { true } else { false } }
}

/// What an attempt keeps of its payment for later operations.
struct SquareState: Hashable {
    /// What the payment is over, in minor units.
    var amount: Int64
    /// What the marketplace keeps of it, in minor units; 0 for nothing.
    var fee: Int64
    /// Names the version of the payment that this is about.
    var version: String?

    /// Makes a state.
    init(amount: Int64, fee: Int64, version: String?) {
        self.amount = amount
        self.fee = fee
        self.version = version
    }

    /// Reads what ``text`` wrote; nil if it is nothing of the kind.
    init?(text: String) {
        guard let json = try? JSON.parse(text: text), let amount = json["amount"]?.integerValue,
            let fee = json["fee"]?.integerValue
        else { return nil }
        self.init(amount: amount, fee: fee, version: json["version"]?.stringValue)
    }

    /// The state as the attempt keeps it.
    var text: String {
        JSON.object(omittingAbsent: [
            "amount": .integer(amount), "fee": .integer(fee), "version": version.map(JSON.string),
        ]).text
    }
}

/// Where a search for something of ours begins: a little before we named it.
///
/// Our identifiers are UUIDs of version 7 (RFC 9562), whose first 48 bits count milliseconds since 1970; in Crockford's
/// base 32 these are the first ten digits.
private enum SearchStart {
    /// How far Square's clock may be behind ours, in milliseconds.
    private static let marginMilliseconds: Int64 = 900_000

    /// The moment in RFC 3339.
    static func text<Tag>(of identifier: Identifier<Tag>) -> String {
        let digits = identifier.text.utf8.dropFirst(Tag.prefix.utf8.count + 1).prefix(10)
        let milliseconds = digits.reduce(Int64(0)) { $0 << 5 | value($1) }
        return Timestamp(microseconds: milliseconds * 1000).adding(milliseconds: -marginMilliseconds).description
    }

    private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    private static func value(_ digit: UInt8) -> Int64 { Int64(digits.firstIndex(of: digit) ?? 0) }
}
