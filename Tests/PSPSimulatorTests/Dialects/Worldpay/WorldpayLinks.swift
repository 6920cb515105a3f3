import StrictJSON
import Synchronization

/// The links that answers have led to so far, by the payment and the name of the link.
final class WorldpayLinks: Sendable {
    private let links = Mutex<[String: [String: String]]>([:])

    /// Remembers every link of an answer.
    func remember(_ json: JSON, of payment: String) {
        for name in ["_links", "_actions"] {
            for member in json[name]?.objectValue ?? [] {
                guard let href = member.value["href"]?.stringValue else { continue }
                links.withLock { $0[payment, default: [:]][member.key] = href }
            }
        }
    }

    /// The path that a link of the payment leads to; one that leads nowhere if there is none.
    func path(_ name: String, of payment: String) -> String {
        let href = links.withLock { $0[payment]?[name] } ?? "http://127.0.0.1/api/payments/none/\(name)"
        let afterScheme = href.firstRange(of: "://").map { href[$0.upperBound...] } ?? href[...]
        return String(afterScheme.drop { $0 != "/" })
    }
}
