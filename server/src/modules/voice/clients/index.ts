// What the engine of phones in browsers uses of them.
export { phoneHint } from './feed.ts'
export { clientScheme, identityIn, identityText } from './rules.ts'
export { insertClientLegs, listOffers, type NewClientLeg, registeredAmong, writeAnswer } from './store.ts'
