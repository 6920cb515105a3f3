import HTTPTypes
import Hummingbird
import StrictJSON

extension Response {
    /// A JSON answer.
    static func json(
        _ bytes: [UInt8],
        status: HTTPResponse.Status = .ok,
        headers extra: [(String, String)] = []
    ) -> Response {
        var headers: HTTPFields = [.contentType: "application/json"]
        for (name, value) in extra {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// A JSON answer.
    static func json(_ json: JSON, status: HTTPResponse.Status = .ok) -> Response { .json(json.bytes, status: status) }
}
