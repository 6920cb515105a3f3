import Domain
import HTTPTransport
import Settings
import StrictJSON
import TributaryClient

/// A server that acts for a command, with the command's API key.
struct RemoteServer: Sendable {
    /// How long a server may take to answer.
    private static let patience = Duration.seconds(90)

    /// Where it is.
    let url: String
    private let transport: HTTPTransport
    private let client: TributaryClient

    /// A server at an address.
    init(url: String, key: Secret, trusting authorities: PEM?) {
        self.url = url
        transport = HTTPTransport()
        client = TributaryClient(
            baseURL: url,
            key: key.reveal(),
            settings: .init(
                repeats: 2,
                firstPause: .milliseconds(200),
                longestPause: .seconds(5),
                timeLimit: Self.patience
            ),
            transport: transport,
            trusting: authorities
        )
    }

    /// Ends its connections.
    func close() async { await transport.stop() }

    /// What a path answers.
    ///
    /// - Parameters:
    ///   - path: the path with its query.
    ///   - missing: what to say if there is nothing there.
    /// - Returns: the document.
    /// - Throws: ``CommandFailure``.
    func get(_ path: String, orSaying missing: CommandFailure? = nil) async throws(CommandFailure) -> JSON {
        do throws(TributaryClient.Failure) {
            return try await client.read(path)
        } catch {
            throw failure(error, missing)
        }
    }

    /// All that a list has, page by page.
    ///
    /// - Throws: ``CommandFailure``.
    func list(_ path: String) async throws(CommandFailure) -> [JSON] {
        var all: [JSON] = []
        var next: String?
        repeat {
            let page = try await get(path + "?limit=100" + (next.map { "&starting_after=" + Self.segment($0) } ?? ""))
            all += page["data"]?.arrayValue ?? []
            next = page["has_more"]?.boolValue == true ? page["next"]?.stringValue : nil
        } while next != nil
        return all
    }

    /// Asks for an act.
    ///
    /// - Parameters:
    ///   - path: the path with its query.
    ///   - body: the body.
    ///   - key: the idempotency key, where the act has one.
    ///   - missing: what to say if there is nothing there.
    ///   - refusing: says a refusal in the command's words; nil for its usual ones.
    /// - Returns: the status and the document.
    /// - Throws: ``CommandFailure``.
    @discardableResult
    func post(
        _ path: String,
        _ body: JSON = [:],
        under key: String? = nil,
        orSaying missing: CommandFailure? = nil,
        refusing: ((TributaryClient.Problem) -> CommandFailure?)? = nil
    ) async throws(CommandFailure) -> (status: Int, json: JSON) {
        do throws(TributaryClient.Failure) {
            return try await client.post(path, body, idempotencyKey: key)
        } catch {
            if case .refused(let problem) = error, let said = refusing?(problem) { throw said }
            throw failure(error, missing)
        }
    }

    /// Refuses a marketplace that is not the key's.
    ///
    /// - Throws: ``CommandFailure``.
    func check(marketplace: String) async throws(CommandFailure) {
        let own = try await self.marketplace()
        guard own == marketplace else {
            throw .unusable("the API key is for the marketplace \(own.harmless), not for \(marketplace.harmless)")
        }
    }

    /// The marketplace that the key opens.
    ///
    /// - Throws: ``CommandFailure``.
    func marketplace() async throws(CommandFailure) -> String {
        try await get("/v1/key")["marketplace"]?.stringValue ?? ""
    }

    /// Text as one segment of a path.
    static func segment(_ text: String) -> String { TributaryClient.segment(text) }

    private func failure(_ failure: TributaryClient.Failure, _ missing: CommandFailure?) -> CommandFailure {
        switch failure {
        case .refused(let problem):
            if problem.status == 404, problem.code == "not_found", let missing { return missing }
            return CommandFailure(problem, by: url)
        case .noAnswer(let answer):
            let began = "the server at \(url.harmless) did not answer: \(answer.reason.harmless)"
            guard answer.mayHaveHappened else { return .unusable(began + "; nothing was done") }
            guard let key = answer.idempotencyKey else {
                return .unusable(began + "; it may have been done: look before you repeat it")
            }
            return .unusable(
                began + "; it may have been done: repeat the command with --idempotency-key \(key), which does nothing "
                    + "twice"
            )
        case .unreadable(let status, let key):
            let rest = key.map { "; repeat the command with --idempotency-key \($0), which does nothing twice" } ?? ""
            return .unusable("what answered HTTP \(status) at \(url.harmless) is no Tributary of this version" + rest)
        case .nothingNamed: return .unusable("the command names nothing to act on")
        }
    }
}

extension CommandFailure {
    /// Refusals that are about what was typed, whatever their status: a command exits 2 for them.
    private static let unusableCodes: Set<String> = [
        "break_state", "break_changed", "clock_backwards", "clock_too_far", "not_in_live_mode",
    ]
    /// Refusals that are about what there is: a command exits 1 for them.
    private static let findingCodes: Set<String> = ["unknown_callback", "nothing_to_invoice", "not_paid_yet"]

    /// Says a refusal of the API in the words and with the exit code of the same refusal on the database.
    ///
    /// - Parameters:
    ///   - problem: the refusal.
    ///   - url: who refuses.
    init(_ problem: TributaryClient.Problem, by url: String) {
        let sentence = Self.sentence(problem.detail.harmless)
        switch (problem.status, problem.code) {
        case (_, "no_such_path"), (405, _), (_, "unknown_api_version"):
            self = .unusable(
                "the server at \(url.harmless) is of another version than this command and cannot do that; use the "
                    + "command of its version, or --direct where its database is"
            )
        case (401, _), (403, _):
            self = .unusable("the server at \(url.harmless) refuses the API key: \(problem.code): \(sentence)")
        case (429, _), (500..., _): self = .unusable("the server at \(url.harmless) cannot do that now: \(sentence)")
        case (_, "unknown"): self = .unusable("the server at \(url.harmless) answered HTTP \(problem.status)")
        case (_, let code) where Self.unusableCodes.contains(code): self = .unusable(sentence)
        case (404, _), (409, _): self = .finding(sentence)
        case (_, let code) where Self.findingCodes.contains(code): self = .finding(sentence)
        default:
            let all = problem.violations.map { $0.pointer.isEmpty ? $0.detail : "\($0.pointer): \($0.detail)" }
            self = .unusable(problem.violations.count > 1 ? all.map(\.harmless).joined(separator: "\n") : sentence)
        }
    }

    /// The API's sentences as a command says them: one, which begins small and ends without a point.
    static func sentence(_ detail: String) -> String {
        let sentences = detail.split(separator: /\.(?: |$)/).map { part -> String in
            // A name, as S-7 or SEPA, begins as it does.
            let rest = part.prefix { $0 != " " }.dropFirst()
            guard let first = part.first, rest.allSatisfy(\.isLowercase) else { return String(part) }
            return first.lowercased() + part.dropFirst()
        }
        return sentences.joined(separator: "; ")
    }
}
