import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import TributaryTestKit

/// A connection of HTTP/2 over TLS on which a test sends frames that no client library would.
struct RawHTTP2 {
    /// A frame (RFC 9113, 4.1).
    struct Frame: Hashable {
        /// What a frame is (RFC 9113, 6).
        enum Kind: UInt8 {
            case data, headers, priority, reset, settings, push, ping, goAway, window, continuation
        }

        var kind: Kind?
        var flags: UInt8 = 0
        var stream: UInt32 = 0
        var payload: [UInt8] = []

        init(_ kind: Kind?, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) {
            (self.kind, self.flags, self.stream, self.payload) = (kind, flags, stream, payload)
        }

        /// The frame that bytes begin with; nil if it is not all there.
        init?(beginning bytes: [UInt8]) {
            guard bytes.count >= 9 else { return nil }
            let length = bytes[0..<3].reduce(0) { $0 << 8 | Int($1) }
            guard bytes.count >= 9 + length else { return nil }
            let stream = RawHTTP2.number(bytes[5..<9]) & 0x7FFF_FFFF
            self.init(Kind(rawValue: bytes[3]), flags: bytes[4], stream: stream, Array(bytes[9..<9 + length]))
        }

        /// The frame's bytes.
        var bytes: [UInt8] {
            let length = [16, 8, 0].map { UInt8(payload.count >> $0 & 0xFF) }
            return length + [kind?.rawValue ?? 0xFF, flags] + RawHTTP2.bytes(of: stream) + payload
        }

        /// The error that a RST_STREAM or a GOAWAY names; nil for other frames.
        var error: UInt32? {
            switch kind {
            case .reset: RawHTTP2.number(payload[...].prefix(4))
            case .goAway: RawHTTP2.number(payload.dropFirst(4).prefix(4))
            default: nil
            }
        }
    }

    /// The end of a header block, and of a stream.
    static let (endHeaders, endStream) = (UInt8(4), UInt8(1))
    static let acknowledgement = UInt8(1)

    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private let unread: Unread

    /// What came and was not looked at yet.
    private final class Unread: Sendable {
        private let state = Mutex<(bytes: [UInt8], isOver: Bool)>(([], false))

        func append(_ bytes: [UInt8]) { state.withLock { $0.bytes += bytes } }

        func end() { state.withLock { $0.isOver = true } }

        /// The next frame, and whether none comes any more.
        func next() -> (frame: Frame?, isOver: Bool) {
            state.withLock { state in
                guard let frame = Frame(beginning: state.bytes) else { return (nil, state.isOver) }
                state.bytes.removeFirst(9 + frame.payload.count)
                return (frame, false)
            }
        }
    }

    /// Lends a connection that has agreed on HTTP/2 and sent its preface.
    static func with(
        port: Int,
        trusting authority: TestAuthority,
        settings: [UInt8] = [],
        _ body: (RawHTTP2) async throws -> Void
    ) async throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .file(authority.certificate)
        configuration.applicationProtocols = ["h2"]
        let tls = try NIOSSLContext(configuration: configuration)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        try NIOSSLClientHandler(context: tls, serverHostname: "localhost")
                    )
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        try await channel.executeThenClose { inbound, outbound in
            let connection = RawHTTP2(outbound: outbound, unread: Unread())
            try await withThrowingTaskGroup { group in
                group.addTask { [unread = connection.unread] in
                    // However the connection ends, it has ended.
                    do { for try await part in inbound { unread.append(Array(part.readableBytesView)) } } catch {}
                    unread.end()
                }
                let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
                try await connection.send(preface + Frame(.settings, settings).bytes)
                try await body(connection)
                group.cancelAll()
            }
        }
    }

    /// The same, tried again while the server refuses it because connections that made room are not quite closed.
    ///
    /// - Throws: ``NeverServed``, or what `body` throws.
    static func served(
        port: Int,
        trusting authority: TestAuthority,
        _ body: (RawHTTP2) async throws -> Void
    ) async throws {
        for _ in 0..<500 {
            var isServed = false
            try await with(port: port, trusting: authority) { connection in
                isServed = try await connection.next()?.kind == .settings
                if isServed { try await body(connection) }
            }
            if isServed { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw NeverServed()
    }

    /// The server refused every connection.
    struct NeverServed: Error {}

    /// Sends bytes; the server may have had enough while we still write.
    private func send(_ bytes: [UInt8]) async throws {
        do { try await outbound.write(ByteBuffer(bytes: bytes)) } catch is ChannelError {}
    }

    /// Sends frames.
    func write(_ frames: Frame...) async throws { try await write(frames) }

    /// Sends frames.
    func write(_ frames: [Frame]) async throws { try await send(frames.flatMap(\.bytes)) }

    /// The next frame; nil if the connection is closed.
    func next() async throws -> Frame? {
        while true {
            let (frame, isOver) = unread.next()
            if frame != nil || isOver { return frame }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Every frame until one is as wanted, with it, or until the connection is closed; settings are acknowledged.
    func frames(until isWanted: (Frame) -> Bool = { _ in false }) async throws -> [Frame] {
        var frames: [Frame] = []
        while let frame = try await next() {
            frames.append(frame)
            if frame.kind == .settings, frame.flags & Self.acknowledgement == 0 {
                try await write(Frame(.settings, flags: Self.acknowledgement))
            }
            if frame.kind == .ping, frame.flags & Self.acknowledgement == 0 {
                try await write(Frame(.ping, flags: Self.acknowledgement, frame.payload))
            }
            if isWanted(frame) { break }
        }
        return frames
    }

    /// Every frame until these streams have ended, or until the connection is closed.
    func frames(of streams: Set<UInt32>) async throws -> [Frame] {
        var open = streams
        return try await frames { frame in
            let mayEnd = frame.kind == .data || frame.kind == .headers
            if frame.kind == .reset || mayEnd && frame.flags & Self.endStream != 0 { open.remove(frame.stream) }
            return open.isEmpty
        }
    }

    /// The head of a request as a header block of HPACK without any table (RFC 7541, 6.2.2).
    static func head(
        _ method: String,
        _ path: String,
        authority: String? = "localhost",
        _ fields: [(String, String)] = []
    ) -> [UInt8] {
        let pseudo = [(":method", method), (":scheme", "https"), (":path", path)]
        let all = pseudo + (authority.map { [(":authority", $0)] } ?? []) + fields
        return all.flatMap { name, value in [0] + text(name) + text(value) }
    }

    /// What data frames of a stream say together.
    static func body(_ frames: [Frame], of stream: UInt32) -> String {
        let parts = frames.filter { $0.kind == .data && $0.stream == stream }
        return String(decoding: parts.flatMap(\.payload), as: UTF8.self)
    }

    private static func text(_ text: String) -> [UInt8] {
        precondition(text.utf8.count < 127)
        return [UInt8(text.utf8.count)] + Array(text.utf8)
    }

    static func bytes(of number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    fileprivate static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }
}
