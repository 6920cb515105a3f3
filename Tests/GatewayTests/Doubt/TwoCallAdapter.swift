import AdapterKit
import Domain
import SimulatorAdapter

/// A PSP whose operations take two calls, of which the first or the second moves the money.
struct TwoCallAdapter: PaymentAdapter {
    static let name = "simulator"
    static let capabilities = SimulatorAdapter.capabilities

    private let movesFirst: Bool

    init(settings: AdapterSettings) throws(SettingsError) { self.init(movesFirst: true) }

    init(movesFirst: Bool) { self.movesFirst = movesFirst }

    func next(for call: Call, after exchanges: [Exchange]) -> Step {
        guard call.purpose == .perform else { return .outcome(.unknown(reason: "not asked in this test")) }
        switch exchanges.count {
        case 0: return .send(WireRequest(.post, "http://127.0.0.1:1/first", canMoveMoney: movesFirst))
        case 1: return .send(WireRequest(.post, "http://127.0.0.1:1/second", canMoveMoney: !movesFirst))
        default: return .outcome(.succeeded(Success(reference: "both", amount: call.money.minorUnits)))
        }
    }
}
