/// The URL that is registered at a PSP for its webhooks, which some of them sign.
struct WebhookAddress: Hashable, Sendable {
    /// Where the outside reaches the server, without a slash at the end; nil if nobody said.
    let publicURL: String?

    /// The URL of a request for `path`; unless somebody said, that of the host it names, by https as PSPs demand.
    func url(authority: String?, path: String) -> String { (publicURL ?? "https://\(authority ?? "")") + path }
}
