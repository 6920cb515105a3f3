import CCurl
import Glibc

/// A request that libcurl works on.
///
/// Made, driven and freed on the transport's thread. libcurl's callbacks hold its address without owning it: it must
/// stay alive until it is removed from the multi handle.
@safe final class Transfer {
    let number: UInt
    /// Whether libcurl has ever been about to send the request, on any connection.
    ///
    /// This is the witness for "it may have arrived". libcurl asks before each sending, once the connection stands
    /// and the handshake is done, so as long as it has not asked, no byte of the request was sent. Its other numbers
    /// will not do: `PRETRANSFER_TIME` is set after the first bytes went, `SIZE_UPLOAD` counts no header, and
    /// `REQUEST_SIZE` stays zero while OpenSSL has sent some records of a request but not all. Nor will the code:
    /// "could not connect" is also what a repetition ends with after the first sending was received.
    private(set) var requestHasBegun = false

    private var easy: EasyHandle
    private var buffer: ResponseBuffer
    private let checks: DepartureChecks
    /// Why this side forbade to connect or to send last; nil once it allowed to send.
    private var refusal: TransportFailure?
    private let isPlain: Bool
    private let connectsOnly: Bool

    /// - Throws: `refusedHeader` or `transportFault`.
    init(_ request: HTTPRequest, to target: Target, number: UInt, limits: TransportLimits) throws(TransportFailure) {
        self.number = number
        isPlain = target.isPlain
        connectsOnly = request.connectsOnly
        checks = DepartureChecks(sendBefore: request.sendBefore, addressGuard: target.addressGuard)
        buffer = ResponseBuffer(
            bodyLimitBytes: request.replyLimitBytes,
            cutsBody: request.cutsLongReply,
            headerLimitBytes: limits.replyHeaderLimitBytes
        )
        easy = try EasyHandle()
        try easy.write(request, to: target)
        try listen()
        if target.addressGuard != nil { try guardSockets() }
    }

    /// For the multi handle alone.
    @unsafe var handle: UnsafeMutableRawPointer { unsafe easy.raw }

    /// Reads the end of the transfer.
    func result(_ code: CURLcode) -> HTTPResult {
        let status = easy.number(CURLINFO_RESPONSE_CODE)
        let ending = TransferEnding(
            code: code,
            status: status,
            systemError: easy.number(CURLINFO_OS_ERRNO),
            text: easy.failureText,
            isPlain: isPlain,
            connectsOnly: connectsOnly,
            requestHasBegun: requestHasBegun,
            refusal: refusal,
            buffer: buffer
        )
        if let failure = ending.failure { return .failure(failure) }
        return .reply(HTTPReply(status: status, headers: easy.replyHeaders(), body: buffer.body))
    }

    /// Whether libcurl may send the request now, on a connection to this peer.
    private func begin(with peer: IPAddress?) -> Bool {
        refusal = checks.refusalToSend(to: peer, at: .now)
        guard refusal == nil else { return false }
        requestHasBegun = true
        return true
    }

    /// Whether libcurl may open a socket to this peer.
    private func connect(to peer: IPAddress?) -> Bool {
        guard let found = checks.refusalToConnect(to: peer) else { return true }
        refusal = found
        return false
    }

    private func listen() throws(TransportFailure) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        // The number travels as the bits of a pointer that nobody follows.
        let number = unsafe UnsafeMutableRawPointer(bitPattern: number)
        try EasyHandle.check(unsafe ccurl_set_pointer(easy.raw, CURLOPT_PRIVATE, number))
        let prerequest = unsafe ccurl_set_prerequest(
            easy.raw,
            { context, peer, _, _, _ in
                let address = unsafe peer.flatMap { unsafe IPAddress(String(cString: $0)) }
                let begins = unsafe Transfer.at(context)?.begin(with: address) == true
                return Int32(begins ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT)
            },
            context
        )
        try EasyHandle.check(prerequest)
        let headerSink = unsafe ccurl_set_header_sink(
            easy.raw,
            { bytes, size, count, context in
                let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
                return unsafe Transfer.at(context)?.buffer.takeHeader(line) == true ? size * count : 0
            },
            context
        )
        try EasyHandle.check(headerSink)
        let bodySink = unsafe ccurl_set_body_sink(
            easy.raw,
            { bytes, size, count, context in
                let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
                return unsafe Transfer.at(context)?.buffer.takeBody(piece) == true ? size * count : 0
            },
            context
        )
        try EasyHandle.check(bodySink)
    }

    /// Opens the sockets of a guarded request itself: at that moment the address is the one that is connected to,
    /// whatever the name resolved to before.
    private func guardSockets() throws(TransportFailure) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let code = unsafe ccurl_set_socket_opener(
            easy.raw,
            { context, _, peer in
                guard let peer = unsafe peer, let transfer = unsafe Transfer.at(context),
                    transfer.connect(to: unsafe IPAddress(of: peer))
                else { return CURL_SOCKET_BAD }
                let kind = unsafe peer.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
                return unsafe socket(peer.pointee.family, kind, peer.pointee.protocol)
            },
            context
        )
        try EasyHandle.check(code)
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }
}

/// What has to hold when libcurl opens a socket, and again when it is about to send.
struct DepartureChecks {
    let sendBefore: ContinuousClock.Instant?
    let addressGuard: AddressGuard?

    /// Why no socket may be opened to this very address; nil is an address that is not of the Internet.
    func refusalToConnect(to peer: IPAddress?) -> TransportFailure? {
        guard let addressGuard else { return nil }
        guard let peer else { return DestinationRefusal.address(.reserved).failure }
        return addressGuard.refusal(of: peer)?.failure
    }

    /// Why the request may not be sent on a connection to this peer.
    ///
    /// The peer was allowed when it was connected to, unless the connection was made for another request.
    func refusalToSend(to peer: IPAddress?, at now: ContinuousClock.Instant) -> TransportFailure? {
        if let sendBefore, sendBefore <= now {
            return TransportFailure(.launchTimePassed, "the time to launch it passed", mayHaveArrived: false)
        }
        return refusalToConnect(to: peer)
    }
}

extension IPAddress {
    /// The address that libcurl is about to connect to; nil for what is no Internet address.
    @unsafe init?(of peer: UnsafePointer<curl_sockaddr>) {
        // The structure declares the system's smallest address and is longer where a longer one stands in it.
        guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return nil }
        let address = unsafe UnsafeRawPointer(peer) + offset
        switch unsafe (peer.pointee.family, Int(peer.pointee.addrlen)) {
        case (AF_INET, MemoryLayout<sockaddr_in>.size...):
            let number = unsafe address.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr
            self = .v4(UInt32(bigEndian: number))
        case (AF_INET6, MemoryLayout<sockaddr_in6>.size...):
            let bytes = unsafe address.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            self = .v6(UInt128(bigEndian: unsafe unsafeBitCast(bytes, to: UInt128.self)))
        default: return nil
        }
    }
}
