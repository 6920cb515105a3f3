import StrictJSON

/// Reads links in Worldpay's replies.
///
/// Requests with the account's credentials are sent to where they lead, so that only those to the configured base URL
/// count: of a link the path is kept, and the base URL put before it again. Every other one is as good as absent.
struct LinkReader {
    let baseURL: String

    /// The path, with its query, of a link to the base URL; nil if it leads elsewhere.
    ///
    /// Worldpay writes whole URLs and paths alike.
    func path(_ href: String) -> String? {
        let isRelative = href.hasPrefix("/")
        guard isRelative || href.hasPrefix(baseURL + "/") else { return nil }
        let path = isRelative ? href : String(href.dropFirst(baseURL.count))
        return Self.isSafe(path) ? path : nil
    }

    /// Whether a path can be put behind a host without changing it.
    static func isSafe(_ path: String) -> Bool {
        guard path.hasPrefix("/"), !path.hasPrefix("//"), path.utf8.count <= 4096 else { return false }
        return path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "<"), UInt8(ascii: ">"),
                UInt8(ascii: "{"), UInt8(ascii: "}"):
                false
            default: byte > 0x20 && byte < 0x7F
            }
        }
    }

    /// Whether a path is one of the Payments API; the others are of the Card Payments API.
    static func isOfPaymentsAPI(_ path: String) -> Bool { path.hasPrefix("/api/payments") }

    /// The links of a reply: `_actions` of the Payments API, `_links` of the Card Payments API.
    func links(_ json: JSON) -> PaymentState.Links {
        PaymentState.Links(
            capture: action("partiallySettlePayment", json) ?? link("partialSettle", json),
            void: action("cancelPayment", json) ?? link("cancel", json),
            refund: action("partiallyRefundPayment", json) ?? link("partialRefund", json)
        )
    }

    private func action(_ name: String, _ json: JSON) -> String? {
        guard let action = json["_actions"]?[name] else { return nil }
        guard (action["method"] ?? "POST") == "POST" else { return nil }
        return action["href"]?.stringValue.flatMap(path)
    }

    private func link(_ name: String, _ json: JSON) -> String? {
        let link = json["_links"]?["cardPayments:" + name] ?? json["_links"]?["payments:" + name]
        return link?["href"]?.stringValue.flatMap(path)
    }
}
