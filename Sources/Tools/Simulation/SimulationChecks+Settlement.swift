import Domain
import Gateway
import PSPSimulator
import SQL
import SQLiteDatabase
import Storage

/// Whether books, reports and bank agree to the unit, and whatever does not is said.
extension SimulationChecks {
    /// The attempts whose payments have moved as much here as at their PSP, and of which nobody has to look.
    static func agreed(
        _ orders: [Order],
        _ movements: [Int: [ReportingPSP.Movement]]
    ) -> Set<String> {
        let theirs = Dictionary(grouping: movements.values.joined()) { $0.attempt }.mapValues(Self.moved)
        var agreed: Set<String> = []
        for order in orders where order.attention.isEmpty {
            for payment in order.payments {
                let attempts = payment.attempts.map(\.id.text)
                if attempts.reduce(0, { $0 + (theirs[$1] ?? 0) }) == payment.moved { agreed.formUnion(attempts) }
            }
        }
        return agreed
    }

    /// What movements come to, commissions apart, which are a part of them.
    private static func moved(_ movements: [ReportingPSP.Movement]) -> Int64 {
        movements.reduce(0) { $0 + ($1.line.kind == .commission ? 0 : $1.line.amount) }
    }

    /// What does not agree once everything is settled.
    ///
    /// - Throws: `SQLError`.
    static func complaints(
        aboutSettlement settlement: SimulatedSettlement,
        _ world: SimulatedWorld,
        _ orders: [Order]
    ) throws -> [String] {
        let settled = settlement.settled
        let (breaks, held) = try standing(world)
        var found: [String] = []
        for psp in settled.psps where !settled.undone.contains("\(psp.twin)") {
            let own = breaks.filter { $0.pspAccount == "\(psp.twin)" }
            if psp.tellsPayments { found += complaints(aboutLines: psp, own, orders, settled.planted, world) }
            found += complaints(aboutAccounts: psp, own, orders, held, settled.planted)
        }
        return try found + complaints(aboutBankOf: settlement, world) + auditComplaints(world)
    }

    /// What is not at the bank as it should be, once it has told everything.
    ///
    /// - Throws: `SQLError`.
    static func complaints(
        aboutBankOf settlement: SimulatedSettlement,
        _ world: SimulatedWorld
    ) throws -> [String] {
        let settled = settlement.settled
        guard settled.undone.isEmpty else { return [] }
        let (breaks, held) = try standing(world)
        return complaints(aboutBank: settled, breaks, held)
    }

    /// The breaks that are open, and what each account holds.
    private static func standing(_ world: SimulatedWorld) throws -> (breaks: [Break], held: [String: Int64]) {
        try world.database.look { session in
            var filter = BreakTable.Filter(marketplace: SimulatedMarket.marketplace)
            filter.states = [.open, .investigating]
            let breaks = try BreakTable.list(filter, after: nil, limit: 10_000, in: session).map(\.difference)
            let balances = try LedgerBalances.all(of: SimulatedMarket.marketplace, in: session)
            return (
                breaks,
                Dictionary(uniqueKeysWithValues: balances.map { ($0.account, $0.debits - $0.credits) })
            )
        }
    }

    /// Each payment: what its report has more than we have is what breaks say, and where nothing differs there is none.
    private static func complaints(
        aboutLines psp: ReportingPSP,
        _ breaks: [Break],
        _ orders: [Order],
        _ planted: SimulatedSettlement.Planted?,
        _ world: SimulatedWorld
    ) -> [String] {
        let byAttempt = Dictionary(grouping: psp.movements) { $0.attempt }
        let ofMoney = breaks.filter { ![.payoutMismatch, .batchSumMismatch, .splitMismatch].contains($0.type) }
        let byPayment = Dictionary(grouping: ofMoney) { $0.payment }
        // In what was never reported nothing can be missing.
        guard !psp.periods.isEmpty else {
            return ofMoney.map { "\(psp.twin) reported nothing, and breaks say: \($0.type.rawValue) \($0.difference)" }
        }
        var found: [String] = []
        for order in orders {
            for payment in order.payments(at: psp) {
                let movements = payment.attempts.flatMap { byAttempt[$0.id.text] ?? [] }
                let said = byPayment[payment.id] ?? []
                let difference = moved(movements) - payment.moved
                let isUntold = movements.contains { world.mail.untold.contains($0.authorization) }
                let words = said.map { "\($0.type.rawValue) \($0.difference)" }.joined(separator: ", ")
                let name = "\(order.reference ?? ""), \(payment.externalIdentifier)"
                let isSaidWhole = said.reduce(0) { $0 + $1.difference } == difference
                if !isSaidWhole {
                    found.append("\(name): its report has \(difference) more than we, and breaks say: \(words)")
                }
                let isPlanted = planted.map { it in payment.attempts.contains { $0.id.text == it.attempt } } ?? false
                let isQuiet = !isUntold && !order.attention.contains { $0.payment == payment.id }
                if isQuiet, difference == 0 || isPlanted, said.count > (isPlanted ? 1 : 0) {
                    found.append("\(name) is at its PSP what it is here, and breaks say: \(words)")
                }
                let splits = breaks.filter { $0.type == .splitMismatch && $0.payment == payment.id }
                let excess = commission(movements) - payment.commissionTold
                let isSaid = splits.reduce(0) { $0 + $1.difference } == excess
                if isQuiet, difference == 0, !isPlanted, !splits.isEmpty, !isSaid {
                    let words = splits.map { "\($0.difference)" }.joined(separator: ", ")
                    found.append("\(name): its commission is \(excess) more than we told, and breaks say: \(words)")
                }
            }
        }
        let stray = planted.flatMap { $0.difference == .strayCharge && $0.account == "\(psp.twin)" ? $0.amount : nil }
        let unknown = (byPayment[nil] ?? []).map(\.difference)
        if unknown != (stray.map { [$0] } ?? []) {
            let words = (byPayment[nil] ?? []).map { "\($0.type.rawValue) \($0.difference)" }.joined(separator: ", ")
            found.append("\(psp.twin): of no payment that is known, breaks say: \(words)")
        }
        return found
    }

