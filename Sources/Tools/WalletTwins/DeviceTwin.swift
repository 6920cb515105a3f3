package import Domain
package import HTTPTransport
package import OpenSSLCMS
package import StrictJSON
import WalletOrders
import WireFormats

/// A buyer's device with Wallet: it is given an order after the sheet, registers for it, and when it is pushed lists what
/// changed, fetches that and compares it with what it has.
///
/// It holds every answer to what Apple's pages say of it, and every package to ``WalletOrderVerifier``.
package actor DeviceTwin {
    /// Whom a device asks, and as whom.
    package struct Settings: Sendable {
        /// Where the web service really is, in place of the URL in packages; below it `/v1` begins.
        package var webServiceURL: String
        /// The order type it follows.
        package var orderTypeIdentifier: String
        /// What packages have to be signed under.
        package var roots: TrustRoots
        /// The device's name, which is its secret too.
        package var deviceIdentifier: String
        /// Where pushes to it go.
        package var pushToken: String
        /// The authorities of the web service's TLS; nil for the system's.
        package var authorities: PEM?

        /// Makes settings.
        package init(
            webServiceURL: String,
            orderTypeIdentifier: String,
            roots: TrustRoots,
            deviceIdentifier: String,
            pushToken: String,
            authorities: PEM? = nil
        ) {
            self.webServiceURL = webServiceURL
            self.orderTypeIdentifier = orderTypeIdentifier
            self.roots = roots
            self.deviceIdentifier = deviceIdentifier
            self.pushToken = pushToken
            self.authorities = authorities
        }
    }

    /// An order as the device has it.
    package struct Copy: Sendable {
        /// The token it was given with.
        package let authenticationToken: Secret
        /// The latest package.
        package fileprivate(set) var package: [UInt8]
        /// `order.json` of the latest package.
        package fileprivate(set) var document: JSON
        /// `Last-Modified` of the latest package.
        package fileprivate(set) var lastModified: String
        /// `ETag` of the latest package.
        package fileprivate(set) var entityTag: String?
        /// How many versions it has seen.
        package fileprivate(set) var versions: Int
        /// How often it asked and nothing was new.
        package fileprivate(set) var repetitions: Int
    }

    /// The settings; the push token may change.
    package private(set) var settings: Settings
    /// The orders by identifier.
    package private(set) var orders: [String: Copy] = [:]
    /// What the list of changed orders said last that it stands for.
    package private(set) var modificationTag: String?
    private let transport: HTTPTransport
    private let clock: @Sendable () -> Timestamp

    /// Makes a device without orders.
    ///
    /// - Parameters:
    ///   - settings: whom it asks.
    ///   - transport: what it asks by.
    ///   - clock: the time by which it judges certificates.
    package init(
        _ settings: Settings,
        transport: HTTPTransport,
        clock: @escaping @Sendable () -> Timestamp
    ) {
        self.settings = settings
        self.transport = transport
        self.clock = clock
    }

    /// Takes an order that the sheet ended with: fetches it, and registers for it.
    ///
    /// - Throws: ``DeviceComplaint``.
    package func add(_ identifier: String, token: Secret) async throws(DeviceComplaint) {
        let reply = try await fetch(identifier, token: token, since: nil)
        let document = try verified(reply, identifier)
        orders[identifier] = Copy(
            authenticationToken: token,
            package: reply.body,
            document: document,
            lastModified: try lastModified(of: reply, document),
            entityTag: reply.header("ETag"),
            versions: 1,
            repetitions: 0
        )
        _ = try await register(identifier)
    }

    /// Registers for an order it has, as after a push token changed.
    ///
    /// - Returns: whether it was not registered before.
    /// - Throws: ``DeviceComplaint``.
    @discardableResult
    package func register(_ identifier: String) async throws(DeviceComplaint) -> Bool {
        let body: JSON = ["pushToken": .string(settings.pushToken)]
        let reply = try await send(.post, registration(of: identifier), token: token(of: identifier), body: body.bytes)
        guard reply.status == 201 || reply.status == 200 else { throw .answered("registration", reply.status) }
        return reply.status == 201
    }

    /// Takes an order by a link to its package, as a Track button and a mail have it, and registers for it.
    ///
    /// - Parameters:
    ///   - link: the link, which leads below the web service.
    ///   - webServiceURL: the web service's URL as the marketplace declares it, which the link begins with.
    /// - Returns: the order's identifier.
    /// - Throws: ``DeviceComplaint``.
    package func add(link: String, webServiceURL: String) async throws(DeviceComplaint) -> String {
        guard link.hasPrefix(webServiceURL + "/") else { throw .answered("link", 0) }
        let reply = try await send(.get, String(link.dropFirst(webServiceURL.count)))
        guard reply.status == 200 else { throw .answered("link", reply.status) }
        let document = try verified(reply, nil)
        guard let identifier = document["orderIdentifier"]?.stringValue,
            let token = document["authenticationToken"]?.stringValue
        else { throw .anotherOrder("") }
        try await add(identifier, token: Secret(token))
        return identifier
    }

    /// Asks the web service somewhere else from now on, as after it moved.
    package func reach(_ webServiceURL: String) { settings.webServiceURL = webServiceURL }

    /// Removes an order, as its owner does.
    ///
    /// - Throws: ``DeviceComplaint``.
    package func remove(_ identifier: String) async throws(DeviceComplaint) {
        let reply = try await send(.delete, registration(of: identifier), token: token(of: identifier))
        guard reply.status == 200 else { throw .answered("end of registration", reply.status) }
        orders[identifier] = nil
    }

    /// Does what a push makes it do: asks which orders changed, and fetches each.
    ///
    /// - Returns: what changed, by order; an order that was listed and is the same stands for nothing.
    /// - Throws: ``DeviceComplaint``.
    package func receivePush() async throws(DeviceComplaint) -> [String: [OrderChange]] {
        var changes: [String: [OrderChange]] = [:]
        for identifier in try await changedOrders() where orders[identifier] != nil {
            if let change = try await refresh(identifier) { changes[identifier] = change }
        }
        return changes
    }

    /// The orders that the web service says have changed; the tag it names is asked with next time.
    ///
    /// - Throws: ``DeviceComplaint``.
    package func changedOrders() async throws(DeviceComplaint) -> [String] {
        var path = "/v1/devices/\(segment(settings.deviceIdentifier))/registrations/\(orderType)"
        if let modificationTag { path += "?ordersModifiedSince=\(segment(modificationTag))" }
        let reply = try await send(.get, path)
        guard reply.status != 204 else { return [] }
        guard reply.status == 200, let answer = try? JSON.parse(reply.body),
            let identifiers = answer["orderIdentifiers"]?.arrayValue?.compactMap(\.stringValue), !identifiers.isEmpty,
            let tag = answer["lastModified"]?.stringValue
        else { throw .answered("list of changed orders", reply.status) }
        modificationTag = tag
        return identifiers
    }

    /// Fetches an order it has, unless that is the latest.
    ///
    /// - Returns: what changed; nil if nothing did.
    /// - Throws: ``DeviceComplaint``.
    package func refresh(_ identifier: String) async throws(DeviceComplaint) -> [OrderChange]? {
        guard let copy = orders[identifier] else { throw .unknownOrder(identifier) }
        let reply = try await fetch(identifier, token: copy.authenticationToken, since: copy.lastModified)
        guard reply.status != 304 else {
            guard reply.body.isEmpty else { throw .answered("304 with a body", reply.status) }
            orders[identifier]?.repetitions += 1
            return nil
        }
        let document = try verified(reply, identifier)
        guard let before = time(copy.document), let after = time(document), after > before else {
            throw .notNewer(identifier)
        }
        let lastModified = try lastModified(of: reply, document)
        orders[identifier]?.package = reply.body
        orders[identifier]?.document = document
        orders[identifier]?.lastModified = lastModified
        orders[identifier]?.entityTag = reply.header("ETag")
        orders[identifier]?.versions += 1
        return OrderChange.all(from: copy.document, to: document)
    }

    /// Tells the web service what went wrong, as devices do.
    ///
    /// - Throws: ``DeviceComplaint``.
    package func log(_ messages: [String]) async throws(DeviceComplaint) {
        let reply = try await send(.post, "/v1/log", body: JSON.object([.init("logs", .strings(messages))]).bytes)
        guard reply.status == 200 else { throw .answered("log", reply.status) }
    }

    /// Sends any request to the web service.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - path: the path below the web service's URL.
    ///   - token: the token to show; nil for none.
    ///   - headers: further header fields.
    ///   - body: the body, which is JSON.
    /// - Returns: the answer, whatever its status.
    /// - Throws: ``DeviceComplaint/noAnswer(_:)``.
    package func send(
        _ method: HTTPMethod,
        _ path: String,
        token: Secret? = nil,
        headers: [HTTPHeader] = [],
        body: [UInt8] = []
    ) async throws(DeviceComplaint) -> HTTPReply {
        let base =
            settings.webServiceURL.hasSuffix("/") ? settings.webServiceURL.dropLast() : settings.webServiceURL[...]
        var request = HTTPRequest(method, base + path, headers: headers, body: body)
        if let token { request.headers.append(HTTPHeader("Authorization", "AppleOrder \(token.reveal())")) }
        if !body.isEmpty { request.headers.append(HTTPHeader("Content-Type", "application/json")) }
        request.trustedAuthorities = settings.authorities
        request.allowPlainHTTPToLoopback = true
        request.replyLimitBytes = 8 * 1_048_576
        switch await transport.send(request) {
        case .reply(let reply): return reply
        case .failure(let failure): throw .noAnswer(failure.description)
        }
    }
}

