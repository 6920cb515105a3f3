/// A declaration of two merchants at one simulator, in the parts that tests change.
struct MarketplaceFile {
    var name = "Travel Now"
    var baseURL = "http://127.0.0.1:9901"
    var psp = "simulator"
    var credential = "env:SIM_KEY"
    var webhookSecret: String?
    var hotelName = "Grand Hotel"
    var commission = 1000
    var hasHotel = true
    /// Where the marketplace is told of its orders, signed with what `HOOK_SECRET` has; nil for nowhere.
    var callback: String?
    var extra = ""

    /// The file's text.
    var text: String {
        """
        marketplace: { id: travel, name: \(name)\(endpoint) }
        psp_accounts:
          - { id: sim, psp: \(psp), base_url: "\(baseURL)", credentials: { \(credentials) } }
        merchants:
          - external_identifier: airline-1
            name: Skyways
            routes: [{ psp_account: sim }]
            commission: { basis_points: \(commission) }
        \(hasHotel ? hotel : "")
        \(extra)
        """
    }

    private var endpoint: String {
        callback.map { ", callback: { url: \"\($0)\", secret: \"env:HOOK_SECRET\" }" } ?? ""
    }

    private var credentials: String {
        "api_key: \"\(credential)\"" + (webhookSecret.map { ", webhook_secret: \"\($0)\"" } ?? "")
    }

    private var hotel: String {
        """
          - external_identifier: hotel-7
            name: \(hotelName)
            routes: [{ psp_account: sim }]
        """
    }
}
