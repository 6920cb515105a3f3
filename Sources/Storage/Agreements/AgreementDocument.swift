import Domain
import SQL
import StrictJSON

/// What of an agreement no query asks for, as JSON text in one column.
enum AgreementDocument {
    /// Writes it.
    static func text(_ agreement: Agreement) -> String {
        let tries = agreement.tries
        return JSON.object(omittingAbsent: [
            "network_transaction_ids": .array(agreement.networkTransactionIDs.map(json)),
            "method": agreement.method.map(json), "candidate": agreement.candidate.map(json),
            "token": agreement.token.map(json),
            "linked_tokens": agreement.linkedTokens.isEmpty ? nil : .strings(agreement.linkedTokens),
            "unerased": .strings(agreement.unerased.map(\.text)),
            "open_charges": .strings(agreement.openCharges.map(\.text)),
            "charged_by": agreement.chargedBy.map { .string($0.text) },
            "declined_at": .array(tries.declinedAt.map { .integer($0.microseconds) }),
            "declines_in_a_row": .integer(tries.declinesInARow),
            "not_before": tries.notBefore.map { .integer($0.microseconds) }, "is_forbidden": .bool(tries.isForbidden),
        ]).text
    }

    /// Reads it back into an agreement.
    ///
    /// - Throws: `SQLError.unexpectedValue(column:)` for what ``text(_:)`` does not write.
    static func read(_ text: String, into agreement: inout Agreement) throws(SQLError) {
        guard let json = try? JSON.parse(text: text), let row = json["declines_in_a_row"]?.integerValue,
            let isForbidden = json["is_forbidden"]?.boolValue
        else { throw .unexpectedValue(column: "details") }
        agreement.networkTransactionIDs = try all(json["network_transaction_ids"], networkTransactionID)
        agreement.unerased = try all(json["unerased"]) { $0.stringValue.flatMap { StoredMethodID($0) } }
        agreement.openCharges = try all(json["open_charges"]) { $0.stringValue.flatMap { OrderID($0) } }
        agreement.chargedBy = json["charged_by"]?.stringValue.flatMap { OrderID($0) }
        if let document = json["method"] { agreement.method = try method(document) }
        if let document = json["candidate"] { agreement.candidate = try method(document) }
        agreement.linkedTokens = try all(json["linked_tokens"], \.stringValue)
        agreement.token = try json["token"].map { document throws(SQLError) in try token(document) }
        agreement.tries = ChargeTries(
            declinedAt: try all(json["declined_at"]) { $0.integerValue.map(Timestamp.init(microseconds:)) },
            declinesInARow: row,
            notBefore: json["not_before"]?.integerValue.map(Timestamp.init(microseconds:)),
            isForbidden: isForbidden
        )
    }

    private static func all<Value>(_ json: JSON?, _ read: (JSON) -> Value?) throws(SQLError) -> [Value] {
        var values: [Value] = []
        for element in json?.arrayValue ?? [] {
            guard let value = read(element) else { throw .unexpectedValue(column: "details") }
            values.append(value)
        }
        return values
    }

    private static func json(_ id: NetworkTransactionID) -> JSON {
        .object(omittingAbsent: [
            "kind": .string(id.kind.rawValue), "value": .string(id.value), "network": id.network.map(JSON.string),
        ])
    }

    private static func networkTransactionID(_ json: JSON) -> NetworkTransactionID? {
        guard let kind = json["kind"]?.stringValue.flatMap(NetworkTransactionID.Kind.init(rawValue:)),
            let value = json["value"]?.stringValue
        else { return nil }
        return NetworkTransactionID(value, kind: kind, network: json["network"]?.stringValue)
    }

    private static func json(_ method: AgreementMethod) -> JSON {
        .object(omittingAbsent: [
            "id": .string(method.id.text), "kind": .string(method.kind.rawValue),
            "route": .string(OrderDocuments.text([method.route])), "network": method.network.map(JSON.string),
            "last4": method.last4.map(JSON.string), "month": method.expiryMonth.map { .integer(Int64($0)) },
            "year": method.expiryYear.map { .integer(Int64($0)) },
            "merchant_token_identifier": method.merchantTokenIdentifier.map(JSON.string),
        ])
    }

    private static func json(_ token: MerchantToken) -> JSON {
        .object(omittingAbsent: [
            "identifier": .string(token.identifier), "is_unlinked": .bool(token.isUnlinked),
            "last4": token.card.last4.map { told in ["value": .string(told.value), "by": json(told.by)] },
            "expiry": token.card.expiry.map { told in
                [
                    "month": .integer(Int64(told.value.month)), "year": .integer(Int64(told.value.year)),
                    "by": json(told.by),
                ]
            },
            "number_told_by": token.numberToldBy.map(json),
        ])
    }

    private static func json(_ announcement: TokenAnnouncement) -> JSON {
        ["at": .integer(announcement.at.microseconds), "event": .string(announcement.event)]
    }

    private static func token(_ json: JSON) throws(SQLError) -> MerchantToken {
        guard let identifier = json["identifier"]?.stringValue, let isUnlinked = json["is_unlinked"]?.boolValue else {
            throw .unexpectedValue(column: "details")
        }
        let last4 = json["last4"].flatMap { told -> MerchantToken.Told<String>? in
            guard let value = told["value"]?.stringValue, let by = announcement(told["by"]) else { return nil }
            return .init(value, by: by)
        }
        let expiry = json["expiry"].flatMap { told -> MerchantToken.Told<CardUpdate.Expiry>? in
            guard let month = told["month"]?.integerValue, let year = told["year"]?.integerValue,
                let by = announcement(told["by"])
            else { return nil }
            return .init(CardUpdate.Expiry(month: Int(month), year: Int(year)), by: by)
        }
        return MerchantToken(
            identifier,
            isUnlinked: isUnlinked,
            card: MerchantToken.ToldCard(last4: last4, expiry: expiry),
            numberToldBy: announcement(json["number_told_by"])
        )
    }

    private static func announcement(_ json: JSON?) -> TokenAnnouncement? {
        guard let at = json?["at"]?.integerValue, let event = json?["event"]?.stringValue else { return nil }
        return TokenAnnouncement(at: Timestamp(microseconds: at), event: event)
    }

    private static func method(_ json: JSON) throws(SQLError) -> AgreementMethod {
        guard let id = json["id"]?.stringValue.flatMap({ StoredMethodID($0) }),
            let kind = json["kind"]?.stringValue.flatMap(AgreementMethod.Kind.init(rawValue:)),
            let text = json["route"]?.stringValue, let route = try OrderDocuments.routes(text).first
        else { throw .unexpectedValue(column: "details") }
        return AgreementMethod(
            id: id,
            kind: kind,
            route: route,
            network: json["network"]?.stringValue,
            last4: json["last4"]?.stringValue,
            expiryMonth: json["month"]?.integerValue.map { Int($0) },
            expiryYear: json["year"]?.integerValue.map { Int($0) },
            merchantTokenIdentifier: json["merchant_token_identifier"]?.stringValue
        )
    }
}
