/// What was heard of operations, as it is written down.
extension OrderMachine {
    /// Writes down that an outcome was heard.
    mutating func recordFact(_ outcome: Outcome, of operation: Operation, saidBy origin: Operation.Origin) {
        if PlantedBug.factDropped.isPlanted, operation.kind == .capture { return }
        let fact: (reference: String?, amount: Int64?, code: String?) =
            switch outcome {
            case .succeeded(let success): (success.reference, success.amount, nil)
            case .declined(let decline): (nil, nil, decline.code)
            case .rejected(let rejection): (rejection.object, nil, rejection.reason.rawValue)
            case .pending(let progress), .actionRequired(_, let progress): (progress.reference, nil, nil)
            case .notSent(let reason), .unknown(let reason): (nil, nil, reason)
            }
        record.facts.append(
            Fact(
                operation: operation.id,
                kind: outcome.name,
                reference: fact.reference ?? "",
                origin: origin,
                amount: fact.amount,
                code: fact.code,
                at: now
            )
        )
    }

    /// Writes down that what was done failed after all.
    mutating func recordReversal(
        _ rejection: Rejection,
        of operation: OperationID,
        _ reference: String?,
        saidBy origin: Operation.Origin
    ) {
        record.facts.append(
            Fact(
                operation: operation,
                kind: OperationState.reversed(rejection).name,
                reference: reference ?? "",
                origin: origin,
                amount: nil,
                code: rejection.code,
                at: now
            )
        )
    }
}
