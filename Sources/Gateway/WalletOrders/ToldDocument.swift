package import Domain
package import StrictJSON
import WalletOrders
import WireFormats

/// Something that a marketplace or a merchant tells of a payment after its order was placed, for its buyer to read in Wallet:
/// a fulfillment, a return or a receipt.
///
/// The document is stored as it came, sealed, and read again for each package.
protocol ToldDocument: Sendable {
    /// What was told, without the payment.
    var json: JSON { get }
    /// The same without the files in it.
    var answer: JSON { get }

    /// Shows it in packages, under its name.
    func add(to subject: inout WalletPackageBuilder.Subject, as name: ToldName)
}

/// What something is told under: the same again takes its place.
package struct ToldName: Hashable, Sendable {
    /// What is told.
    package enum Kind: Hashable, Sendable {
        /// How goods come, by the teller's name for it.
        case fulfillment(String)
        /// What is sent back, by the teller's name for it.
        case `return`(String)
        /// The receipt of the payment, or of what a refund gave back of it.
        case receipt(RefundID?)
    }

    /// What is told.
    let kind: Kind
    /// The payment.
    let payment: PaymentID

    private static let (returns, receipts) = ("return/", "receipt/")

    init(_ kind: Kind, of payment: PaymentID) { (self.kind, self.payment) = (kind, payment) }

    /// Reads ``id`` back.
    init(id: String, of payment: PaymentID) {
        func rest(_ prefix: String) -> String { String(id.dropFirst(prefix.count + payment.text.count + 1)) }
        let kind: Kind =
            if id.hasPrefix(Self.returns) {
                .return(rest(Self.returns))
            } else if id.hasPrefix(Self.receipts) {
                .receipt(RefundID(rest(Self.receipts)))
            } else {
                .fulfillment(rest(""))
            }
        self.init(kind, of: payment)
    }

    /// What names it in the whole database.
    var id: String {
        switch kind {
        case .fulfillment: walletIdentifier
        case .return: Self.returns + walletIdentifier
        case .receipt: Self.receipts + walletIdentifier
        }
    }

    /// What a device knows it by: two merchants of an order may use one name.
    var walletIdentifier: String {
        switch kind {
        case .fulfillment(let name), .return(let name): "\(payment.text)/\(name)"
        case .receipt(let refund): refund.map { "\(payment.text)/\($0.text)" } ?? payment.text
        }
    }

    /// Whether an order has what it is about.
    func isOf(_ order: Order) -> Bool {
        guard case .receipt(let refund?) = kind else { return true }
        return order.refunds.contains { $0.id == refund && $0.items.contains { $0.payment == payment } }
    }
}

extension ToldName.Kind {
    /// The document that is told.
    ///
    /// - Throws: `InvalidDocument` with everything that is wrong, by pointer.
    func document(_ json: JSON) throws(InvalidDocument) -> any ToldDocument {
        switch self {
        case .fulfillment: try FulfillmentDocument(json)
        case .return: try ReturnDocument(json)
        case .receipt: try ReceiptDocument(json)
        }
    }
}

/// Members that several such documents have.
extension ObjectReader {
    /// The payment that is meant, which the caller looks at.
    func walletPayment() -> PaymentID? {
        parsed("payment", .optional, expecting: "a payment's id") { PaymentID($0) }
    }

    /// A text of at most so many characters.
    func walletText(_ key: String, _ limit: Int) -> String? {
        string(key, .optional, length: 1...limit, by: TextRule.freeText.accept)
    }

    /// Labels, nil for those that are absent.
    func walletLabels(_ keys: [String]) -> [String?] {
        var labels: [String?] = []
        for key in keys { labels.append(walletText(key, WalletOrderLimits.label)) }
        return labels
    }

    /// Moments, nil for those that are absent.
    func walletTimes(_ keys: [String]) -> [Timestamp?] {
        var times: [Timestamp?] = []
        for key in keys {
            times.append(parsed(key, .optional, expecting: "an RFC 3339 time") { RFC3339.timestamp($0, .strict) })
        }
        return times
    }

    /// What is in a parcel; empty if it is not said.
    func walletItems() -> [WalletLineItem] {
        array("line_items", .optional, count: 1...100) { body in
            let title = body.string("title", length: 1...WalletOrderLimits.label, by: TextRule.freeText.accept)
            let quantity = body.integer("quantity", in: 1...1_000_000)
            let sku = body.walletText("product_code", WalletOrderLimits.identifier)
            let shown = body.walletItem()
            guard let title, let quantity else { return nil }
            return WalletLineItem(title: title, quantity: quantity, image: shown.picture, gtin: shown.gtin, sku: sku)
        } ?? []
    }

    /// What an item says in Wallet beside its name and number: `picture` and `gtin`.
    package func walletItem() -> OrderDraft.WalletOrder.Item {
        let picture = string("picture", .optional, length: 1...64, by: TextRule.identifier.accept)
        let gtin = parsed("gtin", .optional, expecting: "8, 12, 13 or 14 digits") { text in
            let isNumber = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            return isNumber && [8, 12, 13, 14].contains(text.utf8.count) ? text : nil
        }
        return OrderDraft.WalletOrder.Item(picture: picture, gtin: gtin)
    }

    /// A document in PDF, as base 64.
    func walletPaper(_ key: String, _ presence: Presence = .required) -> [UInt8]? {
        let limit = (WalletOrderLimits.paperBytes + 2) / 3 * 4
        guard let text = string(key, presence, length: 1...limit) else { return nil }
        guard let bytes = Base64.decode(text) else {
            refuse(key, "not_allowed", "Must be a file in base 64, padded.")
            return nil
        }
        if let objection = WalletOrderPaper.objection(to: bytes) { refuse(key, "not_allowed", objection) }
        return bytes
    }
}

extension JSON {
    /// The object without some members.
    func without(_ keys: String...) -> JSON {
        .object((objectValue ?? []).filter { member in !keys.contains { member.key.utf8.elementsEqual($0.utf8) } })
    }
}
