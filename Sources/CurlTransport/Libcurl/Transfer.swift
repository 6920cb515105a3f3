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
    private var reception: Reception
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
        checks = DepartureChecks(launchBy: request.launchBy, addressGuard: target.addressGuard)
        reception = Reception(
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
            reception: reception
        )
        if let failure = ending.failure { return .failure(failure) }
        return .reply(HTTPReply(status: status, headers: easy.replyHeaders(), body: reception.body))
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
                return unsafe Transfer.at(context)?.reception.takeHeader(line) == true ? size * count : 0
            },
            context
        )
        try EasyHandle.check(headerSink)
        let bodySink = unsafe ccurl_set_body_sink(
            easy.raw,
            { bytes, size, count, context in
                let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
                return unsafe Transfer.at(context)?.reception.takeBody(piece) == true ? size * count : 0
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
