import Crypto

/// The opaque part of a link: which payment it is of, and the one thing that it lets its holder do.
///
/// It is as long as Worldpay's, has escaped characters as those have, and cannot be made up from another one.
struct WorldpayLink: Hashable, Sendable {
    let api: WorldpayAPI
    let action: WorldpayAction
    /// The books' identifier of the payment.
    let authorization: String
    /// The payment's currency.
    let currency: String

    /// A link to `authorization`.
    init(_ api: WorldpayAPI, _ action: WorldpayAction, _ authorization: Authorization) {
        self.init(api, action, authorization.id, authorization.command.currency)
    }

    /// Reads the segment of a path; nil if Worldpay did not make it.
    init?(data: String) {
        guard let text = PercentEncoding.decode(data), let end = text.lastIndex(of: ":"),
            let bytes = Base64.decode(text[text.index(after: end)...])
        else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ").map(String.init)
        guard words.count == 4, let api = WorldpayAPI(rawValue: words[0]),
            let action = WorldpayAction(rawValue: words[1])
        else { return nil }
        self.init(api, action, words[2], words[3])
        guard self.text == text else { return nil }
    }

    private init(_ api: WorldpayAPI, _ action: WorldpayAction, _ authorization: String, _ currency: String) {
        self.api = api
        self.action = action
        self.authorization = authorization
        self.currency = currency
    }

    /// The segment of a path.
    var data: String { PercentEncoding.encode(text) }

    /// Where the link leads.
    func href(_ origin: String) -> String {
        if api == .cardPayments, let card = action.card { return "\(origin)/\(card.path)/\(data)" }
        let end = action.pathEnd
        return "\(origin)/api/payments/\(data)" + (end.isEmpty ? "" : "/" + end)
    }

    private var text: String {
        let words = Array("\(api.rawValue) \(action.rawValue) \(authorization) \(currency)".utf8)
        var seal: [UInt8] = []
        var block = words
        for _ in 0..<9 {
            block = Array(SHA256.hash(data: block))
            seal += block
        }
        let head = Base64.encode(Array(#"{"k":"k3ab632","linkVersion":"5.0.0"}"#.utf8))
        return "\(head).sN:\(Base64.encode(seal)):\(Base64.encode(words))"
    }
}
