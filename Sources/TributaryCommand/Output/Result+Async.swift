extension Result where Failure == any Error {
    /// What an asynchronous body came to, so that something can be done before its error is thrown.
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
