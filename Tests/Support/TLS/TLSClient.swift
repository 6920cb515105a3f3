/// `openssl s_client`, which says whether a server speaks a version of TLS.
package enum TLSClient {
    /// Whether a server on this machine shakes hands under these options; old versions are offered if they are asked for.
    ///
    /// - Throws: ``OpenSSLFailure`` if there is no such command.
    package static func shakesHands(port: Int, _ options: String...) throws -> Bool {
        let process = try OpenSSLProcess(
            ["s_client", "-connect", "127.0.0.1:\(port)", "-cipher", "DEFAULT@SECLEVEL=0"] + options
        )
        process.write(Array("Q\n".utf8))
        while process.read() != nil {}
        return process.wait() == 0
    }
}
