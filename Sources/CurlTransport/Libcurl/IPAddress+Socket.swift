import CCurl
import Glibc

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
