import HTTPTypes
import Hummingbird
import NIOCore
import StrictJSON
import Synchronization

extension Response {
    /// The answer as a version has it, which its header names.
    ///
    /// Only problems and what is below `/v1` have versions; an answer that is the same in both stays as it is, to the byte.
    ///
    /// - Throws: what collecting the body throws.
    func answered(in version: APIVersion, path: String) async throws -> Response {
        var answer = try await older(in: version, path: path) ?? self
        if let header = APIVersion.header { answer.headers[header] = version.text }
        return answer
    }

    private func older(in version: APIVersion, path: String) async throws -> Response? {
        let isProblem = headers[.contentType] == "application/problem+json"
        let isVersioned =
            isProblem || (path.utf8.starts(with: "/v1/".utf8) && headers[.contentType] == "application/json")
        guard version < .newest, isVersioned else { return nil }
        let bytes = try await body.collected()
        var answer = self
        answer.body = ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        guard let document = try? JSON.parse(bytes, depthLimit: JSON.greatestDepthLimit) else { return answer }
        let older = VersionChange.document(document, isProblem: isProblem, in: version)
        guard older != document else { return answer }
        answer.body = ResponseBody(byteBuffer: ByteBuffer(bytes: older.bytes))
        answer.headers[.contentLength] = answer.body.contentLength.map { String($0) }
        return answer
    }
}

extension ResponseBody {
    /// All bytes of the body.
    fileprivate func collected() async throws -> [UInt8] {
        let box = BodyBox()
        try await write(BodyCollector(box: box))
        return box.bytes.withLock { $0 }
    }
}

/// Where a body's bytes are gathered.
private final class BodyBox: Sendable {
    let bytes = Mutex<[UInt8]>([])
}

/// Writes a body into memory.
private struct BodyCollector: ResponseBodyWriter {
    let box: BodyBox

    func write(_ buffer: ByteBuffer) async throws {
        box.bytes.withLock { $0 += Array(buffer.readableBytesView) }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
