import CCurl

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
    private let isPlain: Bool

    /// - Throws: `refusedHeader` or `transportFault`.
    init(_ request: HTTPRequest, to target: Target, number: UInt, limits: TransportLimits) throws(TransportFailure) {
        self.number = number
        isPlain = target.isPlain
        reception = Reception(
            bodyLimitBytes: request.replyLimitBytes,
            headerLimitBytes: limits.replyHeaderLimitBytes
        )
        easy = try EasyHandle()
        try easy.write(request, to: target)
        try listen()
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
            requestHasBegun: requestHasBegun,
            reception: reception
        )
        if let failure = ending.failure { return .failure(failure) }
        return .reply(HTTPReply(status: status, headers: easy.replyHeaders(), body: reception.body))
    }

    private func listen() throws(TransportFailure) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        // The number travels as the bits of a pointer that nobody follows.
        let number = unsafe UnsafeMutableRawPointer(bitPattern: number)
        try EasyHandle.check(unsafe ccurl_set_pointer(easy.raw, CURLOPT_PRIVATE, number))
        let prerequest = unsafe ccurl_set_prerequest(
            easy.raw,
            { context, _, _, _, _ in
                unsafe Transfer.at(context)?.requestHasBegun = true
                return Int32(CURL_PREREQFUNC_OK)
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

    private static func at(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }
}
