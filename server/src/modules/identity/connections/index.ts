// What logins and single sign-on use of connections to identity providers.
export { addressesOf, presentConnection } from './endpoints.ts'
export { requireSso } from './required.ts'
export { type ConnectionRow, isStrong, isWorking, nextStatus, roleOf, type TestStep, verifiedEmail } from './rules.ts'
export { Connection, sampleConnection } from './schemas.ts'
export { connections, discover, findPlace, findWorking, secretSeal } from './store.ts'
