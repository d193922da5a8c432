// What requests and legal holds use of persons.
export { holdPattern, personPattern } from './pattern.ts'
export { labelOf, type Person, resolvePerson, type Subject, subjectOf } from './resolve.ts'
export { findNamesakes } from './store.ts'
