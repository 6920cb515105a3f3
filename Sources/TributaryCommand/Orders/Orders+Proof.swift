import Domain
import HTTPAPI
import Reconciliation
import Storage
import StrictJSON

/// The proof of an order, for people and for programs.
struct ProofPage {
    let order: Order
    let proof: OrderProof
    let equations: OrderEquations

    init(_ order: Order, _ proof: OrderProof, _ equations: OrderEquations) {
        self.order = order
        self.proof = proof
        self.equations = equations
    }

    /// A line for each equation, and its terms under it; then each break, with what became of it.
    var text: String {
        var lines = ["\(order.id.text) \((order.reference ?? "").harmless) \(order.status.rawValue)", ""]
        for equation in equations.all {
            let subject = equation.subject.map { " " + $0.harmless } ?? ""
            lines.append("\(equation.verdict.mark) \(equation.step.rawValue)\(subject)")
            lines.append("    \(Self.text(equation.left, equation.currency))")
            for (index, term) in equation.right.enumerated() {
                lines.append("    \(index == 0 ? "=" : "+") \(Self.text(term, equation.currency))")
            }
            if equation.right.isEmpty { lines.append("    = nothing yet") }
        }
        for found in proof.breaks {
            let words = "\(found.id.text) \(found.difference.type.rawValue), \(found.words)"
            lines.append("\n\(found.verdict.map { $0.mark + " " } ?? "")\(words)")
            lines.append("    " + found.difference.explanation.harmless)
        }
        let accepted = equations.count(.accepted)
        let verdicts = [Equation.Verdict.agrees] + (accepted > 0 ? [.accepted] : []) + [.waiting, .differs]
        let counts = verdicts.map { "\(equations.count($0)) \($0.rawValue)" }
        return (lines + ["", counts.joined(separator: ", ")]).joined(separator: "\n")
    }

    /// The equations with their sources, the sums of verdicts, and the breaks.
    var json: JSON {
        .object([
            .init("order", .string(order.id.text)),
            .init("reference", order.reference.map(JSON.string) ?? .null),
            .init("status", .string(order.status.rawValue)),
            .init("agrees", .bool(!equations.differ)),
            .init(
                "is_complete",
                .bool(!equations.differ && equations.all.allSatisfy { $0.verdict != .waiting })
            ),
            .init("equations", .array(equations.all.map(\.json))),
            .init(
                "breaks",
                .array(
                    proof.breaks.map { found in
                        .object([
                            .init("id", .string(found.id.text)), .init("type", .string(found.difference.type.rawValue)),
                            .init("state", .string(found.state.rawValue)),
                            .init("verdict", found.verdict.map { .string($0.rawValue) } ?? .null),
                            .init("explanation", .string(found.difference.explanation)),
                        ])
                    }
                )
            ),
        ])
    }

    private static func text(_ term: Equation.Term, _ currency: Currency) -> String {
        let amount = Table.Cell.amount(term.amount, currency).shown
        return "\(amount)  \(term.name.harmless)  (\(term.source.harmless))"
    }
}

extension Table {
    /// The equations, a row for each term.
    init(_ equations: OrderEquations) {
        self.init("step", "subject", "verdict", "side", "term", "amount", "currency", "source")
        for equation in equations.all {
            for (side, term) in [("left", equation.left)] + equation.right.map({ ("right", $0) }) {
                add(
                    .text(equation.step.rawValue),
                    .optional(equation.subject),
                    .text(equation.verdict.rawValue),
                    .text(side),
                    .text(term.name),
                    .amount(term.amount, equation.currency),
                    .text(equation.currency.code),
                    .text(term.source)
                )
            }
        }
    }
}

extension Equation {
    fileprivate var json: JSON {
        .object([
            .init("step", .string(step.rawValue)), .init("subject", subject.map(JSON.string) ?? .null),
            .init("currency", .string(currency.code)), .init("left", left.json),
            .init("right", .array(right.map(\.json))), .init("verdict", .string(verdict.rawValue)),
        ])
    }
}

extension Equation.Term {
    fileprivate var json: JSON {
        .object([
            .init("name", .string(name)), .init("amount", .integer(amount)), .init("source", .string(source)),
        ])
    }
}

extension Equation.Verdict {
    fileprivate var mark: String {
        switch self {
        case .agrees: "="
        case .differs: "≠"
        case .accepted: "≈"
        case .waiting: "…"
        }
    }
}

extension StoredBreak {
    /// What became of it, for people: `open`, `written off`.
    fileprivate var words: String { state.rawValue.replacing("_", with: " ") }
}
