import CCurl
import Glibc

/// The handle that drives all transfers.
///
/// Sendable by discipline: `wakeUp` may be called on any thread until the inbox has ended, which libcurl documents
/// as safe; everything else, and the handle's end, belongs to the transport's thread.
@safe final class MultiHandle: @unchecked Sendable {
    private let raw: UnsafeMutableRawPointer

    /// libcurl is set up once and never torn down: other code of the process may use it.
    ///
    /// It would write the keys of every connection into the file that a variable names (NSS Key Log Format), and with them
    /// what was sent: nobody gets that by setting a variable.
    private static let globalCode = {
        unsafe unsetenv("SSLKEYLOGFILE")
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    }()

    init(limits: TransportLimits) {
        precondition(Self.globalCode == CURLE_OK, "libcurl cannot be set up")
        guard let raw = unsafe curl_multi_init() else { preconditionFailure("libcurl has no memory") }
        unsafe self.raw = raw
        set(CURLMOPT_MAX_HOST_CONNECTIONS, limits.requestsPerHost)
        set(CURLMOPT_MAX_TOTAL_CONNECTIONS, limits.requestsInTotal)
        set(CURLMOPT_MAXCONNECTS, limits.requestsInTotal)
    }

    private func set(_ option: CURLMoption, _ value: Int) {
        let code = unsafe ccurl_multi_set_long(raw, option, value)
        precondition(code == CURLM_OK, "this libcurl does not know a needed option")
    }

    /// Ends the current or the next `poll` at once.
    func wakeUp() { unsafe curl_multi_wakeup(raw) }

    /// - Throws: `transportFault` for want of memory.
    func add(_ transfer: Transfer) throws(TransportFailure) {
        let code = unsafe curl_multi_add_handle(raw, transfer.handle)
        guard code == CURLM_OK else {
            let message = unsafe String(cString: curl_multi_strerror(code))
            throw TransportFailure(.transportFault, message, mayHaveArrived: false)
        }
    }

    /// Closes the transfer's connection unless it is finished or shared.
    func remove(_ transfer: Transfer) { unsafe curl_multi_remove_handle(raw, transfer.handle) }

    func perform() {
        var running: Int32 = 0
        unsafe curl_multi_perform(raw, &running)
    }

    /// The number of a transfer that has ended, and how; each is told once.
    func nextFinished() -> (number: UInt, code: CURLcode)? {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(raw, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else {
                continue
            }
            let code = unsafe ccurl_message_result(message)
            var number: UnsafeMutableRawPointer?
            unsafe ccurl_get_pointer(easy, CURLINFO_PRIVATE, &number)
            return (UInt(bitPattern: number), code)
        }
        return nil
    }

    /// Waits for a socket, a timer of libcurl's, a wake-up or `deadline`, whatever is first.
    func poll(upTo deadline: ContinuousClock.Instant?) {
        let milliseconds = deadline.map { Self.milliseconds(from: .now, to: $0) } ?? Self.idleMilliseconds
        let code = unsafe curl_multi_poll(raw, nil, 0, milliseconds, nil)
        // A poll that fails for want of memory returns at once; the thread must not spin.
        if code != CURLM_OK { _ = Glibc.poll(nil, 0, 10) }
    }

    /// Frees the handle and closes its connections.
    ///
    /// No transfer may be left in it, and nothing may follow.
    func cleanUp() { unsafe curl_multi_cleanup(raw) }

    private static let idleMilliseconds: Int32 = 60_000

    /// Rounded up, so that the deadline has passed when the poll returns.
    private static func milliseconds(from now: ContinuousClock.Instant, to deadline: ContinuousClock.Instant) -> Int32 {
        guard deadline > now else { return 0 }
        let (seconds, attoseconds) = now.duration(to: deadline).components
        guard seconds < 60 else { return idleMilliseconds }
        return Int32(seconds) * 1_000 + Int32(attoseconds / 1_000_000_000_000_000) + 1
    }
}
