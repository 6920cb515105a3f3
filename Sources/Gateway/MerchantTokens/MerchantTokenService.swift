import AdapterKit
import Domain
import SQL
import Storage
import StrictJSON
import WireFormats

/// Apple's Merchant Token Management API, which whoever shows the marketplace's merchant identity may call.
///
/// Sources: Apple, "Merchant Token Notification Services": "Get Details of a Merchant Token Event" (1.0.10), "Invalidate a Merchant
/// Token". Apple demands mutual TLS and does not name the certificate: the one that proves the merchant when a session starts is
/// shown.
struct MerchantTokenService: Sendable {
    /// How long a call may take, in milliseconds.
    static let callMilliseconds: Int64 = 10_000

    let ports: WalletPorts
    let random: RandomSource

    /// Whose token it is, as Apple knows it.
    struct Access: Sendable {
        /// What the marketplace declares.
        let applePay: WalletAccess.ApplePay
        /// The merchant's identifier at Apple; the marketplace's own for a merchant that has none.
        let merchantIdentifier: String

        /// Reads it; nil if the marketplace declares no merchant identity, or nothing names the merchant to Apple.
        ///
        /// - Throws: `SQLError`.
        init?(to merchant: MerchantID, of marketplace: String, in session: any Session) throws(SQLError) {
            let tenants = try MarketplaceTable.read(session.rows(MarketplaceTable.named(marketplace)))
            guard let applePay = tenants.first?.wallets.applePay, applePay.identity != nil else { return nil }
            let own = try MerchantTable.find(merchant, of: marketplace, in: session)?.merchantIdentifier
            let seller = try PaymentRequestTable.seller(of: marketplace, in: session)?.merchantIdentifier
            guard let identifier = own ?? seller else { return nil }
            (self.applePay, merchantIdentifier) = (applePay, identifier)
        }
    }

    /// Asks for an event.
    func event(_ name: String, _ access: Access) async -> SendResult {
        await ask(.get, "event/\(PercentEncoding.encode(name))", [], access)
    }

    /// Asks to unlink a token, which is good for no payment from then on.
    func unlink(_ identifier: String, _ access: Access) async -> SendResult {
        let body: JSON = ["merchantTokenIdentifier": .string(identifier)]
        return await ask(.post, "unlink", body.bytes, access)
    }

    private func ask(
        _ method: WireRequest.Method,
        _ path: String,
        _ body: [UInt8],
        _ access: Access
    ) async -> SendResult {
        let identity: MerchantIdentity?
        do {
            identity = try access.applePay.merchantIdentity(readBy: ports)
        } catch {
            return .held(reason: "the merchant identity cannot be read: \(error)")
        }
        guard let identity else { return .held(reason: "the marketplace declares no apple_pay.merchant_identity") }
        let merchant = PercentEncoding.encode(access.merchantIdentifier)
        let request = WireRequest(
            method,
            "\(access.applePay.paymentServices)/v1/merchantId/\(merchant)/merchantToken/\(path)",
            headers: [
                Header("Content-Type", "application/json"), Header("Accept", "application/json"),
                Header("x-request-id", requestID()),
            ],
            body: body,
            canMoveMoney: false
        )
        return await ports.askApple(request, identity, Self.callMilliseconds)
    }

    /// A random UUID (RFC 9562, version 4), by which Apple finds a call again.
    private func requestID() -> String {
        var random = random
        let high = random.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let bytes = [high, low].flatMap { half in stride(from: 56, through: 0, by: -8).map { UInt8(half >> $0 & 0xFF) }
        }
        let ranges = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
        return ranges.map { Hexadecimal.encode(Array(bytes[$0])) }.joined(separator: "-")
    }
}
