/// A value that many tasks have in common, held once.
///
/// A job of 100,000 tasks that all say the same about their requests keeps one copy of what they say.
@dynamicMemberLookup
public final class SharedValue<Value: Sendable>: Sendable {
    public let value: Value

    public init(_ value: Value) {
        self.value = value
    }

    public subscript<Member>(dynamicMember path: KeyPath<Value, Member>) -> Member {
        value[keyPath: path]
    }

    /// The value with a change.
    public func changing(_ change: (inout Value) -> Void) -> SharedValue {
        var copy = value
        change(&copy)
        return SharedValue(copy)
    }
}

extension SharedValue: Equatable where Value: Equatable {
    public static func == (left: SharedValue, right: SharedValue) -> Bool {
        left === right || left.value == right.value
    }
}

extension SharedValue: Hashable where Value: Hashable {
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// How requests are made; one value is shared by all tasks that say nothing of their own.
public typealias RequestSettings = SharedValue<RequestFields>

extension SharedValue where Value == RequestFields {
    public static let standard = RequestSettings(RequestFields())
}

/// What one request says: method, fields, body and who asks.
public struct RequestFields: Sendable {
    /// In capitals; never HEAD, CONNECT or TRACE.
    public var method = "GET"
    public var body: Body?
    /// Further header fields in the order of the file; names compare without case.
    public var headers: [HeaderField] = []
    /// nil for `runner/VERSION`.
    public var userAgent: String?
    public var auth: Auth?
    /// The way to the server; apart, as few tasks have one of their own.
    public var network = NetworkSettings.standard

    public init() {}

    /// Who asks.
    public enum Auth: Hashable, Sendable {
        case basic(user: String, password: String)
        /// RFC 7616; the password itself is never sent.
        case digest(user: String, password: String)
        case bearer(String)
        /// AWS Signature Version 4, as S3 and stores like it want it.
        case signature(SigningKey)
        /// From a netrc file.
        case netrc(Netrc)
    }

    /// What a request is signed with (AWS Signature Version 4).
    public struct SigningKey: Hashable, Sendable {
        public var region: String
        public var service: String
        public var accessKey: String
        public var secretKey: String
        /// Of credentials that hold for a while only.
        public var sessionToken: String?

        public init(
            region: String, service: String = "s3", accessKey: String, secretKey: String, sessionToken: String? = nil
        ) {
            self.region = region
            self.service = service
            self.accessKey = accessKey
            self.secretKey = secretKey
            self.sessionToken = sessionToken
        }
    }

    /// Where user and password of a host are looked up (netrc(5)).
    public struct Netrc: Hashable, Sendable {
        /// Absolute path; nil for `$NETRC`, else `~/.netrc`.
        public var file: String?
        public var place: Place

        public init(file: String? = nil, place: Place) {
            self.file = file
            self.place = place
        }
    }

    /// What is sent with the request.
    public enum Body: Hashable, Sendable {
        /// A text; one with a secret in it goes to no other origin.
        case text(String, hasSecret: Bool)
        /// The bytes of a file, a path of the job.
        case file(TargetPath, at: Place)
    }

    /// Whether the request may be made again after the server may have acted on it (RFC 9110 section 9.2.2; the
    /// field is that of draft-ietf-httpapi-idempotency-key-header).
    public var isRepeatable: Bool {
        ["GET", "PUT", "DELETE", "OPTIONS", "QUERY", "PROPFIND", "REPORT", "SEARCH"].contains(method)
            || headers.contains { $0.name.lowercased() == "idempotency-key" }
    }
}

/// One header field of a request.
public struct HeaderField: Hashable, Sendable {
    public var name: String
    public var value: String
    /// Whether the field is bound to its origin: Authorization, Cookie, Proxy-Authorization, or a value with a secret in it.
    public var isCredential: Bool

    /// Whether it is for one origin only: a credential, or the name that this origin is asked by (RFC 9110 section 7.2).
    public var isBound: Bool { isCredential || name.lowercased() == "host" }

    public init(name: String, value: String, isCredential: Bool) {
        self.name = name
        self.value = value
        self.isCredential = isCredential
    }
}
