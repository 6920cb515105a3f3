import Domain
import Gateway
import HTTPTypes
import Hummingbird
import SQL
import StrictJSON
import Testing

@testable import HTTPAPI

@Suite("Problems")
struct ProblemTests {
    private let empty = Violation(pointer: "/a", code: "empty", detail: "Must not be empty.")
    private let long = Violation(pointer: "/b", code: "too_long", detail: "Must have at most 2 characters.")

    @Test("take the code of their only violation")
    func one() {
        let problem = Problem.invalid([empty])
        #expect(problem.status == .unprocessableContent)
        #expect((problem.code, problem.detail) == ("empty", "Must not be empty."))
    }

    @Test("have a code of their own for several")
    func several() {
        let json = Problem.invalid([empty, long]).json(requestID: "req_1")
        #expect(json["code"] == "invalid_request")
        #expect(json["type"] == "/problems/invalid_request")
        #expect(json["title"] == "Unprocessable Content")
        #expect(json["status"] == 422)
        #expect(json["errors"] == .array([empty.json, long.json]))
        #expect(json["request_id"] == "req_1")
        #expect(json["order"] == nil)
    }

    @Test(
        "say when to try again if the database is away",
        arguments: [SQLError.unavailable("x"), .serializationFailure]
    )
    func unavailable(_ error: SQLError) {
        let problem = answering(error)
        #expect((problem.status, problem.code) == (.serviceUnavailable, "unavailable"))
        #expect(problem.retryAfterSeconds == 1)
    }

    @Test("tell nothing of what went wrong here")
    func internalError() {
        let problem = answering(SQLError.broken("no such column: pan"))
        #expect((problem.status, problem.code) == (.internalServerError, "internal_error"))
        #expect(!problem.detail.contains("pan"))
    }

    @Test("stay what they are when a handler throws them")
    func thrown() {
        #expect(answering(Problem.notFound) == .notFound)
        #expect(answering(PlacementRefusal.invalid([empty])) == .invalid([empty]))
        #expect(answering(PaymentRequestRefusal.invalid([long])) == .invalid([long]))
        #expect(answering(PaymentRequestRefusal.notFound) == .notFound)
        #expect(answering(HTTPError(.contentTooLarge)).code == "body_too_large")
        #expect(answering(HTTPError(.badRequest)).status == .badRequest)
    }

    private func answering(_ error: any Error) -> Problem {
        Problem(answering: error, path: "/", methods: MethodTable([]))
    }
}
