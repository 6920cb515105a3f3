/// Runs a body with a scripted server that is stopped afterwards.
package func withServer<Answer>(
    _ server: ScriptedServer,
    _ body: (ScriptedServer) async throws -> Answer
) async rethrows -> Answer {
    defer { server.stop() }
    return try await body(server)
}
