/// A simulator that accepts connections.
package struct RunningSimulator: Sendable {
    /// The address it listens on.
    package let host: String
    /// The port it listens on.
    package let port: Int
    private let bookkeeper: Bookkeeper
    private let serving: Task<Void, any Error>

    init(host: String, port: Int, bookkeeper: Bookkeeper, serving: Task<Void, any Error>) {
        self.host = host
        self.port = port
        self.bookkeeper = bookkeeper
        self.serving = serving
    }

    /// The base URL for an adapter's settings.
    package var baseURL: String { "http://\(host):\(port)" }

    /// Reads the books and the time, in milliseconds since 1970, as of which to read them.
    package func read<Value: Sendable>(_ body: @Sendable (Books, _ now: Int64) -> Value) async -> Value {
        await bookkeeper.read(body)
    }

    /// The account's authorizations as they are now.
    package func authorizations(of account: String) async -> [Authorization] {
        await read { books, now in books.authorizations(of: account, at: now) }
    }

    /// Cuts every connection, answered or not, stops listening and closes the books.
    package func stop() async {
        serving.cancel()
        _ = await serving.result
        await bookkeeper.close()
    }
}
