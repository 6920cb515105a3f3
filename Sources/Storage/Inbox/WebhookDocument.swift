package import Domain
package import SQL
import StrictJSON

/// What an event of a PSP says, as the inbox keeps it.
package struct WebhookDocument: Hashable, Sendable {
    /// At whose account it happened.
    package var merchantAccount: NoticeAccount
    /// The currency of every amount in the notices.
    package var currency: Currency?
    /// What it says of payments.
    package var notices: [Notice]
    /// Why it could not be read, though its type does speak of payments.
    package var problem: String?

    /// Makes a document.
    package init(
        merchantAccount: NoticeAccount = .unsaid,
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
            "merchant_account": merchantAccount.merchant.map(JSON.string),
            "platform_account": merchantAccount.platform.map(JSON.string),
            "currency": currency.map { .string($0.code) }, "notices": .array(notices.map(\.document)),
            "problem": problem.map(JSON.string),
        ]).text
    }

    /// Reads a document back.
    ///
    /// - Throws: `SQLError.unexpectedValue(column:)` for what ``text`` does not write.
    package init(text: String) throws(SQLError) {
        guard let json = try? JSON.parse(text: text), let documents = json["notices"]?.arrayValue else {
            throw .unexpectedValue(column: "document")
        }
        merchantAccount = NoticeAccount(json)
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

extension NoticeAccount {
    /// Reads what a document says of it.
    ///
    /// Documents of old name a merchant's account or none at all. None is then taken for unsaid: what happened at an
    /// account where a submerchant acts was named in them, too.
    fileprivate init(_ document: JSON) {
        if let name = document["merchant_account"]?.stringValue {
            self = .merchant(name)
        } else if let name = document["platform_account"]?.stringValue {
            self = .platform(name.isEmpty ? nil : name)
        } else {
            self = .unsaid
        }
    }

    fileprivate var merchant: String? { if case .merchant(let name) = self { name } else { nil } }

    fileprivate var platform: String? { if case .platform(let name) = self { name ?? "" } else { nil } }
}
