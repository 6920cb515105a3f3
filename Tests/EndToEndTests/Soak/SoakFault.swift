/// Something that is done to a marketplace while buyers shop.
enum SoakFault: String, CaseIterable, Sendable {
    /// A gateway is killed on the spot and started again.
    case gatewayKilled = "a gateway is killed"
    /// Both are, one right after the other.
    case gatewaysKilled = "both gateways are killed"
    /// A gateway stands still, while others take it for gone or not, and goes on.
    case gatewayFrozen = "a gateway stands still"
    /// The way to a PSP takes long.
    case pspSlow = "a PSP is slow to reach"
    /// What goes to a PSP is swallowed, and the connections end.
    case pspSilent = "a PSP's way swallows everything"
    /// The connections to a PSP end in the middle.
    case pspCut = "a PSP's connections are cut, again and again"
    /// Nobody gets through to a PSP.
    case pspClosed = "a PSP takes no connections"
    /// The way to the database takes long.
    case databaseSlow = "the database is slow to reach"
    /// What goes to the database is swallowed, and the connections end.
    case databaseSilent = "the database's way swallows everything"
    /// The connections to the database end in the middle of transactions.
    case databaseCut = "the database's connections are cut, again and again"
    /// The standby stands still: commits wait for it.
    case standbyFrozen = "the standby stands still"
    /// The primary stands still.
    case primaryFrozen = "the primary stands still"
    /// The primary is killed on the spot and started again.
    case primaryCrashed = "the primary crashes and comes up again"
    /// The primary is killed for good, and the standby takes its place.
    case standbyPromoted = "the primary is lost, and the standby promoted"
    /// The primary's disk is full.
    case diskFull = "the primary's disk is full"
    /// Others use the database's connections up, and the gateways have to connect again.
    case connectionsUsedUp = "the database's connections are used up"
    /// The clock of a gateway's machine is set.
    case clockSet = "a gateway's clock is set"
}
