// Finds the words of a problem by its code, whichever area it is of, and those of a wrong field; fetched by said.ts.
import { t as tAccounts } from './accounts/texts.ts'
import { t as tApps } from './apps/texts.ts'
import { t as tCalls } from './calls/texts.ts'
import { t as tFields } from './fields/texts.ts'
import { t as tMails } from './mails/texts.ts'
import { t as tMessages } from './messages/texts.ts'
import { t as tOrganizations } from './organizations/texts.ts'
import { t as tRecords } from './records/texts.ts'
import { t as tRequests } from './requests/texts.ts'
import { usualLengths } from './usual_lengths.generated.ts'
import { t as tWebhooks } from './webhooks/texts.ts'

const areas = [tRequests, tAccounts, tOrganizations, tApps, tRecords, tMessages, tMails, tCalls, tWebhooks]

/** @returns undefined for a code that is newer than this page */
export function problemWords(code: string): { title: string; cause: string; fix: string } | undefined {
  for (const t of areas) {
    const [title, cause, fix] = [t.of('title', code), t.of('cause', code), t.of('fix', code)]
    if (title !== undefined && cause !== undefined && fix !== undefined) return { title, cause, fix }
  }
  return undefined
}

/** Cause and fix, and behind them what the server says where that is more than its usual sentence: a status, an amount, a name. */
export function problemSentence(code: string, said: string): string | undefined {
  const found = problemWords(code)
  if (found === undefined) return undefined
  const text = `${found.cause} ${found.fix}`.replaceAll('`', '')
  return usualLengths[code] === said.length ? text : tFields('withSaid', { text, said })
}

/** Codes that say it all; with the others the server names what may be sent instead, or what it is about. */
const complete = new Set(
  'invalid_to_number no_route no_senders not_capable opted_out queue_full repeated taken wrong wrong_code'.split(' '),
)

/** @returns undefined for a code that is newer than this page */
export function fieldSentence({ code, message }: { code: string; message: string }): string | undefined {
  const [, values] = /^must be one of: (.+)$/.exec(message) ?? []
  if (values !== undefined) return tFields('oneOf', { values })
  const text = tFields.of('fault', code) ?? problemWords(code)?.cause.replaceAll('`', '')
  if (text === undefined || complete.has(code)) return text
  return `${tFields('withSaid', { text: text.replace(/\.$/, ''), said: message.replace(/\.$/, '') })}.`
}
