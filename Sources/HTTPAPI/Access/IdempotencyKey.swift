import HTTPTypes
import Hummingbird

/// Reads the `Idempotency-Key` header.
enum IdempotencyKey {
    private static let lengthLimit = 255

    /// The key.
    ///
    /// - Throws: a 400 ``Problem`` if it is missing, longer than 255 characters, or not printable ASCII.
    static func text(of request: Request) throws(Problem) -> String {
        guard let name = HTTPField.Name("Idempotency-Key"), let text = request.headers[name], !text.isEmpty else {
            throw Problem(
                status: .badRequest,
                code: "idempotency_key_missing",
                detail: "Send an Idempotency-Key header, the same one each time you repeat the request."
            )
        }
        guard text.utf8.count <= lengthLimit, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw Problem(
                status: .badRequest,
                code: "idempotency_key_malformed",
                detail: "The Idempotency-Key header is printable ASCII without spaces, at most 255 characters."
            )
        }
        return text
    }
}
