import StrictJSON

/// Telling people and programs what a plan comes to.
extension ApplyPlan {
    /// A row for everything that was not left alone, and for what is paused.
    var table: Table {
        var table = Table("action", "kind", "id", "fields", "note")
        for step in steps where step.action != .leftAlone || step.isPaused {
            table.add(
                .text(step.action.words),
                .text(step.kind),
                .text(step.id),
                .optional(step.fields.isEmpty ? nil : step.fields.joined(separator: ", ")),
                .optional(step.isPaused ? step.pause.note : nil)
            )
        }
        return table
    }

    /// `{"dry_run", "created": […], "changed": […], "paused": […], "left_alone": […]}`, and `secrets` if some were made.
    func json(isDryRun: Bool, _ made: [MadeSecret]) -> JSON {
        .object(
            [.init("dry_run", .bool(isDryRun))]
                + (made.isEmpty ? [] : [.init("secrets", .array(made.map(\.json)))])
                + Step.Action.allCases.map { action in
                    .init(action.rawValue, .array(steps.filter { $0.action == action }.map(\.json)))
                }
        )
    }

    /// How much of each, in one line.
    func summary(isDryRun: Bool) -> String {
        let counts = Step.Action.allCases.map { action in
            "\(action.words) \(steps.count { $0.action == action })"
        }
        return (isDryRun ? "would have: " : "") + counts.joined(separator: ", ")
    }
}

extension ApplyPlan.Step {
    /// What it means to be paused: to an endpoint that nothing is sent there.
    fileprivate var pause: (word: String, note: String) {
        kind.hasSuffix("_callback")
            ? ("disabled", "disabled: nothing is sent there") : ("paused", "paused: takes no new payments")
    }

    fileprivate var json: JSON {
        .object(omittingAbsent: [
            "kind": .string(kind),
            "id": .string(id),
            "fields": fields.isEmpty ? nil : .strings(fields),
            "status": isPaused ? .string(pause.word) : nil,
        ])
    }
}

extension ApplyPlan.Step.Action {
    fileprivate var words: String { rawValue.replacing("_", with: " ") }
}
