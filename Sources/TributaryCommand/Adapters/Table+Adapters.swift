import Gateway

extension Table {
    /// A row for each adapter.
    init(adapters: [(name: String, psp: PSPDirectory.PSP)]) {
        self.init(
            "psp",
            "credentials",
            "capture",
            "refund",
            "asynchronous",
            "idempotency",
            "inquiry",
            "application_fee",
            "webhooks"
        )
        for (name, psp) in adapters {
            let short = psp.capabilities.inShort.map(\.value)
            add(([name] + short + [psp.hearsWebhooks ? "yes" : "no"]).map(Cell.text))
        }
    }

    /// A row for each thing that is declared.
    init(_ lines: [Declared]) {
        self.init("what", "declared")
        for line in lines { add(.text(line.name), .text(line.value)) }
    }
}
