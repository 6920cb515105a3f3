import Domain
import SQL
import StrictJSON

/// The parts of an order that are kept as JSON text in one column.
enum OrderDocuments {
    static func text(_ metadata: [MetadataItem]) -> String {
        JSON.object(metadata.map { .init($0.key, .string($0.value)) }).text
    }

    static func metadata(_ text: String) throws(SQLError) -> [MetadataItem] {
        guard let members = (try? JSON.parse(text: text))?.objectValue else {
            throw .unexpectedValue(column: "metadata")
        }
        return members.map { MetadataItem(key: $0.key, value: $0.value.stringValue ?? "") }
    }

    static func text(_ policy: Policy) -> String {
        var members: [JSON.Member] = [.init("type", .string(policy.name))]
        switch policy {
        case .allOrNothing, .bestEffort: break
        case .required(let names): members.append(.init("external_identifiers", .strings(names.sorted())))
        case .minimum(let amount): members.append(.init("amount", .integer(amount)))
        }
        return JSON.object(members).text
    }

    static func policy(_ text: String) throws(SQLError) -> Policy {
        let document = try? JSON.parse(text: text)
        switch document?["type"]?.stringValue {
        case "all_or_nothing": return .allOrNothing
        case "best_effort": return .bestEffort
        case "required":
            return .required(Set((document?["external_identifiers"]?.arrayValue ?? []).compactMap(\.stringValue)))
        case "minimum": return .minimum(document?["amount"]?.integerValue ?? .max)
        default: throw .unexpectedValue(column: "policy")
        }
    }

    /// What is frozen of lines, as it is stored: `[[kind, party, amount, {…}], …]`, without what is usual at the end.
    static func text(_ lines: [AllocationLine]) -> String {
        JSON.array(
            lines.map { line in
                .places([
                    .string(line.kind.rawValue), .string(line.party), .integer(line.amount),
                    .members([
                        "returned_on_refund": line.returnedOnRefund == .proRata
                            ? nil : .string(line.returnedOnRefund.rawValue),
                        "kept_by": line.keptBy == .merchant ? nil : .string(line.keptBy.rawValue),
                    ]),
                ])
            }
        ).text
    }

    /// What of lines is captured and given back, as it is stored: `[[captured, refunded], …]`, without zeros at the end; nil
    /// while nothing is.
    static func moved(_ lines: [AllocationLine]) -> String? {
        guard lines.contains(where: { $0.captured != 0 || $0.refunded != 0 }) else { return nil }
        func amount(_ number: Int64) -> JSON? { number == 0 ? nil : .integer(number) }
        return JSON.array(lines.map { .places([amount($0.captured), amount($0.refunded)]) }).text
    }

    /// Reads lines back from `allocation` and `allocation_moved` of a payment's row.
    static func allocation(_ row: Row) throws(SQLError) -> [AllocationLine] {
        guard let lines = (try? JSON.parse(text: try row.text("allocation")))?.arrayValue else {
            throw .unexpectedValue(column: "allocation")
        }
        var amounts: [JSON]?
        if let text = try row.optionalText("allocation_moved") {
            amounts = (try? JSON.parse(text: text))?.arrayValue
            guard amounts?.count == lines.count else { throw .unexpectedValue(column: "allocation_moved") }
        }
        func moved(of line: Int, _ place: Int) throws(SQLError) -> Int64 {
            guard let value = amounts?[line][place], value != .null else { return 0 }
            guard let amount = value.integerValue else { throw .unexpectedValue(column: "allocation_moved") }
            return amount
        }
        var allocation: [AllocationLine] = []
        for (number, line) in lines.enumerated() {
            guard let kind = line[0]?.stringValue.flatMap(AllocationLine.Kind.init(rawValue:)),
                let party = line[1]?.stringValue, let amount = line[2]?.integerValue
            else { throw .unexpectedValue(column: "allocation") }
            allocation.append(
                AllocationLine(
                    kind: kind,
                    party: party,
                    amount: amount,
                    captured: try moved(of: number, 0),
                    refunded: try moved(of: number, 1),
                    returnedOnRefund: line[3]?["returned_on_refund"]?.stringValue
                        .flatMap(CommissionRule.Return.init(rawValue:)) ?? .proRata,
                    keptBy: line[3]?["kept_by"]?.stringValue.flatMap(AllocationLine.Keeper.init(rawValue:)) ?? .merchant
                )
            )
        }
        return allocation
    }
}

