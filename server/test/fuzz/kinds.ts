// Every kind of input that `npm run fuzz` knows.
import { dtlsFuzz } from './dtls.ts'
import { httpFuzz } from './http.ts'
import type { FuzzKind } from './runner.ts'
import { sdpFuzz } from './sdp.ts'
import { sipFuzz } from './sip.ts'
import { smppFuzz } from './smpp.ts'
import { stunFuzz } from './stun.ts'

export const fuzzKinds: readonly FuzzKind[] = [httpFuzz, sipFuzz, sdpFuzz, smppFuzz, stunFuzz, dtlsFuzz]
