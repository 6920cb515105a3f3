import StrictJSON

/// Answers as Checkout.com sends them, each with the identifier of its request.
enum CheckoutReply {
    /// An answer with a document.
    static func reply(_ status: Int, _ json: JSON) -> PSPReply {
        identified(PSPReply(status, json), by: requestIdentifier())
    }

    /// An answer without one: who is not known, what is not found, what is not allowed.
    static func empty(_ status: Int) -> PSPReply {
        identified(PSPReply(status, contentType: "application/json", body: []), by: requestIdentifier())
    }

    /// An error.
    static func error(_ status: Int, _ type: String, _ code: String) -> PSPReply {
        let id = requestIdentifier()
        let json: JSON = [
            "request_id": .string(id), "error_type": .string(type), "error_codes": .strings([code]),
        ]
        return identified(PSPReply(status, json), by: id)
    }

    private static func identified(_ reply: PSPReply, by id: String) -> PSPReply {
        var reply = reply
        reply.headers.append(("Cko-Request-Id", id))
        return reply
    }

    private static func requestIdentifier() -> String {
        let groups = [4, 2, 2, 2, 6].map { count in
            Hexadecimal.encode((0..<count).map { _ in UInt8.random(in: .min ... .max) })
        }
        return groups.joined(separator: "-")
    }
}
