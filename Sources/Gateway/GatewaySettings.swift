package import Domain

/// The gateway's times and limits.
package struct GatewaySettings: Hashable, Sendable {
    /// The times the order machine plans by.
    package var rules: OrderTimings
    /// How long a checkout waits unless it says otherwise, in milliseconds.
    ///
    /// Apple's sheet waits 30 s in all.
    package var deadlineMilliseconds: Int64
    /// When an order is decided at the latest unless the checkout says otherwise, in milliseconds.
    package var decideByMilliseconds: Int64
    /// How long a call to a PSP may take in all, in milliseconds.
    package var pspTimeoutMilliseconds: Int64
    /// How often to look for what is due, in milliseconds.
    package var pollMilliseconds: Int64
    /// How often what is stored is sampled for metrics, in milliseconds.
    package var sampleMilliseconds: Int64
    /// How often who waits for an order looks at it if nobody tells of a step, in milliseconds, give or take a quarter.
    package var waitNetMilliseconds: Int64
    /// How much due work to read at once.
    package var batchLimit: Int
    /// How much due work to take in hand at the same time.
    package var concurrencyLimit: Int
    /// After how many calls in a row that a PSP account did not answer new authorizations are kept from it for a while.
    package var breakerFailures: Int
    /// How many calls to one PSP account are on their way at once; what is more waits.
    package var callsPerAccount: Int
    /// How many requests that move money are taken in hand.
    package var admission: AdmissionLimits
    /// How long what has served its purpose is kept.
    package var retention: RetentionPeriods

    /// Settings as the design has them.
    package init(
        rules: OrderTimings = OrderTimings(),
        deadlineMilliseconds: Int64 = 20_000,
        decideByMilliseconds: Int64 = 900_000,
        pspTimeoutMilliseconds: Int64 = 60_000,
        pollMilliseconds: Int64 = 250,
        waitNetMilliseconds: Int64 = 2_000,
        sampleMilliseconds: Int64 = 15_000,
        batchLimit: Int = 256,
        concurrencyLimit: Int = 32,
        breakerFailures: Int = 8,
        callsPerAccount: Int = 32,
        admission: AdmissionLimits = AdmissionLimits(),
        retention: RetentionPeriods = RetentionPeriods()
    ) {
        self.rules = rules
        self.deadlineMilliseconds = deadlineMilliseconds
        self.decideByMilliseconds = decideByMilliseconds
        self.pspTimeoutMilliseconds = pspTimeoutMilliseconds
        self.pollMilliseconds = pollMilliseconds
        self.sampleMilliseconds = sampleMilliseconds
        self.waitNetMilliseconds = waitNetMilliseconds
        self.batchLimit = batchLimit
        self.concurrencyLimit = concurrencyLimit
        self.breakerFailures = breakerFailures
        self.callsPerAccount = callsPerAccount
        self.admission = admission
        self.retention = retention
    }
}