    /// What commission a PSP kept, less what it gave back of it.
    private static func commission(_ movements: [ReportingPSP.Movement]) -> Int64 {
        movements.reduce(0) { $0 + ($1.line.kind == .commission ? $1.line.amount : 0) }
    }

    /// The PSP's accounts in the journal: fees to the unit, and nothing left where report and books agree.
    private static func complaints(
        aboutAccounts psp: ReportingPSP,
        _ breaks: [Break],
        _ orders: [Order],
        _ held: [String: Int64],
        _ planted: SimulatedSettlement.Planted?
    ) -> [String] {
        let account = "\(psp.twin)"
        var found: [String] = []
        func expect(_ name: String, _ held: Int64, _ wanted: Int64) {
            if held != wanted { found.append("\(account) \(name) holds \(held), not \(wanted)") }
        }
        let clearing = held[Account.clearing(pspAccount: account).path] ?? 0
        let suspense = held[Account.suspense(pspAccount: account).path] ?? 0
        let payments = orders.flatMap { $0.payments(at: psp) }
        if breaks.isEmpty, planted?.account != account || planted?.difference == .shortPayout {
            let borne = Set(payments.filter { $0.externalIdentifier == "agency" }.flatMap(\.attempts).map(\.id.text))
            let own = psp.movements.filter { psp.writesFeesApart || borne.contains($0.attempt) }
            expect("fees", held[Account.pspFees(pspAccount: account).path] ?? 0, own.reduce(0) { $0 + $1.line.fee })
        }
        if psp.tellsPayments { expect("suspense", suspense, 0) }
        let isAllOurs = payments.allSatisfy { $0.attempts.allSatisfy { $0.route.settlesTo == .marketplace } }
        if isAllOurs {
            let fees = psp.movements.reduce(0) { $0 + $1.line.fee }
            let paid = psp.periods.reduce(0) { $0 + psp.paidOut($1) }
            expect("clearing and suspense", clearing + suspense, payments.reduce(0) { $0 + $1.moved } - fees - paid)
        }
        // What was taken, and voided before anything was reported, can have been told to nobody.
        let hasReported = !psp.periods.isEmpty && psp.layout.tellsPayouts && psp.layout.tellsCommission
        if breaks.isEmpty, planted?.account != account, hasReported {
            // Of what is refunded in its portal Square gives back a share of the commission, rounded down each time.
            let rounded = psp.twin.dialect == .square ? payments.reduce(0) { $0 + $1.refundsByPSP } : 0
            expect("clearing", clearing, min(max(clearing, -rounded), rounded))
        }
        return found
    }

    /// What PSPs paid out is at the bank, to the unit, but for what is said.
    private static func complaints(
        aboutBank settled: SimulatedSettlement.State,
        _ breaks: [Break],
        _ held: [String: Int64]
    ) -> [String] {
        var found: [String] = []
        let paid = settled.psps.reduce(0) { sum, psp in sum + psp.periods.reduce(0) { $0 + psp.paidOut($1) } }
        let booked = held[Account.bank.path] ?? 0
        if booked != paid { found.append("the bank's account in the journal holds \(booked), PSPs paid \(paid)") }
        let said = breaks.filter { [.payoutMismatch, .batchSumMismatch].contains($0.type) }
        let short = settled.planted.flatMap { $0.difference == .shortPayout ? $0.amount : nil }
        if said.map(\.amount) != (short.map { [$0] } ?? []) {
            let words = said.map { "\($0.type.rawValue) \($0.amount)" }.joined(separator: ", ")
            found.append("payouts differ by \(short ?? 0), and breaks say: \(words)")
        }
        if booked + (short ?? 0) != settled.bank.balance {
            found.append("the bank has \(settled.bank.balance), and we \(booked)")
        }
        return found
    }
}

extension Order {
    /// Its payments at a PSP.
    fileprivate func payments(at psp: ReportingPSP) -> [Payment] {
        payments.filter { $0.attempts.contains { $0.route.pspAccount == "\(psp.twin)" } }
    }
}

extension Payment {
    /// What the PSP took for it and did not give back, in minor units.
    fileprivate var moved: Int64 { captured - refunded - chargedBack }

    /// How often a PSP that keeps the commission gave something back that we did not ask for.
    fileprivate var refundsByPSP: Int64 {
        let theirs = attempts.filter(\.route.takesApplicationFee).flatMap(\.operations).filter {
            $0.givesBack && $0.origin != .gateway && $0.state == .succeeded
        }
        return Int64(theirs.count)
    }

    /// What PSPs were told to keep for the marketplace, of a capture no more than it took, less what they were told to give back
    /// of it, in minor units.
    fileprivate var commissionTold: Int64 {
        let done = attempts.flatMap(\.operations).filter { $0.state == .succeeded && $0.doneAmount > 0 }
        return done.reduce(0) { sum, operation in
            switch operation.kind {
            case .capture: sum + min(operation.commission ?? 0, operation.doneAmount)
            case .refund: sum - (operation.commission ?? 0)
            case .authorize, .void, .reverse: sum
            }
        }
    }
}

extension Break {
    /// What the other side has more than we, in minor units.
    fileprivate var difference: Int64 { [.missingAtPSP, .late].contains(type) ? -amount : amount }
}
