import Crypto
package import Domain
import ExternalJoin
import StrictJSON

/// Breaks that a run found, spilled to disk until it ends: a wrong file may have as many as it has rows.
struct FoundBreaks {
    private let file: SpillFile
    private var blocks: [SpillBlock] = []

    init(in directory: String) throws(ReconciliationFailure) {
        do throws(SpillProblem) {
            file = try SpillFile(in: directory)
        } catch {
            throw .spill(error)
        }
    }

    /// Spills a page.
    mutating func append(_ page: [Break]) throws(ReconciliationFailure) {
        do throws(SpillProblem) {
            blocks.append(try file.append(JSON.array(page.map(\.json)).bytes))
        } catch {
            throw .spill(error)
        }
    }

    /// The breaks, for whoever stores them.
    var sealed: Pages { Pages(blocks: file.sealed(blocks)) }

    /// Breaks page by page, as often as they are asked for.
    struct Pages: Sendable {
        let blocks: SpilledBlocks

        /// Hands over page after page, in the order in which they were found.
        func handOver(to body: ([Break]) throws -> Void) throws {
            try blocks.handOver { bytes in
                let documents = try JSON.parse(bytes).arrayValue ?? []
                let page = documents.compactMap(Break.init)
                guard page.count == documents.count else { throw ReconciliationFailure.spill(.truncated) }
                try body(page)
            }
        }
    }
}

/// A break as it is spilled.
extension Break {
    /// The object.
    var json: JSON {
        var members: [JSON.Member] = [
            .init("type", .string(type.rawValue)), .init("key", .string(key)), .init("amount", .integer(amount)),
            .init("explanation", .string(explanation)), .init("suggestion", .string(suggestion)),
            .init(
                "lines",
                .array(lines.map { [.string($0.file), .integer(Int64($0.member)), .integer(Int64($0.row))] })
            ),
        ]
        func add(_ name: String, _ text: String?) {
            if let text { members.append(.init(name, .string(text))) }
        }
        add("currency", currency?.code)
        add("day", day)
        add("psp", psp)
        add("psp_account", pspAccount)
        add("merchant", merchant?.text)
        add("order", order?.text)
        add("payment", payment?.text)
        switch subject {
        case .operation(let id): add("operation", id.text)
        case .chargeback(let id): add("chargeback", id.text)
        case .chargebackReversal(let id): add("chargeback_reversal", id.text)
        case nil: break
        }
        return .object(members)
    }

    /// Reads what ``json`` wrote; nil for anything else.
    init?(_ json: JSON) {
        guard let type = json["type"]?.stringValue.flatMap(BreakType.init), let key = json["key"]?.stringValue,
            let amount = json["amount"]?.integerValue, let places = json["lines"]?.arrayValue,
            let explanation = json["explanation"]?.stringValue, let suggestion = json["suggestion"]?.stringValue
        else { return nil }
        let lines = places.compactMap(Self.place)
        guard lines.count == places.count else { return nil }
        self.init(
            type: type,
            key: key,
            currency: json["currency"]?.stringValue.flatMap { Currency(code: $0) },
            amount: amount,
            day: json["day"]?.stringValue,
            psp: json["psp"]?.stringValue,
            pspAccount: json["psp_account"]?.stringValue,
            merchant: json["merchant"]?.stringValue.flatMap { MerchantID($0) },
            order: json["order"]?.stringValue.flatMap { OrderID($0) },
            payment: json["payment"]?.stringValue.flatMap { PaymentID($0) },
            subject: Self.subject(json),
            lines: lines,
            explanation: explanation,
            suggestion: suggestion
        )
    }

    private static func subject(_ json: JSON) -> Expectation.Subject? {
        if let name = json["operation"]?.stringValue { return OperationID(name).map(Expectation.Subject.operation) }
        if let name = json["chargeback"]?.stringValue { return DisputeID(name).map(Expectation.Subject.chargeback) }
        return json["chargeback_reversal"]?.stringValue.flatMap { DisputeID($0) }
            .map(Expectation.Subject.chargebackReversal)
    }

    private static func place(_ json: JSON) -> LinePlace? {
        guard let parts = json.arrayValue, parts.count == 3, let file = parts[0].stringValue,
            let member = parts[1].integerValue, let row = parts[2].integerValue
        else { return nil }
        return LinePlace(file: file, member: Int(member), row: Int(row))
    }
}

extension Break {
    /// Its identifier: the same for the same break of a marketplace, wherever and however often it is found.
    package func id(of marketplace: String) -> BreakID {
        var hash = SHA256()
        hash.update(data: Array(marketplace.utf8))
        hash.update(data: [0])
        hash.update(data: Array(key.utf8))
        let bits = hash.finalize().prefix(16).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        return BreakID(bits: bits)
    }
}

extension Reconciler {
    /// Counts rows that cannot be read, beyond those that are breaks one by one.
    func countUnusable(_ count: Int) { findings.summary.unusableRows += count }

    /// Takes note of a row that cannot be used as it stands: a break.
    func add(
        unusable sentence: String,
        at place: LinePlace,
        about: String = "",
        suggestion: String = "Ask the bank for the statement again."
    ) {
        findings.summary.unusableRows += 1
        findings.unusable.append(
            Break(
                type: .unparseableRow,
                key: "\(BreakType.unparseableRow.rawValue)/\(place.file)/\(place.member)/\(place.row)\(about)",
                currency: nil,
                amount: 0,
                day: nil,
                lines: [place],
                explanation: sentence,
                suggestion: suggestion
            )
        )
    }
}
