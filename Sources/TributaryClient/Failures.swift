package import StrictJSON

extension TributaryClient {
    /// Why a call has no result.
    public enum Failure: Error, Hashable, Sendable {
        /// Tributary refused the call, and did nothing because of it.
        ///
        /// It says nothing of an earlier call under the same key that got no answer.
        case refused(Problem)
        /// No answer came, however often it was asked for, or one that leaves open what came of an earlier try.
        case noAnswer(NoAnswer)
        /// An answer of this status came that is none of the API's: what was asked may have been done.
        ///
        /// The key is the one under which it was asked; nil for calls that need none.
        case unreadable(status: Int, idempotencyKey: String?)
        /// The call is about some payments and names none: nothing was sent.
        case nothingNamed
    }

    /// What is known where no answer came.
    public struct NoAnswer: Hashable, Sendable {
        /// What went wrong last, for a log.
        public let reason: String
        /// The key under which it was asked; nil for calls that need none.
        ///
        /// The same call under the same key finds out what came of it, and does nothing twice.
        public let idempotencyKey: String?
        /// False only if it is certain that nothing was done.
        public let mayHaveHappened: Bool

        /// Makes a description.
        public init(reason: String, idempotencyKey: String?, mayHaveHappened: Bool) {
            self.reason = reason
            self.idempotencyKey = idempotencyKey
            self.mayHaveHappened = mayHaveHappened
        }
    }

    /// A refusal, as RFC 9457 describes problems.
    public struct Problem: Hashable, Sendable {
        /// One thing that is wrong with the request.
        public struct Violation: Hashable, Sendable {
            /// Where in the body, as a JSON pointer (RFC 6901).
            public let pointer: String
            /// A word that programs may rely on.
            public let code: String
            /// A sentence for people.
            public let detail: String
        }

        /// The HTTP status.
        public let status: Int
        /// A word that programs may rely on; `unknown` if the answer has none.
        public let code: String
        /// A sentence for people.
        public let detail: String
        /// Everything that is wrong with the request.
        public let violations: [Violation]
        /// The order it is about, if one is known.
        public let order: String?
        /// The request's identifier, to be told to whoever runs Tributary.
        public let requestID: String?
        /// What came, whole.
        package let document: JSON?

        /// Whether it says what is wrong in a word, as each problem of Tributary's own does.
        var hasCode: Bool { document?["code"]?.stringValue != nil }

        init(status: Int, reading json: JSON?) {
            self.status = status
            document = json
            code = json?["code"]?.stringValue ?? "unknown"
            detail = json?["detail"]?.stringValue ?? json?["title"]?.stringValue ?? "HTTP \(status)"
            order = json?["order"]?.stringValue
            requestID = json?["request_id"]?.stringValue
            violations = (json?["errors"]?.arrayValue ?? []).map { entry in
                Violation(
                    pointer: entry["pointer"]?.stringValue ?? "",
                    code: entry["code"]?.stringValue ?? "unknown",
                    detail: entry["detail"]?.stringValue ?? ""
                )
            }
        }
    }
}
