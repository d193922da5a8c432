// What a call to a number starts with, for anyone who lets calls in.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { Keyring } from '../../../kernel/values/keyring.ts'
import { findNumberByAddress } from '../../messaging/numbers/index.ts'
import { type CallHandling, openInstructions } from '../instructions/index.ts'
import { findNumberVoice } from './store.ts'

const nothing: CallHandling = { callback_url: null, fallback_url: null, instructions: null }

/** What a call to this number of the tenant starts with: nothing, where it is none of its numbers or says nothing. */
export async function handlingOf(tx: Tx, scope: Scope, keyring: Keyring, to: string): Promise<CallHandling> {
  const number = await findNumberByAddress(tx, scope, to)
  const voice = number && (await findNumberVoice(tx, scope, number.id))
  if (voice === undefined) return nothing
  const { callback_url, fallback_url, instructions } = voice
  const list = instructions === null ? null : openInstructions(keyring, scope, voice.number_id, instructions)
  return { callback_url, fallback_url, instructions: list }
}
