import Domain

/// Where Apple announces what happens to merchant tokens: what payment requests name as `tokenNotificationURL`.
///
/// Apple appends `/notification/merchantToken/` and the event's identifier to it (Apple, "Send Merchant Token Event", 2026).
struct MerchantTokenAddress: Hashable, Sendable {
    /// What the path of every such address begins with; the merchant's id comes behind it.
    static let root = "/v1/apple-pay/merchant-tokens"

    /// Where the outside reaches the server, without a slash at the end; nil if nobody said.
    let publicURL: String?

    /// The address for the tokens of one merchant; nil if nobody said where the outside reaches the server.
    func url(of merchant: MerchantID) -> String? { publicURL.map { "\($0)\(Self.root)/\(merchant)" } }
}