extension DeviceTwin {
    private var orderType: String { segment(settings.orderTypeIdentifier) }

    private func segment(_ text: String) -> String { PercentEncoding.encode(text) }

    private func registration(of identifier: String) -> String {
        "/v1/devices/\(segment(settings.deviceIdentifier))/registrations/\(orderType)/\(segment(identifier))"
    }

    private func token(of identifier: String) throws(DeviceComplaint) -> Secret {
        guard let copy = orders[identifier] else { throw .unknownOrder(identifier) }
        return copy.authenticationToken
    }

    private func fetch(
        _ identifier: String,
        token: Secret,
        since lastModified: String?
    ) async throws(DeviceComplaint) -> HTTPReply {
        let reply = try await send(
            .get,
            "/v1/orders/\(orderType)/\(segment(identifier))",
            token: token,
            headers: lastModified.map { [HTTPHeader("If-Modified-Since", $0)] } ?? []
        )
        guard reply.status == 200 || (reply.status == 304 && lastModified != nil) else {
            throw .answered("package", reply.status)
        }
        return reply
    }

    /// The order in a package that the device takes.
    private func verified(_ reply: HTTPReply, _ identifier: String?) throws(DeviceComplaint) -> JSON {
        guard reply.header("Content-Type") == WalletOrderPackage.contentType else {
            throw .wrongContentType(reply.header("Content-Type") ?? "none")
        }
        let verdict = WalletOrderVerifier.verify(
            reply.body,
            orderTypeIdentifier: settings.orderTypeIdentifier,
            roots: settings.roots,
            at: clock()
        )
        guard verdict.holds, let document = verdict.order else {
            throw .refused(check: verdict.failed?.rawValue ?? "", reasons: verdict.reasons)
        }
        guard identifier == nil || document["orderIdentifier"]?.stringValue == identifier else {
            throw .anotherOrder(identifier ?? "")
        }
        return document
    }

