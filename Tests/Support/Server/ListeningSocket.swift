internal import CLibSSL
import Glibc

/// A listening socket on loopback, on a port that the system chose.
struct ListeningSocket: Sendable {
    let descriptor: Int32
    let port: Int

    /// Opens it on 127.0.0.1, or on ::1.
    init(ipv6: Bool) throws(SystemFailure) {
        let family = ipv6 ? AF_INET6 : AF_INET
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemFailure("socket") }
        do throws(SystemFailure) {
            port = ipv6 ? try ListeningSocket.bindSix(descriptor) : try ListeningSocket.bindFour(descriptor)
            guard listen(descriptor, SOMAXCONN) == 0 else { throw SystemFailure("listen") }
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    /// Opens it as a unix socket; the port is 0.
    init(path: String) throws(SystemFailure) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemFailure("socket") }
        port = 0
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isShort = withUnsafeMutableBytes(of: &address.sun_path) { buffer in
            guard path.utf8.count < buffer.count else { return false }
            buffer.copyBytes(from: path.utf8)
            return true
        }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = withUnsafePointer(to: &address) { pointer in
            Glibc.bind(descriptor, UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), length) == 0
        }
        guard isShort, isBound, listen(descriptor, SOMAXCONN) == 0 else {
            close(descriptor)
            throw SystemFailure("bind \(path)")
        }
    }

    /// Waits for a connection; `nil` when the socket was shut down.
    func accept() -> Int32? {
        while true {
            let connection = runner_accept(descriptor)
            if connection >= 0 {
                // Small writes of a script must not wait for each other's acknowledgement.
                var on: Int32 = 1
                setsockopt(
                    connection, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
                return connection
            }
            guard errno == EINTR || errno == ECONNABORTED else { return nil }
        }
    }

    private static func bindFour(_ descriptor: Int32) throws(SystemFailure) -> Int {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try bind(descriptor, to: &address)
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private static func bindSix(_ descriptor: Int32) throws(SystemFailure) -> Int {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        try bind(descriptor, to: &address)
        return Int(UInt16(bigEndian: address.sin6_port))
    }

    /// Binds and reads back the address with the port that the system chose.
    private static func bind<Address>(_ descriptor: Int32, to address: inout Address) throws(SystemFailure) {
        var length = socklen_t(MemoryLayout<Address>.size)
        let failed: String? = withUnsafeMutablePointer(to: &address) { pointer in
            // The socket interface takes every kind of address as a `sockaddr` (bind(2)).
            let generic = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
            guard Glibc.bind(descriptor, generic, length) == 0 else { return "bind" }
            return getsockname(descriptor, generic, &length) == 0 ? nil : "getsockname"
        }
        if let failed { throw SystemFailure(failed) }
    }
}
