import CCurl

/// A URL as libcurl itself reads it, so that what is checked is what is connected to.
@safe struct URLParts: ~Copyable {
    private let raw: OpaquePointer

    /// Nil only for want of memory.
    init?() {
        guard let raw = unsafe curl_url() else { return nil }
        unsafe self.raw = raw
    }

    deinit { unsafe curl_url_cleanup(raw) }

    /// Whether `url` is one, with a scheme.
    func read(_ url: String) -> Bool {
        guard !url.utf8.contains(0) else { return false }
        return unsafe curl_url_set(raw, CURLUPART_URL, url, 0) == CURLUE_OK
    }

    /// A part of the URL read last; the port of a URL without one is its scheme's.
    func part(_ part: CURLUPart) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(raw, part, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK,
            let text = unsafe text
        else { return nil }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }
}
