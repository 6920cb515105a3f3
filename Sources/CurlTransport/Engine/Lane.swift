/// Where a request goes and whose it is: all in one lane wait for the same places.
struct Lane: Hashable {
    let origin: Origin
    let bulkhead: String?
}
