import Gateway
import StrictJSON

/// Puts the token of an order in Wallet into an answer about the order.
///
/// It stands in no stored answer and in no callback, because whoever has it reads what the buyer reads: it is computed for
/// whoever may place orders, or change them. The members are those of Apple's `ApplePayPaymentOrderDetails`.
struct OrderTokens: Sendable {
    private static let mark = Array("\"order_details\"".utf8)

    let service: WalletOrderService

    /// An order's document with its token, if it tells a sheet how to follow the order.
    func json(_ document: JSON) -> JSON {
        guard let details = document["apple_pay"]?["order_details"], case .object(let members) = details,
            let type = details["orderTypeIdentifier"]?.stringValue, let id = details["orderIdentifier"]?.stringValue,
            let token = service.token(id, of: type)
        else { return document }
        let told = JSON.object(members + [.init("authenticationToken", .string(token))])
        return document.replacing("apple_pay") { $0.replacing("order_details") { _ in told } }
    }

    /// The bytes of an order's document with its token; the same bytes each time.
    func bytes(_ bytes: [UInt8]) -> [UInt8] {
        guard Self.isMarked(bytes), let document = try? JSON.parse(bytes) else { return bytes }
        return json(document).bytes
    }

    /// Whether the mark is in a document, which is searched for every answer: `firstRange(of:)` takes half a millisecond for that.
    private static func isMarked(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= mark.count else { return false }
        return (0...bytes.count - mark.count).contains { start in
            bytes[start] == mark[0] && bytes[start + 1] == mark[1] && bytes[start...].starts(with: mark)
        }
    }
}

extension JSON {
    /// The object with another value for a member that it has.
    fileprivate func replacing(_ key: String, _ change: (JSON) -> JSON) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.map { $0.key.utf8.elementsEqual(key.utf8) ? Member($0.key, change($0.value)) : $0 })
    }
}
