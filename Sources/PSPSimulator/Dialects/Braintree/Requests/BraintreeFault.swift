import StrictJSON

/// An error as Braintree classifies it (graphql guides, "Making API Calls", read 2026).
struct BraintreeFault: Hashable, Sendable {
    /// `VALIDATION`, `NOT_FOUND`, `AUTHENTICATION` and so on.
    let errorClass: String
    /// The number of the validation error in Braintree's list; nil if it has none.
    let legacyCode: String?
    /// The input field responsible for it, with dots between names.
    let inputPath: String?
    /// A sentence for people.
    let message: String

    /// A validation error.
    init(_ legacyCode: String, _ message: String, at inputPath: String) {
        self.init(errorClass: "VALIDATION", legacyCode: legacyCode, inputPath: inputPath, message: message)
    }

    /// Any error.
    init(errorClass: String, legacyCode: String? = nil, inputPath: String? = nil, message: String) {
        self.errorClass = errorClass
        self.legacyCode = legacyCode
        self.inputPath = inputPath
        self.message = message
    }

    /// What a refusal says, if it is one of this dialect's.
    init?(_ refusal: Refusal) {
        let parts = refusal.code.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { return nil }
        errorClass = parts[0]
        legacyCode = parts[1].isEmpty ? nil : parts[1]
        inputPath = parts[2].isEmpty ? nil : parts[2]
        message = refusal.message
    }

    /// The error as a refusal, whose code holds everything but the message.
    var refusal: Refusal {
        Refusal(400, "\(errorClass) \(legacyCode ?? "") \(inputPath ?? "")", message)
    }

    /// An element of `errors`.
    ///
    /// - Parameter root: what the answer calls the field that failed.
    /// - Returns: the element.
    func json(root: String?) -> JSON {
        .object(omittingAbsent: [
            "message": .string(message), "path": root.map { [.string($0)] },
            "extensions": .object(omittingAbsent: [
                "errorType": .string(errorClass == "INTERNAL" ? "internal" : "user_error"),
                "errorClass": .string(errorClass),
                "legacyCode": legacyCode.map(JSON.string),
                "inputPath": inputPath.map { .strings($0.split(separator: ".").map(String.init)) },
            ]),
        ])
    }
}
