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
                .optional(step.isPaused ? "paused: takes no new payments" : nil)
            )
        }
        return table
    }

    /// `{"dry_run", "created": […], "changed": […], "paused": […], "left_alone": […]}`.
    func json(isDryRun: Bool) -> JSON {
        .object(
            [.init("dry_run", .bool(isDryRun))]
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
    fileprivate var json: JSON {
        .object(omittingAbsent: [
            "kind": .string(kind),
            "id": .string(id),
            "fields": fields.isEmpty ? nil : .strings(fields),
            "status": isPaused ? "paused" : nil,
        ])
    }
}

extension ApplyPlan.Step.Action {
    fileprivate var words: String { rawValue.replacing("_", with: " ") }
}