    /// `Last-Modified` is `updatedAt`, in HTTP's way of writing it.
    private func lastModified(of reply: HTTPReply, _ document: JSON) throws(DeviceComplaint) -> String {
        guard let text = reply.header("Last-Modified"), let moment = HTTPDate.timestamp(text, now: clock()),
            moment == time(document)
        else { throw .wrongLastModified(reply.header("Last-Modified") ?? "none") }
        return text
    }

    private func time(_ document: JSON) -> Timestamp? {
        document["updatedAt"]?.stringValue.flatMap { RFC3339.timestamp($0, .strict) }
    }
}

/// What a device cannot do anything with.
package enum DeviceComplaint: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nobody answered.
    case noAnswer(String)
    /// The answer to what was asked has a status, or a body, that it must not have.
    case answered(String, Int)
    /// A package is sent as something else.
    case wrongContentType(String)
    /// A package fails a check.
    case refused(check: String, reasons: [String])
    /// A package is of another order than was asked for.
    case anotherOrder(String)
    /// `Last-Modified` is missing, or not the order's `updatedAt`.
    case wrongLastModified(String)
    /// A package that was sent as new is not newer than the last.
    case notNewer(String)
    /// The device does not have the order.
    case unknownOrder(String)

    /// A sentence.
    package var description: String {
        switch self {
        case .noAnswer(let reason): "the web service does not answer: \(reason)"
        case .answered(let what, let status): "\(what): answered \(status)"
        case .wrongContentType(let type): "the package is sent as \(type)"
        case .refused(let check, let reasons): "the package fails \(check): \(reasons.joined(separator: "; "))"
        case .anotherOrder(let identifier): "the package is not of the order \(identifier)"
        case .wrongLastModified(let text): "Last-Modified is \(text), and not the order's updatedAt"
        case .notNewer(let identifier): "the package of \(identifier) is not newer than the last"
        case .unknownOrder(let identifier): "the device does not have the order \(identifier)"
        }
    }
}
