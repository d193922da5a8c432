// What others may use of second factors: which an account has, and whether something proves one.

export { factorAddedNotice } from './notices.ts'
export { requireSite } from './passkey.ts'
export { Assertion, sampleAssertion } from './passkey_schemas.ts'
export { addConfirmedTotp, type FactorProof, proveFactor, provePasskey, stepOfSecret } from './proof.ts'
export { type FactorKind, listFactors } from './store.ts'
export { base32, totpUri } from './totp.ts'
