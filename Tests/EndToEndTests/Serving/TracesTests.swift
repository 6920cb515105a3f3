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

    @Test("finds what stands for a secret in Base64, in every form, in the alphabet of URLs too", arguments: 0..<7)
    func bytes(_ shift: Int) throws {
        let secret = "++//AAEC++//AwQF++//BgcI++8="
        let traces = Traces(of: [], inBase64: [secret])
        let around = [UInt8](repeating: 0xFB, count: shift)
        let inside = around + Array(try #require(Data(base64Encoded: secret))) + around
        let hexadecimal = inside.map { String(256 + Int($0), radix: 16).dropFirst() }.joined()
        let encoded = Data(inside).base64EncodedString()
        #expect(traces.found(in: inside) == [secret])
        #expect(traces.found(in: Array(hexadecimal.uppercased().utf8)) == [secret])
        #expect(traces.found(in: Array(encoded.utf8)) == [secret])
        let inURL = encoded.replacing("+", with: "-").replacing("/", with: "_")
        #expect(traces.found(in: Array(inURL.utf8)) == [secret])
        #expect(traces.found(in: Array(Data(secret.utf8).base64EncodedString().utf8)) == [secret])
    }
}
