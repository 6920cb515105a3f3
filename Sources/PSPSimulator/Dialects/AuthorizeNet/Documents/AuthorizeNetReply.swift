import StrictJSON

/// Authorize.Net's answers: HTTP 200 and JSON in UTF-8 behind a byte order mark, `messages` last.
enum AuthorizeNetReply {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The request was processed.
    static func success(
        _ members: [JSON.Member],
        echoing refId: String?,
        _ code: String = "I00001",
        _ text: String = "Successful."
    ) -> PSPReply {
        reply(200, members, refId, "Ok", code, text)
    }

    /// The request was not processed.
    static func failure(
        _ code: String,
        _ text: String,
        _ members: [JSON.Member] = [],
        echoing refId: String? = nil,
        status: Int = 200
    ) -> PSPReply {
        reply(status, members, refId, "Error", code, text)
    }

    /// A transaction that was processed, or was not because of an error.
    static func transaction(_ response: JSON, echoing refId: String?) -> PSPReply {
        let members = [JSON.Member("transactionResponse", response)]
        guard response["responseCode"] == "3" else { return success(members, echoing: refId) }
        return failure("E00027", "The transaction was unsuccessful.", members, echoing: refId)
    }

    private static func reply(
        _ status: Int,
        _ members: [JSON.Member],
        _ refId: String?,
        _ result: String,
        _ code: String,
        _ text: String
    ) -> PSPReply {
        let messages: JSON = [
            "resultCode": .string(result), "message": [["code": .string(code), "text": .string(text)]],
        ]
        let echo = refId.map { [JSON.Member("refId", .string($0))] } ?? []
        let json = JSON.object(members + echo + [JSON.Member("messages", messages)])
        return PSPReply(status, contentType: "application/json; charset=utf-8", body: byteOrderMark + json.bytes)
    }
}
