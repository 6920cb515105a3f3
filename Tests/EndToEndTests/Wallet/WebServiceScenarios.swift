import StrictJSON

/// What devices ask of the web service of orders in Wallet and what they must be answered, after Apple's pages on its endpoints:
/// requests as data, which any served program can be played.
///
/// `{order}`, `{other}` and `{token}` stand for what the test placed; a step keeps a header or a member of its answer under a
/// name (`keep`) for later ones. `do` is what happens to an order meanwhile, `answers` what Apple says to the next push to a
/// token, and `pushed` a token that one more push comes to. `long` is a log line of so many characters.
enum WebServiceScenarios {
    /// The scenarios.
    static func all() throws -> [JSON] { try JSON.parse(text: text)["scenarios"]?.arrayValue ?? [] }

    private static let text = """
        {"scenarios": [
          {"name": "first fetch after the sheet", "steps": [
            {"request": ["GET", "/v1/orders/{type}/{order}", "AppleOrder {token}"], "status": 200,
             "headers": {"Content-Type": "application/vnd.apple.finance.order", "Last-Modified": "present"},
             "keep": {"seen": "Last-Modified"}},
            {"request": ["GET", "/v1/orders/{type}/{order}", "AppleOrder {token}"], "since": "{seen}", "status": 304,
             "body": "empty"},
            {"request": ["GET", "/v1/orders/{type}/{order}", "AppleOrder wrong-token-wrong-token"], "status": 401},
            {"request": ["GET", "/v1/orders/{type}/{order}", null], "status": 401},
            {"request": ["GET", "/v1/orders/{type}/{order}", "ApplePass {token}"], "status": 401}
          ]},
          {"name": "register, register again, change the token, unregister", "steps": [
            {"request": ["POST", "/v1/devices/dev-A/registrations/{type}/{order}", "AppleOrder {token}"],
             "send": {"pushToken": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}, "status": 201},
            {"request": ["POST", "/v1/devices/dev-A/registrations/{type}/{order}", "AppleOrder {token}"],
             "send": {"pushToken": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}, "status": 200},
            {"request": ["POST", "/v1/devices/dev-A/registrations/{type}/{order}", "AppleOrder {token}"],
             "send": {"pushToken": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"}, "status": 200},
            {"request": ["POST", "/v1/devices/dev-A/registrations/{type}/{order}", "AppleOrder nope-nope-nope-nope"],
             "send": {"pushToken": "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"}, "status": 401},
            {"do": "capture 0", "pushed": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"},
            {"request": ["DELETE", "/v1/devices/dev-A/registrations/{type}/{order}", "AppleOrder {token}"], "status": 200},
            {"request": ["DELETE", "/v1/devices/dev-A/registrations/{type}/{order}", "AppleOrder {token}"], "status": 200}
          ]},
          {"name": "what changed", "steps": [
            {"request": ["GET", "/v1/orders/{type}/{order}", "AppleOrder {token}"], "status": 200},
            {"request": ["POST", "/v1/devices/dev-B/registrations/{type}/{order}", "AppleOrder {token}"],
             "send": {"pushToken": "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"}, "status": 201},
            {"request": ["POST", "/v1/devices/dev-B/registrations/{type}/{other}", "AppleOrder {other token}"],
             "send": {"pushToken": "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"}, "status": 201},
            {"request": ["GET", "/v1/devices/dev-B/registrations/{type}", null], "status": 200,
             "orders": ["{order}", "{other}"], "keep": {"first": "lastModified"}},
            {"request": ["GET", "/v1/devices/dev-B/registrations/{type}?ordersModifiedSince={first}", null],
             "status": 204, "body": "empty"},
            {"do": "capture other", "pushed": "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"},
            {"request": ["GET", "/v1/devices/dev-B/registrations/{type}?ordersModifiedSince={first}", null],
             "status": 200, "orders": ["{other}"], "keep": {"second": "lastModified"}, "differs": ["first", "second"]},
            {"request": ["GET", "/v1/devices/dev-B/registrations/{type}?ordersModifiedSince=garbage", null],
             "status": 200, "orders": ["{order}", "{other}"]},
            {"request": ["GET", "/v1/devices/unknown/registrations/{type}", null], "status": 204}
          ]},
          {"name": "log", "steps": [
            {"request": ["POST", "/v1/log", null], "send": {"logs": ["message \\u001b[31mred"]}, "status": 200},
            {"request": ["POST", "/v1/log", null], "long": 1000000, "status": 413}
          ]},
          {"name": "push", "steps": [
            {"request": ["GET", "/v1/orders/{type}/{order}", "AppleOrder {token}"], "status": 200},
            {"request": ["POST", "/v1/devices/dev-C/registrations/{type}/{order}", "AppleOrder {token}"],
             "send": {"pushToken": "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"}, "status": 201},
            {"request": ["POST", "/v1/devices/dev-D/registrations/{type}/{order}", "AppleOrder {token}"],
             "send": {"pushToken": "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"}, "status": 201},
            {"answers": {"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff": "unregistered", "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee": "busy"}},
            {"do": "capture 1", "pushed": "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"},
            {"pushed": "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"},
            {"pushed": "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"},
            {"request": ["GET", "/v1/devices/dev-D/registrations/{type}", null], "status": 204, "eventually": true},
            {"request": ["GET", "/v1/devices/dev-C/registrations/{type}", null], "status": 200, "orders": ["{order}"]}
          ]}
        ]}
        """
}
