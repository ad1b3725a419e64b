# Functions that the scripts share; read by them with `source`, not run.
# shellcheck shell=bash disable=SC2034

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

# What the package is built with, what its tests need besides, and what the program needs to run.
build_packages=(libyaml-dev libcurl4-openssl-dev libssl-dev libsqlite3-dev libarchive-dev zlib1g-dev libexpat1-dev
    pkg-config)
# Libraries that a toolchain from an archive expects of Debian 12; installed only where it does not start without.
toolchain_packages=(binutils git libedit2 libncurses6 libxml2 libz3-4 tzdata zlib1g-dev)
test_packages=(nginx openssl openssh-client openssh-server python3-pyftpdlib libarchive-tools p7zip-full unzip libmagic1)

say() {
    printf '== %s\n' "$*" >&2
}

fail() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

is_installed() {
    [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Installs the Debian packages named that are missing; without the right to do so, says what to type.
need_packages() {
    local package missing=()
    command -v dpkg-query >/dev/null || fail "this script installs Debian packages; elsewhere install: $*"
    for package in "$@"; do
        is_installed "$package" || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
            as_root=(sudo)
        else
            printf 'These packages are missing. As root, type:\n\n    apt-get update && apt-get install -y --no-install-recommends %s\n\n' \
                "${missing[*]}" >&2
            exit 1
        fi
    fi
    say "installing ${missing[*]}"
    local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Use-Pty=0)
    "${apt[@]}" update >&2
    "${apt[@]}" install --no-install-recommends "${missing[@]}" >&2 </dev/null
    # Debian starts the server of a package as it installs it; the tests run an instance of their own.
    local service
    for service in nginx:nginx openssh-server:ssh; do
        [[ " ${missing[*]} " == *" ${service%:*} "* ]] || continue
        if [ -d /run/systemd/system ]; then
            "${as_root[@]}" systemctl disable --quiet --now "${service#*:}.service" || true
        else
            "${as_root[@]}" service "${service#*:}" stop >/dev/null 2>&1 || true
        fi
    done
}

# Finds the Swift toolchain and puts it into PATH.
need_swift() {
    local folder
    if ! command -v swift >/dev/null; then
        for folder in /opt/swift/usr/bin /opt/swift/bin /usr/local/swift/usr/bin /usr/libexec/swift/bin \
            "${SWIFTLY_BIN_DIR:-${HOME:-/nowhere}/.local/share/swiftly/bin}"; do
            [ -x "$folder/swift" ] && PATH="$folder:$PATH" && break
        done
    fi
    command -v swift >/dev/null ||
        fail "there is no Swift toolchain in PATH; install Swift 6.2 or newer (https://www.swift.org/install/linux/)"
    swift --version >/dev/null 2>&1 || need_packages "${toolchain_packages[@]}"
    local words version
    words="$(swift --version 2>&1)" || fail "the Swift toolchain does not start: $(head -n 1 <<<"$words")"
    version="$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p')"
    [ "$(printf '%s\n' 6.2 "$version" | sort -V | head -n 1)" = 6.2 ] ||
        fail "Swift $version is too old; 6.2 or newer is needed (https://www.swift.org/install/linux/)"
    export PATH
}

# The packages for a build, with what a toolchain from an archive expects of the system.
need_build() {
    local packages=("${build_packages[@]}")
    [ -e /usr/include/stdio.h ] || packages+=(libc6-dev)
    compgen -G '/usr/lib/gcc/*/*/crtbeginS.o' >/dev/null || packages+=(g++)
    need_packages "${packages[@]}"
    need_swift
}

# Makes a folder that is removed, and lets programs be started that are ended, when the script ends.
begin_scratch() {
    scratch="$(mktemp -d)"
    started=()
    trap end_scratch EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

end_scratch() {
    local pid
    for pid in "${started[@]}"; do
        kill "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
    rm -rf "$scratch"
}

# Waits, for ten seconds at most, until a command succeeds.
wait_for() {
    local attempt
    for ((attempt = 0; attempt < 200; attempt++)); do
        "$@" 2>/dev/null && return 0
        sleep 0.05
    done
    return 1
}

is_listening() {
    (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

# A port that nobody listens on, below the range from which the system gives its own.
free_port() {
    local port
    while :; do
        port=$((20000 + RANDOM % 12000))
        is_listening "$port" || break
    done
    echo "$port"
}

# Starts a server that may find its port taken meanwhile: `NAME_once` starts it and sets `pid` and `ports`.
start_server() {
    local name="$1" log="$2" attempt pid port
    local -a ports
    for attempt in 1 2 3 4 5; do
        "${name}_once"
        for port in "${ports[@]}"; do wait_for is_listening "$port" || break; done
        if is_listening "$port" && kill -0 "$pid" 2>/dev/null; then
            started+=("$pid")
            return 0
        fi
        kill "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
        say "$name did not start (attempt $attempt)"
    done
    cat "$log" >&2
    fail "$name cannot be started"
}

# Starts nginx as a private instance on loopback and exports what RealServerTests read.
start_nginx() {
    local nginx here="$scratch/nginx"
    nginx="$(PATH="$PATH:/usr/sbin:/sbin" command -v nginx)" || fail "nginx is not installed"
    mkdir -p "$here/files" "$here/tmp"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost \
        -addext subjectAltName=DNS:localhost,IP:127.0.0.1 \
        -keyout "$here/key.pem" -out "$here/certificate.pem" 2>/dev/null
    nginx_client
    start_server nginx "$here/error.log"
    export RUNNER_NGINX_CA="$here/certificate.pem"
    export RUNNER_NGINX_FILES="$here/files"
    export RUNNER_NGINX_LOG="$here/access.log"
    export RUNNER_NGINX_CLIENT_CERTIFICATE="$here/client.pem"
    export RUNNER_NGINX_CLIENT_KEY="$here/client-key.pem"
}

nginx_once() {
    ports=("$(free_port)" "$(free_port)" "$(free_port)")
    nginx_configuration "${ports[@]}" >"$here/nginx.conf"
    "$nginx" -p "$here" -c "$here/nginx.conf" -e "$here/error.log" &
    pid=$!
    export RUNNER_NGINX_HTTP="http://127.0.0.1:${ports[0]}"
    export RUNNER_NGINX_HTTPS="https://localhost:${ports[1]}"
}

# A client's certificate that nginx knows, with a key under a passphrase.
nginx_client() {
    local here="$scratch/nginx"
    openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -passout "pass:several words" -subj /CN=client \
        -keyout "$here/client-key.pem" -out "$here/client.csr" 2>/dev/null
    openssl x509 -req -in "$here/client.csr" -CA "$here/certificate.pem" -CAkey "$here/key.pem" -set_serial 2 \
        -days 2 -out "$here/client.pem" 2>/dev/null
}

# The configuration of that instance: HTTP/1.1 on the first port, HTTP/2 over TLS on the second, and
# another origin, to which the second redirects, on the third.
nginx_configuration() {
    local here="$scratch/nginx" user=""
    # Workers must read the scratch folder, which belongs to whoever runs this.
    [ "$(id -u)" -ne 0 ] || user="user root;"
    cat <<CONFIGURATION
daemon off;
$user
worker_processes 1;
pid $here/nginx.pid;
events { worker_connections 256; }
http {
    log_format requests '\$server_protocol \$status "\$request_method \$request_uri" range="\$http_range" sent=\$body_bytes_sent';
    access_log $here/access.log requests;
    client_body_temp_path $here/tmp/body;
    proxy_temp_path $here/tmp/proxy;
    fastcgi_temp_path $here/tmp/fastcgi;
    uwsgi_temp_path $here/tmp/uwsgi;
    scgi_temp_path $here/tmp/scgi;
    default_type application/octet-stream;
    sendfile on;
    map \$ssl_client_s_dn \$who {
        "" nobody;
        default \$ssl_client_s_dn;
    }
    server {
        listen 127.0.0.1:$3 ssl;
        ssl_certificate $here/certificate.pem;
        ssl_certificate_key $here/key.pem;
        ssl_client_certificate $here/certificate.pem;
        ssl_verify_client optional;
        location /who/ { return 200 "\$who"; }
    }
    server {
        listen 127.0.0.1:$1;
        root $here/files;
        location /slow/ { alias $here/files/; limit_rate 1m; }
        location /trailer/ { alias $here/files/; add_trailer Repr-Digest "sha-256=:\$arg_digest:"; }
        location /moved/ { return 302 /; }
        location /drop/ { dav_methods PUT; create_full_put_path on; client_max_body_size 0; }
    }
    server {
        listen 127.0.0.1:$2 ssl http2;
        ssl_certificate $here/certificate.pem;
        ssl_certificate_key $here/key.pem;
        ssl_client_certificate $here/certificate.pem;
        ssl_verify_client optional;
        root $here/files;
        # What is filtered has no Content-Length, behind which libcurl would not read on.
        location /trailer/ {
            alias $here/files/;
            sub_filter_types *;
            sub_filter "in no file" "";
            add_trailer Repr-Digest "sha-256=:\$arg_digest:";
        }
        location /who/ { return 200 "\$who"; }
        location /drop/ { dav_methods PUT; create_full_put_path on; client_max_body_size 0; }
        location /elsewhere/ { return 302 https://localhost:$3/who/; }
    }
}
CONFIGURATION
}

# Starts an FTP server on loopback and exports what RealServerTests read.
start_ftp() {
    mkdir -p "$scratch/ftp/files/open" "$scratch/ftp/files/drop"
    # Debian's own Python, which its package belongs to.
    /usr/bin/python3 "$root/Tests/RealServerTests/ftp_server.py" "$scratch/ftp/files" "$scratch/ftp/port" \
        >"$scratch/ftp/log" 2>&1 &
    started+=($!)
    if ! wait_for test -s "$scratch/ftp/port"; then
        cat "$scratch/ftp/log" >&2
        fail "the FTP server cannot be started"
    fi
    RUNNER_FTP_ADDRESS="127.0.0.1:$(cat "$scratch/ftp/port")"
    export RUNNER_FTP_ADDRESS
    export RUNNER_FTP_FILES="$scratch/ftp/files"
}

# Starts sshd as a private instance on loopback, with keys of its own, and exports what RealServerTests read.
start_ssh() {
    local here="$scratch/ssh"
    mkdir -p "$here/files"
    ssh-keygen -q -t ed25519 -N "" -f "$here/host"
    ssh-keygen -q -t ed25519 -N "" -f "$here/user"
    # The folder that sshd, when it runs as root, locks its helper process into.
    [ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd
    start_server sshd "$here/log"
    RUNNER_SSH_USER="$(id -un)"
    RUNNER_SSH_FINGERPRINT="$(ssh-keygen -l -f "$here/host.pub" | cut -d " " -f 2)"
    export RUNNER_SSH_USER RUNNER_SSH_FINGERPRINT
    export RUNNER_SSH_FILES="$here/files"
    export RUNNER_SSH_KEY="$here/user"
    export RUNNER_SSH_KNOWN_HOSTS="$here/known_hosts"
}

sshd_once() {
    ports=("$(free_port)")
    ssh_configuration "${ports[0]}" >"$here/config"
    /usr/sbin/sshd -D -e -f "$here/config" >"$here/log" 2>&1 &
    pid=$!
    echo "[127.0.0.1]:${ports[0]} $(cut -d " " -f 1,2 "$here/host.pub")" >"$here/known_hosts"
    export RUNNER_SSH_ADDRESS="127.0.0.1:${ports[0]}"
}

ssh_configuration() {
    cat <<CONFIGURATION
Port $1
ListenAddress 127.0.0.1
HostKey $scratch/ssh/host
AuthorizedKeysFile $scratch/ssh/user.pub
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin yes
MaxStartups 50
Subsystem sftp internal-sftp
CONFIGURATION
}
