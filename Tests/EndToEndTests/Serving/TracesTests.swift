import Foundation
import Testing

@Suite("Looking for traces")
struct TracesTests {
    @Test("finds a secret as it is, in hexadecimal, and anywhere inside base64", arguments: 0..<7)
    func forms(_ shift: Int) {
        let secret = "4242424242424242"
        let around = [UInt8](repeating: UInt8(ascii: "x"), count: shift)
        let inside = around + Array(secret.utf8) + around
        let traces = Traces(of: [secret, "absent"])
        let hexadecimal = inside.map { String(256 + Int($0), radix: 16).dropFirst() }.joined()
        #expect(traces.found(in: inside) == [secret])
        #expect(traces.found(in: Array(hexadecimal.utf8)) == [secret])
        #expect(traces.found(in: Array(hexadecimal.uppercased().utf8)) == [secret])
        #expect(traces.found(in: Array(Data(inside).base64EncodedData())) == [secret])
        #expect(traces.found(in: around).isEmpty)
    }
}
