// What others may ask of an organization's domains: whether it speaks for an address.
export { asciiAddress, domainOf } from './rules.ts'
export { hasVerified, speaksFor } from './store.ts'
