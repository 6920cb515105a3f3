/// Waits until a condition holds that another task will bring about; a test's time limit ends the waiting.
func eventually(_ condition: () async throws -> Bool) async throws {
    while try await !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
