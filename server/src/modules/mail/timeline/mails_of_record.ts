// The mails of a record as its timeline shows them: what was sent and what came in, with what was written and what is only quoted.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { partQuoted } from '../inbound/index.ts'
import { listMailRows, listMailRowsNamed, type MailOfRecordRow } from './store.ts'

export type MailOfRecord = Omit<MailOfRecordRow, 'text'> & { text: string | null; quoted: string | null }

/** Longer texts are read on the page of the mail. */
const maxText = 10_000

/** Newest first, from behind a moment and an id on. @param recordId as others name it: `lead:17` */
export async function listMailsOf(
  tx: Tx,
  scope: Scope,
  recordId: string,
  behind: readonly [at: string, id: string] | undefined,
  limit: number,
): Promise<MailOfRecord[]> {
  return (await listMailRows(tx, scope, recordId, behind, limit)).map(shown)
}

/** Those with these ids, whatever they stand on. */
export async function listMailsNamed(tx: Tx, scope: Scope, ids: readonly string[]): Promise<MailOfRecord[]> {
  return ids.length === 0 ? [] : (await listMailRowsNamed(tx, scope, ids)).map(shown)
}

function shown({ text, ...row }: MailOfRecordRow): MailOfRecord {
  if (text === null) return { ...row, text, quoted: null }
  const { written, quoted } = partQuoted(text)
  return { ...row, text: shortened(written), quoted: quoted === null ? null : shortened(quoted) }
}

const shortened = (text: string) => (text.length > maxText ? `${text.slice(0, maxText).toWellFormed()} …` : text)
