import AdapterKit
import Domain
import SquareAdapter
import Testing

@Suite("What Square is not asked")
struct SquareRefusedCallTests {
    static func rejection(_ call: Call, _ adapter: SquareAdapter? = nil) throws -> Rejection? {
        let step = try (adapter ?? SquareSample.adapter()).next(for: call, after: [])
        guard case .outcome(.rejected(let rejection)) = step else { return nil }
        return rejection
    }

    @Test("is to record a payment as paid that nobody took", arguments: ["CASH", "EXTERNAL", "cash", " External\n"])
    func recordOnly(token: String) throws {
        let rejection = try Self.rejection(SquareSample.call(.authorize, token: token))
        #expect(rejection?.reason == .unsupported && rejection?.code == "UNSUPPORTED_SOURCE_TYPE")
    }

    @Test("is to take a wallet's token that Square has no field for", arguments: [1, 2])
    func credentials(index: Int) throws {
        let call = try Sample.call(.authorize, credential: Sample.credentials[index])
        #expect(try Self.rejection(call)?.reason == .unsupported)
    }

    @Test("is an application fee above 90 %", arguments: [(9000, false), (9001, true), (Int64.max, true)])
    func fees(fee: Int64, isRefused: Bool) throws {
        for operation in [SampleOperation.authorize, .capture] {
            let call = try SquareSample.call(operation, location: SquareSample.branch, fee: fee)
            #expect(try Self.rejection(call)?.code == (isRefused ? "INVALID_FEES" : nil))
        }
    }

    @Test("is a capture that leaves the rest held")
    func finalCapturesOnly() throws {
        var call = try SquareSample.call(.capture)
        call.kind = .capture(applicationFee: nil, isFinal: false)
        #expect(try Self.rejection(call)?.reason == .unsupported)
        #expect(!SquareAdapter.capabilities.multipleCapture)
    }

    @Test("is a capture of a part in Japan")
    func wholeInJapan() throws {
        let part = try SquareSample.call(.capture, amount: 6000, currency: "JPY")
        #expect(try Self.rejection(part)?.code == "EDIT_AMOUNT_DOWN")
        let whole = try SquareSample.call(.capture, currency: "JPY")
        #expect(try SquareSample.request(whole).url.hasSuffix("/complete"))
    }

    @Test("is a payment whose location nobody names, or the account and the route")
    func locations() throws {
        let twice = try SquareSample.call(.authorize, location: SquareSample.location)
        #expect(try Self.rejection(twice)?.code == "location_id")
        var settings = try AdapterUnderTest.square.settings
        settings.credentials["location_id"] = nil
        let adapter = try SquareAdapter(settings: settings)
        let never = try Self.rejection(SquareSample.call(.authorize), adapter)
        #expect(never?.code == "location_id" && never?.reason == .configuration)
        #expect(try Self.rejection(SquareSample.call(.authorize, location: SquareSample.branch), adapter) == nil)
    }

    @Test("once the credential is erased, nothing is sent and nothing is known")
    func erased() throws {
        var call = try SquareSample.call(.authorize)
        call.kind = .authorize(Call.Authorization(credential: nil))
        guard case .unknown = try SquareSample.outcome(call) else {
            Issue.record("not in doubt")
            return
        }
    }
}
