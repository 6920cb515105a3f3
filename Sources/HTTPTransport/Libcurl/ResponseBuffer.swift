/// What has come of a reply so far, within its limits.
@safe struct ResponseBuffer {
    private let bodyLimitBytes: Int
    private let cutsBody: Bool
    private let headerLimitBytes: Int
    private var headerBytes = 0

    private(set) var body: [UInt8] = []
    /// Whether a limit was passed; nothing more is taken then.
    private(set) var isTooLarge = false
    /// Whether the body was cut at its limit, as the request wants it; nothing more is taken then.
    private(set) var isCut = false
    /// Whether the empty line after the header fields has come.
    ///
    /// libcurl calls a reply complete that ends among its header fields, with the fields it got and an empty body.
    private(set) var headIsWhole = false

    init(bodyLimitBytes: Int, cutsBody: Bool, headerLimitBytes: Int) {
        self.bodyLimitBytes = bodyLimitBytes
        self.cutsBody = cutsBody
        self.headerLimitBytes = headerLimitBytes
    }

    /// Takes one line: a status line, a field, the empty line, or a trailer.
    ///
    /// False ends the transfer.
    @unsafe mutating func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        headerBytes += line.count
        isTooLarge = isTooLarge || headerBytes > headerLimitBytes
        if unsafe line.elementsEqual("\r\n".utf8) || line.elementsEqual("\n".utf8) {
            headIsWhole = true
        } else if unsafe line.starts(with: "HTTP/".utf8) {
            headIsWhole = false
        }
        return !isTooLarge
    }

    /// Takes a piece of the body.
    ///
    /// False ends the transfer.
    @unsafe mutating func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let room = bodyLimitBytes - body.count
        if bytes.count > room {
            isCut = cutsBody
            isTooLarge = isTooLarge || !cutsBody
        }
        if !isTooLarge { unsafe body.append(contentsOf: bytes.prefix(room)) }
        return !isTooLarge && !isCut
    }
}
