import AdapterKit
import StrictJSON

/// A request in the simulator's dialect, taken apart.
struct ScriptedRequest {
    /// What the request names.
    enum Target: Hashable {
        case nothing
        /// The PSP's own name of an authorization.
        case id(String)
        /// The caller's name of an authorization.
        case reference(String)
        /// The caller's name of a capture, void or refund.
        case operation(String)

        /// The name; empty if there is none.
        var name: String {
            switch self {
            case .nothing: ""
            case .id(let name), .reference(let name), .operation(let name): name
            }
        }
    }

    let kind: ScriptedCall.Kind
    let target: Target
    let reference: String
    let amount: Int64
    let currency: String
    let token: String
    let captures: Bool
    let isFinal: Bool
    let key: String?
    /// For whom what pays is to be kept.
    let storesFor: String?

    /// Reads a request; nil for what the dialect does not have.
    init?(_ wire: WireRequest) {
        let path = wire.url.split(separator: "/", omittingEmptySubsequences: true).dropFirst(2).map(String.init)
        guard path.first == "v1", path.count >= 2 else { return nil }
        let body = try? JSON.parse(wire.body)
        key = wire.headers.first { $0.name == "Idempotency-Key" }?.value
        reference = body?["reference"]?.stringValue ?? ""
        amount = body?["amount"]?.integerValue ?? 0
        currency = body?["currency"]?.stringValue ?? ""
        token =
            body?["token"]?.stringValue ?? body?["network_token"]?["number"]?.stringValue
            ?? body?["stored_method"]?["id"]?.stringValue ?? ""
        storesFor = body?["store_for"]?.stringValue
        captures = body?["capture"]?.boolValue ?? false
        isFinal = body?["final"]?.boolValue ?? true
        if wire.method == .delete {
            guard path.count == 3, let name = path[2].split(separator: "?").first else { return nil }
            (kind, target) = (.forget, .id(String(name)))
        } else if wire.method == .get {
            let parts = path[1].split(separator: "=").map(String.init)
            guard parts.count == 2 else { return nil }
            kind = .inquire
            target = parts[0] == "operations?reference" ? .operation(parts[1]) : .reference(parts[1])
        } else if path.count == 2 {
            (kind, target) = (.authorize, .nothing)
        } else {
            let kinds: [String: ScriptedCall.Kind] = ["captures": .capture, "void": .void, "refunds": .refund]
            guard let last = path.last, let kind = kinds[last] else { return nil }
            self.kind = kind
            target = path[2] == "by-reference" && path.count == 5 ? .reference(path[3]) : .id(path[2])
        }
    }
}
