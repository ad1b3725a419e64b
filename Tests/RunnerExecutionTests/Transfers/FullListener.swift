import Glibc
import TestSupport

/// A port whose queue of connections is full, so that further ones get no answer.
final class FullListener: Sendable {
    let port: Int
    private let descriptors: [Int32]

    init() throws(SystemFailure) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let bound = Self.with(&address) { bind(listener, $0, length) }
        guard listener >= 0, bound == 0, listen(listener, 0) == 0 else { throw SystemFailure("listen") }
        _ = Self.with(&address) { getsockname(listener, $0, &length) }
        port = Int(UInt16(bigEndian: address.sin_port))
        var descriptors = [listener]
        // Linux lets one more in than the backlog says; a few tries fill it for certain.
        for _ in 0..<4 {
            let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            _ = Self.with(&address) { connect(client, $0, length) }
            descriptors.append(client)
        }
        self.descriptors = descriptors
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }

    private static func with<Result>(
        _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }
}
