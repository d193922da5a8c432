// One answer to one requirement of ASVS: met, with the tests that would fail if it were not; not applicable, with the reason; or open, with
// what is missing and what we do instead.

/** A test by its file and title as the source has it, or a page of docs by its heading. */
export type Shown = readonly [file: string, title: string]

export type Answer = { id: string; topic: string } & (
  | { kind: 'met'; by: readonly Shown[]; note?: string }
  | { kind: 'not applicable' | 'open'; why: string }
)

export type Chapter = { number: number; name: string; answers: readonly Answer[] }

export function met(id: string, topic: string, ...by: readonly Shown[]): Extract<Answer, { kind: 'met' }> {
  return { id, topic, kind: 'met', by }
}

/** Met, with what a reader should know beside it. */
export function metSo(id: string, topic: string, note: string, ...by: readonly Shown[]): Answer {
  return { ...met(id, topic, ...by), note }
}

export function no(id: string, topic: string, why: string): Answer {
  return { id, topic, kind: 'not applicable', why }
}

export function open(id: string, topic: string, why: string): Answer {
  return { id, topic, kind: 'open', why }
}
