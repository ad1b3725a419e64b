// swift-tools-version: 6.2
import PackageDescription

/// A system library, found through pkg-config; `package` is its name in the stores of Debian and Homebrew.
func system(_ name: String, pkgConfig: String, apt: String, brew: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

// The layers from top to bottom; a target may only depend on targets below it.
let targets: [Target] = [
    .executableTarget(
        name: "runner",
        dependencies: ["RunnerCLI"],
        // The program must start where no Swift toolchain is installed.
        linkerSettings: [
            .unsafeFlags(
                ["-static-stdlib", "-l_FoundationCollections", "-l_FoundationCShims"],
                .when(platforms: [.linux], configuration: .release))
        ]
    ),
    .target(
        name: "RunnerCLI",
        dependencies: [
            "RunnerReport", "RunnerExecution", "RunnerTransfer", "RunnerStorage", "RunnerPlan", "RunnerImport",
            "RunnerJob", "LibCurl", "LibCrypto",
        ]
    ),
    .target(name: "RunnerReport", dependencies: ["RunnerExecution", "RunnerPlan", "RunnerJob"]),
    .target(
        name: "RunnerExecution",
        dependencies: ["RunnerTransfer", "RunnerStorage", "RunnerPlan", "RunnerJob", "LibCurl", "CProcess"]
    ),
    .target(name: "RunnerTransfer", dependencies: ["RunnerStorage", "RunnerPlan", "RunnerJob", "LibCurl", "LibExpat"]),
    .target(
        name: "RunnerStorage",
        dependencies: ["RunnerPlan", "RunnerJob", "LibArchive", "LibCrypto", "LibSQLite", "LibZ", "LibMagic", "CLinux"]),
    .target(name: "RunnerPlan", dependencies: ["RunnerJob"]),
    .target(name: "RunnerImport", dependencies: ["RunnerJob", "LibExpat"]),
    .target(name: "RunnerJob", dependencies: ["LibYAML", "LibCurl"]),

    .target(name: "LibYAML", dependencies: ["CLibYAML"]),
    .target(name: "LibCurl", dependencies: ["CLibCurl", "LibLocale"]),
    .target(name: "LibCrypto", dependencies: ["CLibCrypto"]),
    .target(name: "LibSQLite", dependencies: ["CLibSQLite"]),
    .target(name: "LibArchive", dependencies: ["CLibArchive", "LibLocale"]),
    .target(name: "LibZ", dependencies: ["CLibZ"]),
    .target(name: "LibExpat", dependencies: ["CLibExpat"]),
    .target(name: "LibMagic", dependencies: ["CLibMagic"]),
    .target(name: "LibLocale"),
    system("CLibYAML", pkgConfig: "yaml-0.1", apt: "libyaml-dev", brew: "libyaml"),
    system("CLibCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
    system("CLibCrypto", pkgConfig: "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
    system("CLibSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
    system("CLibArchive", pkgConfig: "libarchive", apt: "libarchive-dev", brew: "libarchive"),
    system("CLibZ", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),
    system("CLibExpat", pkgConfig: "expat", apt: "libexpat1-dev", brew: "expat"),
    // Loaded when it is needed, so that it is not needed for a build.
    .systemLibrary(name: "CLibMagic"),
    // No library: some system calls that the Glibc module hides.
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CProcess"),

    .target(
        name: "TestSupport",
        dependencies: ["CLibSSL"],
        path: "Tests/Support"
    ),
    .executableTarget(name: "fault-server", dependencies: ["TestSupport"], path: "Tests/FaultServer"),
    .executableTarget(
        name: "runner-benchmarks",
        dependencies: [
            "RunnerReport", "RunnerExecution", "RunnerStorage", "RunnerPlan", "RunnerJob", "TestSupport",
        ],
        path: "Tests/Benchmarks/Items"
    ),
    .systemLibrary(
        name: "CLibSSL",
        path: "Tests/CLibSSL",
        pkgConfig: "libssl",
        providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
    ),
    .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"], exclude: ["Golden"]),
    .testTarget(
        name: "RepositoryTests",
        dependencies: ["TestSupport", "RunnerJob", "RunnerPlan", "RunnerStorage", "RunnerExecution", "runner"],
        exclude: ["Golden"]),
    .testTarget(name: "RealServerTests", dependencies: ["TestSupport", "runner"], exclude: ["ftp_server.py"]),
    .testTarget(name: "LibYAMLTests", dependencies: ["LibYAML", "TestSupport"]),
    .testTarget(name: "LibCurlTests", dependencies: ["LibCurl", "TestSupport"]),
    .testTarget(name: "LibCryptoTests", dependencies: ["LibCrypto", "TestSupport"]),
    .testTarget(name: "LibSQLiteTests", dependencies: ["LibSQLite", "TestSupport"]),
    .testTarget(name: "LibArchiveTests", dependencies: ["LibArchive", "TestSupport"]),
    .testTarget(name: "LibZTests", dependencies: ["LibZ", "TestSupport"]),
    .testTarget(name: "LibMagicTests", dependencies: ["LibMagic"]),
    .testTarget(name: "LibExpatTests", dependencies: ["LibExpat", "TestSupport"]),
    .testTarget(name: "RunnerJobTests", dependencies: ["RunnerJob", "TestSupport"]),
    .testTarget(name: "RunnerImportTests", dependencies: ["RunnerImport", "RunnerJob", "TestSupport"]),
    .testTarget(name: "RunnerPlanTests", dependencies: ["RunnerPlan", "RunnerJob", "TestSupport"]),
    .testTarget(
        name: "RunnerStorageTests",
        dependencies: [
            "RunnerStorage", "RunnerPlan", "RunnerJob", "LibArchive", "LibCrypto", "LibSQLite", "TestSupport",
        ]),
    .testTarget(
        name: "RunnerTransferTests",
        dependencies: ["RunnerTransfer", "RunnerStorage", "RunnerPlan", "RunnerJob", "LibCurl", "TestSupport"]),
    .testTarget(
        name: "RunnerExecutionTests",
        dependencies: ["RunnerExecution", "RunnerTransfer", "RunnerStorage", "RunnerPlan", "RunnerJob", "TestSupport"]),
    .testTarget(
        name: "RunnerReportTests",
        dependencies: ["RunnerReport", "LibExpat", "RunnerExecution", "RunnerPlan", "RunnerJob", "TestSupport"]),
    .testTarget(
        name: "RunnerCLITests",
        dependencies: [
            "runner", "RunnerCLI", "RunnerReport", "RunnerExecution", "RunnerPlan", "RunnerJob", "LibSQLite",
            "TestSupport",
        ],
        exclude: ["Documentation/Golden"]
    ),
]

for target in targets where target.type != .system {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}

let package = Package(
    name: "runner",
    products: [
        .executable(name: "runner", targets: ["runner"]),
        .library(
            name: "RunnerKit",
            targets: [
                "RunnerJob", "RunnerPlan", "RunnerStorage", "RunnerTransfer", "RunnerExecution", "RunnerReport",
            ]
        ),
    ],
    targets: targets
)
