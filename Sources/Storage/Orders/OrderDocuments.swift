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

    static func text(_ lines: [AllocationLine]) -> String {
        JSON.array(
            lines.map { line in
                .object([
                    .init("kind", .string(line.kind.rawValue)), .init("party", .string(line.party)),
                    .init("amount", .integer(line.amount)), .init("captured", .integer(line.captured)),
                    .init("refunded", .integer(line.refunded)),
                    .init("returned_on_refund", .string(line.returnedOnRefund.rawValue)),
                ])
            }
        ).text
    }

    static func allocation(_ text: String) throws(SQLError) -> [AllocationLine] {
        guard let lines = (try? JSON.parse(text: text))?.arrayValue else {
            throw .unexpectedValue(column: "allocation")
        }
        var allocation: [AllocationLine] = []
        for line in lines {
            guard let kind = line["kind"]?.stringValue.flatMap(AllocationLine.Kind.init(rawValue:)),
                let party = line["party"]?.stringValue, let amount = line["amount"]?.integerValue,
                let captured = line["captured"]?.integerValue, let refunded = line["refunded"]?.integerValue
            else { throw .unexpectedValue(column: "allocation") }
            allocation.append(
                AllocationLine(
                    kind: kind,
                    party: party,
                    amount: amount,
                    captured: captured,
                    refunded: refunded,
                    returnedOnRefund: line["returned_on_refund"]?.stringValue
                        .flatMap(CommissionRule.Return.init(rawValue:)) ?? .proRata
                )
            )
        }
        return allocation
    }

    static func text(_ details: [OrderEvent.Detail]) -> String {
        JSON.object(details.map { .init($0.name, json($0.value)) }).text
    }

    private static func json(_ value: OrderEvent.Value) -> JSON {
        switch value {
        case .text(let text): .string(text)
        case .integer(let integer): .integer(integer)
        case .list(let texts): .strings(texts)
        }
    }

    static func details(_ text: String) throws(SQLError) -> [OrderEvent.Detail] {
        guard let members = (try? JSON.parse(text: text))?.objectValue else {
            throw .unexpectedValue(column: "details")
        }
        return members.map { member in
            switch member.value {
            case .integer(let integer): .init(member.key, .integer(integer))
            case .array(let items): .init(member.key, .list(items.compactMap(\.stringValue)))
            default: .init(member.key, .text(member.value.stringValue ?? ""))
            }
        }
    }
}
