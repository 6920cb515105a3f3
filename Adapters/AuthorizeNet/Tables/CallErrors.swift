import Domain

/// What the codes of calls that were not carried out mean.
///
/// Source: Authorize.Net's list of response codes, of which independent integrations repeat a part. Those with which it
/// asks to try again later (E00001, E00053, E00104) do not promise that nothing was done, and are left out like all
/// others.
enum CallErrors {
    /// There is no such transaction.
    static let notFound = "E00040"

    /// Why a call was refused before anything was done; nil if nothing is promised.
    static func reason(_ code: String) -> Rejection.Reason? { refusals.contains(code) ? .configuration : nil }

    /// Malformed requests, wrong credentials, missing permissions, and one-time tokens that are spent or too old.
    private static let refusals: Set<String> = [
        "E00002", "E00003", "E00004", "E00005", "E00006", "E00007", "E00008", "E00009", "E00010", "E00011", "E00013",
        "E00014", "E00015", "E00016", "E00044", "E00045", "E00059", "E00114", "E00115", "E00116", "E00117", "E00118",
        "E00124",
    ]
}
