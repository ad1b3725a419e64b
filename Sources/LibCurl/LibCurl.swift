internal import CLibCurl
