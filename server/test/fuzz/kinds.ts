// Every kind of input that `npm run fuzz` knows.
import { dtlsFuzz } from './dtls.ts'
import type { FuzzKind } from './runner.ts'
import { stunFuzz } from './stun.ts'

export const fuzzKinds: readonly FuzzKind[] = [stunFuzz, dtlsFuzz]
