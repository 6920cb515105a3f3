package import Domain
package import SQL
import StrictJSON

/// What an event of a PSP says, as the inbox keeps it.
package struct WebhookDocument: Hashable, Sendable {
    /// The submerchant's account that it happened on, if the PSP says so.
    package var merchantAccount: String?
    /// The currency of every amount in the notices.
    package var currency: Currency?
    /// What it says of payments.
    package var notices: [Notice]
    /// Why it could not be read, though its type does speak of payments.
    package var problem: String?

    /// Makes a document.
    package init(
        merchantAccount: String? = nil,
        currency: Currency? = nil,
        notices: [Notice] = [],
        problem: String? = nil
    ) {
        self.merchantAccount = merchantAccount
        self.currency = currency
        self.notices = notices
        self.problem = problem
    }

    /// What stands for a stored document that this build cannot read.
    static let unreadable = WebhookDocument(problem: "What is stored of it cannot be read by this build.")

    /// The document as JSON text.
    package var text: String {
        JSON.object(omittingAbsent: [
            "merchant_account": merchantAccount.map(JSON.string), "currency": currency.map { .string($0.code) },
            "notices": .array(notices.map(\.document)), "problem": problem.map(JSON.string),
        ]).text
    }

    /// Reads a document back.
    ///
    /// - Throws: `SQLError.unexpectedValue(column:)` for what ``text`` does not write.
    package init(text: String) throws(SQLError) {
        guard let json = try? JSON.parse(text: text), let documents = json["notices"]?.arrayValue else {
            throw .unexpectedValue(column: "document")
        }
        merchantAccount = json["merchant_account"]?.stringValue
        problem = json["problem"]?.stringValue
        if let code = json["currency"]?.stringValue {
            guard let currency = Currency(code: code) else { throw .unexpectedValue(column: "document") }
            self.currency = currency
        }
        var notices: [Notice] = []
        for document in documents {
            guard let notice = Notice(document: document) else { throw .unexpectedValue(column: "document") }
            notices.append(notice)
        }
        self.notices = notices
    }
}
