import Storage
import Testing
import TributaryTestKit

/// What an endpoint does with a callback, and what has to come of it.
struct AnswerCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var steps: [ServerStep]
    var state = StoredCallback.State.waiting
    var attempts: Int64 = 1
    var status: Int64?
    /// How the words begin that say why.
    var error: String?
    /// How long the endpoint is left alone, in seconds; jitter adds a tenth.
    var pause: Int64? = 5

    private init(_ name: String, _ steps: ServerStep...) {
        testDescription = name
        self.steps = steps
    }

    static let all: [AnswerCase] = taken + answered + silent

    private static func reply(_ status: Int, _ headers: String = "") -> ServerStep {
        .write("HTTP/1.1 \(status) Status\r\n\(headers)Content-Length: 0\r\n\r\n")
    }

    private static let taken: [AnswerCase] =
        [200, 201, 202, 204, 299].map { status in
            var answer = AnswerCase("\(status)", .readRequest, reply(status))
            (answer.state, answer.attempts, answer.status, answer.pause) = (.delivered, 0, Int64(status), nil)
            return answer
        } + [
            AnswerCase(
                "200 with a body without end",
                .readRequest,
                .write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                .writeForever("1000\r\n\(String(repeating: "x", count: 4096))\r\n", pauseMilliseconds: 0)
            ).delivered
        ]

    private var delivered: AnswerCase {
        var answer = self
        (answer.state, answer.attempts, answer.status, answer.pause) = (.delivered, 0, 200, nil)
        return answer
    }

    private static let answered: [AnswerCase] =
        [300, 301, 302, 304, 307, 308, 400, 401, 404, 418, 500, 502, 599].map {
            answer($0, "Location: https://elsewhere.example/\r\n", pause: 5)
        } + [
            answer(429, "", pause: 5), answer(429, "Retry-After: 120\r\n", pause: 120),
            answer(429, "Retry-After: 0\r\n", pause: 1),
            answer(503, "Retry-After: 999999\r\n", pause: 86_400), answer(503, "Retry-After: soon\r\n", pause: 5),
            // The clock of the stage begins at Fri, 15 Jan 2027 08:00:00 GMT.
            answer(503, "Retry-After: Fri, 15 Jan 2027 09:00:00 GMT\r\n", pause: 3600),
            answer(500, "Retry-After: 7200\r\n", pause: 5),
        ]

    private static func answer(_ status: Int, _ headers: String, pause: Int64) -> AnswerCase {
        var answer = AnswerCase("\(status) \(headers.dropLast(2))", .readRequest, reply(status, headers))
        (answer.status, answer.error, answer.pause) = (Int64(status), "HTTP \(status)", pause)
        return answer
    }

    private static let silent: [AnswerCase] = [
        AnswerCase("hangs", .readRequest, .stall).failing("timedOut"),
        AnswerCase("hangs before the request is read", .awaitByte, .stall).failing("timedOut"),
        AnswerCase("closes without an answer", .readRequest).failing("connectionClosed"),
        AnswerCase("resets", .readRequest, .reset).failing("connectionClosed"),
        AnswerCase("closes within the head", .readRequest, .write("HTTP/1.1 200 OK\r\nContent")).failing(
            "connectionClosed"
        ),
        AnswerCase("closes within the body", .readRequest, .write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"))
            .failing("connectionClosed"),
        AnswerCase("says what is no HTTP", .readRequest, .write("SSH-2.0-OpenSSH_9.2\r\n")).failing(""),
        AnswerCase(
            "has a head without end",
            .readRequest,
            .write("HTTP/1.1 200 OK\r\n"),
            .writeForever("X: \(String(repeating: "x", count: 4096))\r\n", pauseMilliseconds: 0)
        ).failing("replyTooLarge"),
        AnswerCase(
            "has a body that drips",
            .readRequest,
            .write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
            .writeForever("1\r\nx\r\n", pauseMilliseconds: 50)
        ).failing("timedOut"),
    ]

    private func failing(_ error: String) -> AnswerCase {
        var answer = self
        answer.error = error
        return answer
    }
}
