import Domain
import TributaryTestKit

extension Dice {
    /// A checkout that nobody has foreseen; its tokens end in `suffix`.
    mutating func checkout(_ suffix: String) -> TestCheckout {
        let merchants = ["airline", "hotel", "taxi", "agency"].shuffled(using: &self)
        let count = Int.random(in: 1...merchants.count, using: &self)
        let parts = merchants.prefix(count).map { merchant in
            TestCheckout.Part(
                merchant,
                Int64.random(in: 100...50_000, using: &self),
                token: "tok_\(merchant)_\(suffix)"
            )
        }
        let total = parts.reduce(0) { $0 + $1.amount }
        let policy = pick([
            (4, Policy.allOrNothing), (2, .bestEffort), (2, .required([parts[0].merchant])),
            (2, .minimum(Int64.random(in: 1...total, using: &self))),
        ])
        return TestCheckout(
            parts,
            policy: policy,
            capture: falls(70) ? .automatic : .manual,
            onDeadline: pick([(1, nil), (1, .abandon), (1, .continue)]),
            onCaptureFailure: falls(70) ? .attention : .compensate,
            deadlineMilliseconds: Int64.random(in: 500...20_000, using: &self),
            reference: falls(50) ? "cart-\(suffix)" : nil
        )
    }

    /// What a PSP makes of a request of a kind, and what becomes of its reply.
    mutating func behaviour(_ kind: ScriptedCall.Kind, amount: Int64) -> ScriptedBehaviour {
        ScriptedBehaviour(verdict(kind, amount), travel())
    }

    private mutating func verdict(_ kind: ScriptedCall.Kind, _ amount: Int64) -> ScriptedBehaviour.Verdict {
        let inquiries = Int.random(in: 1...3, using: &self)
        var verdicts: [(weight: Int, value: ScriptedBehaviour.Verdict)] = [
            (60, .approve), (5, .pending(inquiries: inquiries)), (5, .pendingFailure(inquiries: inquiries)),
        ]
        switch kind {
        case .authorize:
            verdicts += [
                (15, .decline("insufficient_funds")), (3, .refuse("configuration_error")),
                (4, .approvePart(max(1, amount / 2))), (4, .capture),
                (4, .requireAction(milliseconds: Int64.random(in: 1000...900_000, using: &self))),
            ]
        case .capture, .refund: verdicts += [(8, .decline("generic"))]
        case .void: break
        case .inquire, .forget: return .approve
        }
        return pick(verdicts)
    }

    private mutating func travel() -> ScriptedBehaviour.Travel {
        pick([
            (50, .safe), (6, .neverLeft), (8, .requestLost), (8, .replyLost), (5, .errorBefore), (5, .errorAfter),
            (3, .garbled), (6, .slow(milliseconds: Int64.random(in: 10...70_000, using: &self))), (4, .silence),
            (3, .held), (3, .delayed),
        ])
    }
}
