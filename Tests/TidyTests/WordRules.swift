/// Words of our own that gave way to the field's, and files that no target compiles.
enum WordRules {
    /// Each word that no type, function or variable is called any more, with the one that stands for it.
    static let replaced = [
        "OrderDesk": "OrderLog", "Tray": "mailbox", "Bell": "wake-ups",
        "Dispatcher": "OperationRunner", "Ladder": "RetrySchedule", "Recovery": "ResumePolicy",
        "EndpointRound": "DeliveryBatch", "EndpointTrial": "TestDelivery", "EndpointSlots": "DeliverySlots",
        "StepRelay": "afterCommit", "Pacemaker": "DueWorkPoller", "Cleaning": "Retention",
        "CallbackCensus": "CallbackStatistics", "BookWatch": "LedgerMonitor", "BookCloser": "PeriodCloser",
        "BookWrong": "BrokenLedger", "WebhookDesk": "WebhookReceiver", "WebhookFolder": "WebhookProcessor",
        "WebhookObjection": "WebhookMismatch", "MachineRules": "OrderTimings", "RequestDesk": "Orders.request",
        "PaymentRequestDesk": "PaymentRequests", "PayoutDesk": "Payouts", "WalletDesk": "Wallets",
        "OperatorWord": "ManualOutcome", "Testimony": "Evidence", "FrozenRoute": "RouteSnapshot",
        "Wish": "PlannedOperation", "Reroute": "FallbackRule", "Ground": "PlacementContext",
        "DraftOpener": "TokenDecryptor", "OpenedDraft": "DecryptedDraft", "Sighting": "ObservedHash",
        "PayoutCover": "PayoutBreakdown", "OwnThread": "TransportThread", "Reception": "ResponseBuffer",
        "OwnSide": "LedgerSide", "ReferredPayment": "PaymentMatchCandidate", "KnownPayment": "PaymentMatchCandidate",
        "Residue": "Unmatched", "CurlTransport": "HTTPTransport",
    ]

    /// Lines of code that use a word that was replaced; comments and strings may.
    static func words(_ source: SwiftSource) -> [Finding] {
        source.code.enumerated().flatMap { index, line in
            Set(line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)).sorted().compactMap { word in
                replaced[word].map {
                    Finding(path: source.path, line: index + 1, problem: "says \(word), which is \($0)")
                }
            }
        }
    }

    /// Swift files below a folder that the manifest does not name: nobody compiles them.
    static func dead(_ paths: [String], manifest: String) -> [Finding] {
        let names = Set(manifest.split { !$0.isLetter && !$0.isNumber }.map(String.init))
        return paths.filter { $0.hasSuffix(".swift") }.compactMap { path in
            let parts = path.split(separator: "/").map(String.init)
            guard parts.count > 2, ["Sources", "Adapters", "Tests"].contains(parts[0]) else { return nil }
            let isGroup = parts[0] == "Sources" && ["Tools", "System"].contains(parts[1])
            let target = isGroup && parts.count > 3 ? parts[2] : parts[1]
            return names.contains(target)
                ? nil : Finding(path: path, line: 0, problem: "is of no target that the manifest names")
        }
    }
}
