import Glibc

/// Takes connections on loopback, and has each served on a thread of its own for as long as the value lives.
final class RelayListener: Sendable {
    private let socket: ListeningSocket
    private let acceptor: NativeThread

    var port: Int { socket.port }

    /// - Parameter server: Makes what serves the next connection, which then owns its descriptor.
    init(_ server: @escaping @Sendable () -> @Sendable (Int32) -> Void) throws(SystemFailure) {
        let socket = try ListeningSocket(ipv6: false)
        self.socket = socket
        acceptor = try NativeThread {
            while let client = socket.accept() {
                let serve = server()
                do throws(SystemFailure) {
                    try NativeThread { serve(client) }.detach()
                } catch {
                    close(client)
                }
            }
        }
    }

    deinit {
        shutdown(socket.descriptor, Int32(SHUT_RDWR))
        acceptor.join()
        close(socket.descriptor)
    }
}
