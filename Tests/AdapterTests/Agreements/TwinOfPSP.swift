import AdapterKit
import Domain
import PSPSimulator
import StrictJSON
import Testing
import WireFormats

/// A PSP's twin that an adapter speaks to by calls, and the payments that are made there under an agreement.
struct TwinOfPSP: Sendable {
    /// How each PSP is called by its adapter and by its twin.
    static let dialects: [String: DialectName] = [
        "adyen": .adyen, "authorize-net": .authorizeNet, "braintree": .braintree, "checkout": .checkout,
        "square": .square, "stripe": .stripe, "worldpay": .worldpay,
    ]

    let psp: String
    let adapter: any PaymentAdapter
    private let simulator: LocalSimulator

    /// Makes a twin with empty books.
    init(_ psp: String) async throws {
        self.psp = psp
        adapter = try AdapterUnderTest.named(psp).adapter
        let name = try #require(Self.dialects[psp])
        simulator = try await LocalSimulator(name, clock: { 1_795_250_000_000 }, onEvent: { _, _ in })
    }

    /// What pays first: at Square a token of its client library's, at Braintree a wallet's token.
    private var credential: Credential {
        switch psp {
        case "square": .pspToken(Secret("cnon:tok_approve"))
        case "authorize-net": .pspToken(Secret("tok_approve"))
        default: .networkToken(Sample.networkToken())
        }
    }

    /// Makes the first payment, and tells what it came to.
    func pay(_ number: Int = 0) async throws -> Success {
        let outcome = try await perform(try call(AgreementSample.first(credential), number))
        guard case .succeeded(let success) = outcome else {
            Issue.record("\(psp): \(outcome)")
            throw SettingsError.missingCredential("payment")
        }
        return success
    }

    /// Makes the first payment, and hears nothing more of it after so many exchanges; tells what an inquiry says.
    func pay(breakingOffAfter count: Int) async throws -> Success {
        let call = try call(AgreementSample.first(credential), 0)
        _ = try await talk { exchanges in
            exchanges.count < count ? adapter.next(for: call, after: exchanges) : .outcome(.unknown(reason: "lost"))
        }
        var inquiry = call
        inquiry.purpose = .inquire
        guard case .succeeded(let success) = try await perform(inquiry) else {
            throw SettingsError.missingCredential("payment")
        }
        return success
    }

    /// What the PSP says that it stored of the first payment, whose credential is erased by now.
    func storedMethod(_ first: Success, _ number: Int = 0) async throws -> Outcome {
        var call = try call(AgreementSample.first(nil), number)
        call.purpose = .inquire
        call.pspReference = first.reference
        call.pspState = first.state
        return try await talk { adapter.next(forStoredMethodOf: call, after: $0) }
    }

    /// Has the PSP release what the first payment holds.
    func void(_ first: Success) async throws {
        var call = try call(AgreementSample.first(nil), 0)
        call.operation = try #require(OperationID("op_01ka524mnpzx45hy43kwjrp1x9"))
        (call.kind, call.purpose) = (.void, .perform)
        (call.pspReference, call.pspState) = (first.reference, first.state)
        switch try await perform(call) {
        case .succeeded, .pending: return
        case let outcome: Issue.record("\(psp) does not void: \(outcome)")
        }
    }

    /// What pays later, after a first payment.
    func later(_ first: Success) throws -> Credential {
        guard let stored = first.stored else {
            try #require(psp == "worldpay", "\(psp) has stored nothing")
            return .storedNetworkToken(StoredNetworkToken(Sample.networkToken()))
        }
        return .pspToken(stored.token, customer: stored.customer)
    }

    /// A charge of an amount in minor units of USD.
    func charge(
        _ first: Success,
        _ credential: Credential,
        _ number: Int,
        amount: Int64 = 10_000,
        type: AgreementType = .recurring
    ) throws -> Call {
        var call = try self.call(
            AgreementSample.charge(
                credential,
                type,
                first: first.reference,
                transactions: first.networkTransactionIDs
            ),
            number
        )
        call.money = try Money(minorUnits: amount, currency: call.money.currency)
        return call
    }

    /// Does what the adapter asks, until it knows what became of the call.
    ///
    /// `altering` changes a request that moves money.
    func perform(_ call: Call, altering: (inout WireRequest) throws -> Void = { _ in }) async throws -> Outcome {
        try await talk {
            adapter.next(for: call, after: $0)
        } altering: { request in
            if request.canMoveMoney { try altering(&request) }
        }
    }

    /// Whether the PSP refuses the call, and has no payment of it.
    ///
    /// Refusals of the twins of Adyen and Authorize.Net do not say all that makes one of them sure: they are doubt.
    func refuses(_ call: Call, altering: (inout WireRequest) throws -> Void = { _ in }) async throws -> Bool {
        let before = await payments
        let outcome = try await perform(call, altering: altering)
        let isRefused =
            switch outcome {
            case .rejected: true
            case .unknown: psp == "adyen" || psp == "authorize-net"
            default: false
            }
        let after = await payments
        return isRefused && before == after
    }

    /// How many payments the PSP's books have.
    private var payments: Int {
        get async {
            await simulator.read { books, now in
                books.accounts.reduce(0) { $0 + books.authorizations(of: $1, at: now).count }
            }
        }
    }

    /// Has the PSP forget what it stored.
    func remove(_ first: Success) async throws -> Outcome {
        let stored = try #require(first.stored)
        let removal = MethodRemoval(
            agreement: try AgreementSample.agreement,
            token: stored.token,
            customer: stored.customer
        )
        return try await talk { adapter.next(forRemoval: removal, after: $0) }
    }

    private func talk(
        _ next: ([Exchange]) -> Step,
        altering: (inout WireRequest) throws -> Void = { _ in }
    ) async throws -> Outcome {
        var exchanges: [Exchange] = []
        while exchanges.count < 8 {
            switch next(exchanges) {
            case .outcome(let outcome): return outcome
            case .send(var request):
                try altering(&request)
                exchanges.append(Exchange(reply: try await answer(request)))
            }
        }
        Issue.record("\(psp) comes to no end")
        return .unknown(reason: "no end")
    }

    private func answer(_ wire: WireRequest) async throws -> WireReply {
        let rest = wire.url.dropFirst("https://psp.example".count)
        let parts = rest.split(separator: "?", maxSplits: 1)
        var request = PSPRequest(path: String(try #require(parts.first)), origin: "https://psp.example")
        request.headers = wire.headers.map { ($0.name, $0.value) }
        request.body = wire.body
        for field in (parts.dropFirst().first ?? "").split(separator: "&") {
            let pair = field.split(separator: "=", maxSplits: 1).map { part in
                String(decoding: PercentEncoding.decode(part.utf8, plusIsSpace: true) ?? [], as: UTF8.self)
            }
            request.query.append((name: pair[0], value: pair.count > 1 ? pair[1] : ""))
        }
        let (reply, _) = try #require(try await simulator.answer(wire.method.rawValue, request), "no \(wire)")
        let headers = [Header("Content-Type", reply.contentType)] + reply.headers.map { Header($0.name, $0.value) }
        return WireReply(status: reply.status, headers: headers, body: reply.body)
    }

    /// The call as another attempt's and another operation's, each number one.
    private func call(_ call: Call, _ number: Int) throws -> Call {
        var call = call
        let digit = String(number % 10)
        call.attempt = try #require(AttemptID("att_01ka5xxqkfbf5kznwj47tan9z" + digit))
        call.operation = try #require(OperationID("op_01ka524mnpzx45hy43kwjrp1x" + digit))
        return call
    }
}
