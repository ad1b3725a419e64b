internal import CLibCrypto
