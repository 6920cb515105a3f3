/// The hosts that Apple's validation addresses may name.
///
/// The address itself is never called; a page that sends another one is broken or hostile. Source: Apple, "Setting Up
/// Your Server" (2026-07), and the pod names that Apple's devices send.
enum AppleGatewayHost {
    /// Whether an address is https at one of the hosts, on the usual port and without a user.
    static func isAllowed(_ url: String) -> Bool {
        guard url.hasPrefix("https://") else { return false }
        let rest = url.dropFirst("https://".count)
        let authority = String(rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" })
        return all.contains(authority) && url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") }
    }

    private static let all: Set<String> = {
        let plain = ["", "-cert"].flatMap { ["apple-pay-gateway\($0)", "cn-apple-pay-gateway\($0)"] }
        let global = ["nc", "pr"].flatMap { site in (1...5).map { "apple-pay-gateway-\(site)-pod\($0)" } }
        let china = ["sh", "tj"].flatMap { site in (1...3).map { "cn-apple-pay-gateway-\(site)-pod\($0)" } }
        return Set((plain + global + china).map { $0 + ".apple.com" })
    }()
}
