// The guides of docs/ for people and programs that have the server but not its repository: as Markdown, at the addresses by which they
// name each other.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '..', '..', '..', 'docs')

/** Those that are served, in the order they are read in, with what each describes. */
const guides = [
  ['crm', 'companies, contacts, leads: filters, search, changes of many, merging, converting.'],
  ['oauth', 'apps, access tokens, asking people, devices, assistants.'],
  ['webhooks', 'receiving events: signatures, retries, replays.'],
  ['messaging', 'carriers, numbers, services, opt-outs, and how a text travels.'],
  ['voice', 'calls, trunks, phones, recordings, conferences and queues.'],
  ['call_instructions', 'every verb of the instructions of a call.'],
  ['destinations', 'which numbers may be called and texted, and how much in a day.'],
  ['states', 'the states of leads, invoices, messages and calls, and what moves them.'],
] as const

export type Guide = { name: string; title: string; summary: string }

/** Without those that an installation was given no file of. */
export function listGuides(): Guide[] {
  return guides.flatMap(([name, summary]) => {
    const text = readGuide(name)
    return text === undefined ? [] : [{ name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, summary }]
  })
}

/** A guide as Markdown; links to files that are not served are left as their words. */
export function guideMarkdown(name: string, origin: string): string | undefined {
  return readGuide(name)?.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, words: string, target: string) => {
    if (/^(?:#|https?:)/.test(target)) return link
    const [file = '', anchor] = target.split('#')
    const address = addressOf(file)
    return address === undefined ? words : `[${words}](${origin}${address}${anchor === undefined ? '' : `#${anchor}`})`
  })
}

function addressOf(file: string): string | undefined {
  if (file === 'openapi.json') return '/openapi.json'
  const name = file.replace(/\.md$/, '')
  return guides.some(([known]) => `${known}.md` === file) ? `/docs/${name}.md` : undefined
}

/** Only names of the list are ever looked up on disk. */
function readGuide(name: string): string | undefined {
  if (!guides.some(([known]) => known === name)) return undefined
  try {
    return readFileSync(join(folder, `${name}.md`), 'utf8')
  } catch {
    return undefined
  }
}