/// Routes that could still authorize a payment, as JSON text in one column.
extension OrderDocuments {
    static func text(_ routes: [RouteSnapshot]) -> String {
        JSON.array(
            routes.map { route in
                JSON.object(omittingAbsent: [
                    "psp": .string(route.psp), "psp_account": .string(route.pspAccount),
                    "merchant_account": route.merchantAccount.map(JSON.string),
                    "settles_to": .string(route.settlesTo.rawValue),
                    "commission_by": .string(route.commissionBy.rawValue),
                ])
            }
        ).text
    }

    static func routes(_ text: String) throws(SQLError) -> [RouteSnapshot] {
        guard let documents = (try? JSON.parse(text: text))?.arrayValue else {
            throw .unexpectedValue(column: "alternatives")
        }
        var routes: [RouteSnapshot] = []
        for document in documents {
            guard let psp = document["psp"]?.stringValue, let account = document["psp_account"]?.stringValue,
                let settlesTo = document["settles_to"]?.stringValue.flatMap(RouteSnapshot.SettlesTo.init(rawValue:)),
                let commissionBy = document["commission_by"]?.stringValue
                    .flatMap(RouteSnapshot.CommissionBy.init(rawValue:))
            else { throw .unexpectedValue(column: "alternatives") }
            routes.append(
                RouteSnapshot(
                    psp: psp,
                    pspAccount: account,
                    merchantAccount: document["merchant_account"]?.stringValue,
                    settlesTo: settlesTo,
                    commissionBy: commissionBy
                )
            )
        }
        return routes
    }
}

extension OperationState {
    /// What a state has to say beyond its name, as JSON.
    var detail: JSON? {
        switch self {
        case .open, .pending, .succeeded: nil
        case .unknown(let reason), .notSent(let reason): ["reason": .string(reason)]
        case .actionRequired(let action):
            JSON.object(omittingAbsent: [
                "kind": .string(action.kind.rawValue), "url": action.url.map(JSON.string),
                "data": action.data.map(JSON.string),
                "expires_at": action.expiresAt.map { .integer($0.microseconds) },
            ])
        case .declined(let decline):
            JSON.object(omittingAbsent: [
                "category": .string(decline.category.rawValue), "code": .string(decline.code),
                "message": .string(decline.message), "retry": decline.advice.map(\.document),
            ])
        case .rejected(let rejection), .reversed(let rejection):
            JSON.object([
                .init("reason", .string(rejection.reason.rawValue)), .init("code", .string(rejection.code)),
                .init("message", .string(rejection.message)),
            ])
        }
    }

    /// Reads a state back.
    ///
    /// - Throws: `SQLError.unexpectedValue(column:)` for what ``detail`` does not write.
    init(name: String, detail document: JSON?) throws(SQLError) {
        func text(_ key: String) -> String { document?[key]?.stringValue ?? "" }
        switch name {
        case "open": self = .open
        case "pending": self = .pending
        case "succeeded": self = .succeeded
        case "unknown": self = .unknown(reason: text("reason"))
        case "not_sent": self = .notSent(reason: text("reason"))
        case "action_required":
            guard let kind = NextAction.Kind(rawValue: text("kind")) else { throw .unexpectedValue(column: "detail") }
            self = .actionRequired(
                NextAction(
                    kind: kind,
                    url: document?["url"]?.stringValue,
                    data: document?["data"]?.stringValue,
                    expiresAt: document?["expires_at"]?.integerValue.map(Timestamp.init(microseconds:))
                )
            )
        case "declined":
            guard let category = Decline.Category(rawValue: text("category")) else {
                throw .unexpectedValue(column: "detail")
            }
            let advice = document?["retry"].flatMap(Decline.RetryAdvice.init(document:))
            self = .declined(Decline(code: text("code"), category: category, message: text("message"), advice: advice))
        case "rejected", "reversed":
            guard let reason = Rejection.Reason(rawValue: text("reason")) else {
                throw .unexpectedValue(column: "detail")
            }
            let rejection = Rejection(reason, code: text("code"), message: text("message"))
            self = name == "rejected" ? .rejected(rejection) : .reversed(rejection)
        default: throw .unexpectedValue(column: "state")
        }
    }
}
