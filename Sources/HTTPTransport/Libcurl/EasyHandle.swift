import CCurl

/// One libcurl transfer's handle with the memory it points to.
///
/// Only the transport's thread touches it.
@safe struct EasyHandle: ~Copyable {
    let raw: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var nameAnswers: UnsafeMutablePointer<curl_slist>?

    /// - Throws: `transportFault` for want of memory.
    init() throws(TransportFailure) {
        guard let raw = unsafe curl_easy_init() else { throw Self.fault(CURLE_OUT_OF_MEMORY) }
        unsafe self.raw = raw
        unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        _ = unsafe ccurl_set_pointer(raw, CURLOPT_ERRORBUFFER, errorText)
    }

    /// The handle goes before what it points to.
    deinit {
        unsafe curl_easy_cleanup(raw)
        unsafe curl_slist_free_all(headers)
        unsafe curl_slist_free_all(nameAnswers)
        unsafe errorText.deallocate()
    }

    /// What libcurl or OpenSSL said of the last failure; empty if nothing.
    var failureText: String { unsafe String(cString: errorText) }

    /// - Throws: `transportFault` if this libcurl does not know the option.
    func set(_ option: CURLoption, _ value: Int) throws(TransportFailure) {
        try Self.check(unsafe ccurl_set_long(raw, option, value))
    }

    /// - Throws: `transportFault` if this libcurl does not know the option.
    func set(_ option: CURLoption, _ value: String) throws(TransportFailure) {
        try Self.check(unsafe ccurl_set_string(raw, option, value))
    }

    /// Sets a file's option or its sibling for bytes.
    ///
    /// - Throws: `transportFault` if this libcurl does not know the option.
    func set(_ fileOption: CURLoption, orBlob blobOption: CURLoption, _ pem: PEM) throws(TransportFailure) {
        switch pem {
        case .file(let path): try set(fileOption, path)
        case .bytes(let bytes):
            let code = unsafe bytes.withUnsafeBytes { buffer in
                unsafe ccurl_set_blob(raw, blobOption, buffer.baseAddress, buffer.count)
            }
            try Self.check(code)
        }
    }

    /// Gives libcurl a copy of the body, whose length it sends as `Content-Length`.
    ///
    /// - Throws: `transportFault` for want of memory.
    func setBody(_ body: [UInt8]) throws(TransportFailure) {
        // An array without elements may have no address, and no address would mean "ask a callback".
        let bytes = body.isEmpty ? [0] : body
        let code = unsafe bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return CURLE_OUT_OF_MEMORY }
            return unsafe ccurl_set_body(raw, base, body.count)
        }
        try Self.check(code)
    }

    /// - Throws: `transportFault` for want of memory.
    mutating func setHeaders(_ lines: [String]) throws(TransportFailure) {
        try unsafe Self.append(lines, to: &headers)
        try Self.check(unsafe ccurl_set_list(raw, CURLOPT_HTTPHEADER, headers))
    }

    /// Puts answers into libcurl's cache of names, where they stay for other transfers too.
    ///
    /// - Throws: `transportFault` for want of memory.
    mutating func setNameAnswers(_ lines: [String]) throws(TransportFailure) {
        try unsafe Self.append(lines, to: &nameAnswers)
        try Self.check(unsafe ccurl_set_list(raw, CURLOPT_RESOLVE, nameAnswers))
    }

    private static func append(
        _ lines: [String],
        to list: inout UnsafeMutablePointer<curl_slist>?
    ) throws(TransportFailure) {
        for line in lines {
            guard let longer = unsafe curl_slist_append(list, line) else { throw fault(CURLE_OUT_OF_MEMORY) }
            unsafe list = longer
        }
    }

    /// A number libcurl knows about the transfer; zero if it does not.
    func number(_ info: CURLINFO) -> Int {
        var value = 0
        return unsafe ccurl_get_long(raw, info, &value) == CURLE_OK ? value : 0
    }

    /// The header fields of the last reply that was not an interim one.
    func replyHeaders() -> [HTTPHeader] {
        var headers: [HTTPHeader] = []
        var next = unsafe curl_easy_nextheader(raw, UInt32(CURLH_HEADER), -1, nil)
        while let field = unsafe next {
            headers.append(
                HTTPHeader(unsafe String(cString: field.pointee.name), unsafe String(cString: field.pointee.value))
            )
            unsafe next = curl_easy_nextheader(raw, UInt32(CURLH_HEADER), -1, field)
        }
        return headers
    }

    /// - Throws: `transportFault` unless the code is that of success.
    static func check(_ code: CURLcode) throws(TransportFailure) {
        if code != CURLE_OK { throw fault(code) }
    }

    private static func fault(_ code: CURLcode) -> TransportFailure {
        TransportFailure(.transportFault, unsafe String(cString: curl_easy_strerror(code)), mayHaveArrived: false)
    }
}
