import Domain
package import SQL
import Storage
import StrictJSON

/// Holds every callback that was written down to what is promised of all of them.
package enum CallbackCheck {
    /// Looks for what is wrong with the callbacks of a database.
    ///
    /// Each is as the schema of its type says; numbers have no gaps; and what a merchant is told names no other merchant
    /// and no payment of another.
    ///
    /// - Throws: `SQLError`, or if the schemas cannot be read.
    package static func complaints(about database: any Database) async throws -> [String] {
        try await database.read { session in
            let contract = try CallbackContract()
            let strangers = try Strangers(session)
            var complaints: [String] = []
            var numbers: [String: [Int64]] = [:]
            for callback in try CallbackTable.list(.init(marketplace: nil), limit: 100_000, in: session) {
                let content = callback.content
                let payload = try JSON.parse(text: content.payload)
                var found = contract.complaints(about: payload)
                if payload["type"]?.stringValue != content.type { found.append("is stored as \(content.type)") }
                if payload["sequence"]?.integerValue != content.sequence { found.append("has another number stored") }
                if let merchant = content.merchant {
                    found += strangers.named(in: payload, to: merchant).map { "tells \(merchant) of \($0)" }
                }
                complaints += found.map { "\(content.id): \($0)" }
                numbers["\(callback.endpoint) \(subject(of: content, payload))", default: []].append(content.sequence)
            }
            for (subject, numbers) in numbers {
                let sorted = numbers.sorted()
                let first = sorted.first ?? 1
                guard sorted != Array(first..<first + Int64(sorted.count)) else { continue }
                complaints.append("\(subject) has the numbers \(sorted)")
            }
            return complaints
        }
    }

    /// What a callback's number counts.
    private static func subject(of callback: NewCallback, _ payload: JSON) -> String {
        if let payout = payload["data"]?["payout"] {
            return "payouts \(payout["merchant"]?.text ?? "") \(payout["currency"]?.text ?? "")"
        }
        if let agreement = payload["data"]?["agreement"]?["id"]?.stringValue { return agreement }
        return (callback.merchant == nil ? callback.order?.text : callback.payment?.text) ?? "nothing"
    }

    /// Names that belong to one merchant alone.
    private struct Strangers {
        private var owners: [String: Set<MerchantID>] = [:]

        init(_ session: any Session) throws {
            for row in try session.rows("SELECT id, external_identifier FROM merchant WHERE kind = 'merchant'") {
                guard let id = MerchantID(try row.text("id")) else { continue }
                owners[id.text, default: []].insert(id)
                owners[try row.text("external_identifier"), default: []].insert(id)
            }
            for row in try session.rows("SELECT id, merchant FROM payment") {
                guard let merchant = MerchantID(try row.text("merchant")) else { continue }
                owners[try row.text("id"), default: []].insert(merchant)
            }
        }

        /// The names in a document that belong to somebody else.
        func named(in document: JSON, to merchant: MerchantID) -> [String] {
            switch document {
            case .string(let text): owners[text].map { $0.contains(merchant) ? [] : [text] } ?? []
            case .array(let elements): elements.flatMap { named(in: $0, to: merchant) }
            case .object(let members): members.flatMap { named(in: $0.value, to: merchant) }
            case .null, .bool, .integer, .number: []
            }
        }
    }
}
