import Glibc

/// A stream socket on 127.0.0.1 with blocking calls; whoever made it closes it, once.
package struct LoopbackSocket: Sendable {
    /// A system call that failed.
    package struct Failure: Error, Equatable {
        let call: String
        let code: Int32
    }

    let descriptor: Int32

    /// A listening socket on a free port.
    package static func listening(backlog: Int32 = 512) throws -> LoopbackSocket {
        let socket = try make()
        do {
            var address = loopbackAddress(port: 0)
            let bound = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(socket.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard bound == 0 else { throw Failure(call: "bind", code: errno) }
            guard listen(socket.descriptor, backlog) == 0 else { throw Failure(call: "listen", code: errno) }
        } catch {
            socket.close()
            throw error
        }
        return socket
    }

    /// A socket whose connection to `port` is on its way; with a full backlog it stays so.
    package static func connecting(to port: UInt16) throws -> LoopbackSocket {
        let socket = try make(flags: Int32(SOCK_NONBLOCK.rawValue))
        var address = loopbackAddress(port: port)
        _ = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(socket.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return socket
    }

    /// A connection to `port`, on which a read waits two minutes at most; nil if nobody listens there.
    package static func connected(to port: UInt16) -> LoopbackSocket? {
        guard let socket = try? make() else { return nil }
        var address = loopbackAddress(port: port)
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(socket.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        var patience = timeval(tv_sec: 120, tv_usec: 0)
        unsafe setsockopt(
            socket.descriptor,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &patience,
            socklen_t(MemoryLayout<timeval>.size)
        )
        guard code == 0 else {
            socket.close()
            return nil
        }
        return socket
    }

    /// A port on which nothing listens: it was free a moment ago.
    package static func unusedPort() throws -> UInt16 {
        let socket = try listening()
        defer { socket.close() }
        return try socket.port
    }

    /// The port it is bound to.
    package var port: UInt16 {
        get throws {
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe getsockname(descriptor, $0, &length)
                }
            }
            guard code == 0 else { throw Failure(call: "getsockname", code: errno) }
            return UInt16(bigEndian: address.sin_port)
        }
    }

    /// The next connection; nil once the socket is shut down.
    ///
    /// A child process that another test starts must not inherit it: it would stay open when this side closes it.
    package func accept() -> LoopbackSocket? {
        let descriptor = Glibc.accept(descriptor, nil, nil)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor < 0 ? nil : LoopbackSocket(descriptor: descriptor)
    }

    /// Waits until a byte can be read, without reading it; false at the end of the connection.
    package func awaitByte() -> Bool {
        var byte: UInt8 = 0
        return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK)) == 1
    }

    /// Up to `limit` bytes; nil at the end of the connection.
    package func read(upTo limit: Int) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = unsafe recv(descriptor, &buffer, limit, 0)
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }

    /// Whether every byte was handed over.
    package func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { buffer in
                unsafe send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Ends every blocked call on the socket, on whatever thread.
    package func shutDown() { _ = Glibc.shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Makes `close` send a reset in place of an orderly end.
    package func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Closes it.
    package func close() { _ = Glibc.close(descriptor) }

    private static func make(flags: Int32 = 0) throws -> LoopbackSocket {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | flags
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { throw Failure(call: "socket", code: errno) }
        return LoopbackSocket(descriptor: descriptor)
    }

    private static func loopbackAddress(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        return address
    }
}
