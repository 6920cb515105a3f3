/// How an address is written where a person may copy it.
enum Address {
    /// `http://127.0.0.1:8080`, with brackets where IPv6 wants them.
    static func url(host: String, port: Int) -> String {
        host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
    }
}
