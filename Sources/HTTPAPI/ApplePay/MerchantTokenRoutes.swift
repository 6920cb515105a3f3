import Domain
import Gateway
import HTTPTypes
import Hummingbird

/// Where Apple announces that something has happened to a merchant token: with the event's name alone.
///
/// No key guards it, because Apple shows none. Whatever is announced is answered alike, known or not, as Apple demands (Apple, "Send
/// Merchant Token Event", 2026); only what could not be written down is not, so that Apple announces it again.
struct MerchantTokenRoutes: Sendable {
    let inbox: MerchantTokenInbox
    let door: Door

    func add(to router: Router<APIContext>) {
        router.get("\(MerchantTokenAddress.root)/{merchant}/notification/merchantToken/{event}") { _, context in
            try await take(context)
        }
    }

    private func take(_ context: APIContext) async throws -> Response {
        guard let merchant = context.pathParameter("merchant").flatMap({ MerchantID($0) }),
            let event = DeviceText.name(context.pathParameter("event"))
        else { return Response(status: .ok) }
        let visit = try await door.enter()
        defer { visit.leave() }
        _ = try await inbox.take(event, to: merchant)
        return Response(status: .ok)
    }
}
