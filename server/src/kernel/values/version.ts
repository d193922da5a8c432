// The version of the server, that of package.json (a test holds them equal).
export const version = '0.1.0'
