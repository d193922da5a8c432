// Tests of an answer: each compares one thing of it, and says in words what was found when it fails. Pure.
import type { SavedRequest } from '@tandem/sdk'
import { resolvePointer } from '../json/json_pointer.ts'
import { fill, type Lookup } from '../request/variables.ts'
import { t } from '../texts.ts'

export type AnswerTest = SavedRequest['tests'][number]
export type Capture = SavedRequest['captures'][number]
export type Subject = AnswerTest['subject']
export type Operator = AnswerTest['operator']

/** What of an answer tests look at. */
export type Tested = {
  status: number
  totalMs: number
  headers: readonly (readonly [name: string, value: string])[]
  /** Undefined: the body is no JSON. */
  json: unknown
}

export type TestResult = {
  name: string
  passed: boolean /** What was found; undefined of one that passed. */
  found?: string
}

/** Which comparison fits which part of an answer, as the server has it. */
export const operatorsOf: Readonly<Record<Subject, readonly Operator[]>> = {
  status: ['equals', 'one_of'],
  time: ['below'],
  header: ['exists', 'equals', 'contains'],
  json: ['exists', 'equals', 'contains', 'count'],
}

/** One test in words: `Status equals 201`. */
export function nameOfTest({ subject, target, operator, value }: AnswerTest): string {
  const what =
    subject === 'header'
      ? t('check.header', { name: target })
      : subject === 'json'
        ? target || t('check.json')
        : t(`subject.${subject}`)
  if (operator === 'exists') return t('check.exists', { what })
  if (operator === 'count') return t('check.count', { what, count: Number(value), value })
  return t(`check.${operator}`, { what, value })
}

/** The body of an answer as JSON; undefined where it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

export function runTests(tests: readonly AnswerTest[], answer: Tested, lookup: Lookup): TestResult[] {
  return tests.map(test => {
    const missing = new Set<string>()
    const value = fill(test.value, lookup, missing)
    const target = fill(test.target, lookup, missing)
    const filled = { ...test, value, target }
    const name = nameOfTest(filled)
    if (missing.size > 0)
      return { name, passed: false, found: t('check.noValue', { names: `{{${[...missing].join('}}, {{')}}}` }) }
    const found = failureOf(filled, answer)
    return found === undefined ? { name, passed: true } : { name, passed: false, found }
  })
}

/** What was found in place of what a test wants; undefined where it passes. */
function failureOf(test: AnswerTest, answer: Tested): string | undefined {
  const { subject, target, operator, value } = test
  if (subject === 'status') {
    return value.split(',').some(code => fitsStatus(code.trim(), answer.status))
      ? undefined
      : t('found.is', { found: answer.status })
  }
  if (subject === 'time') {
    return answer.totalMs < Number(value) ? undefined : t('found.took', { ms: Math.round(answer.totalMs) })
  }
  if (subject === 'header') {
    const header = answer.headers.find(([name]) => name.toLowerCase() === target.toLowerCase())
    if (header === undefined) return t('found.noHeader')
    return compare(operator, header[1], value)
  }
  if (answer.json === undefined) return t('found.notJson')
  const resolved = resolvePointer(answer.json, target)
  if (resolved === undefined) return t('found.noValue')
  return compare(operator, resolved, value)
}

/** `201`, or `2xx` for all of a class. */
function fitsStatus(code: string, status: number): boolean {
  return /^\dxx$/.test(code) ? code[0] === String(status)[0] : code === String(status)
}

function compare(operator: Operator, found: unknown, value: string): string | undefined {
  const isFit =
    operator === 'exists'
      ? true
      : operator === 'equals'
        ? isEqual(found, value)
        : operator === 'contains'
          ? contains(found, value)
          : countOf(found) === Number(value)
  if (isFit) return undefined
  if (operator === 'count') {
    const count = countOf(found)
    return count === undefined ? t('found.is', { found: clipped(found) }) : t('found.has', { count })
  }
  return t('found.is', { found: clipped(found) })
}

/** A text as it stands; everything else as JSON, whatever the order of its fields. */
function isEqual(found: unknown, value: string): boolean {
  if (typeof found === 'string' && found === value) return true
  const wanted = jsonOf(value)
  return wanted !== undefined && canonical(found) === canonical(wanted)
}

function contains(found: unknown, value: string): boolean {
  if (typeof found === 'string') return found.includes(value)
  if (Array.isArray(found)) return found.some(item => isEqual(item, value))
  if (typeof found === 'object' && found !== null) return Object.hasOwn(found, value)
  return String(found).includes(value)
}

function countOf(found: unknown): number | undefined {
  if (Array.isArray(found)) return found.length
  if (typeof found === 'object' && found !== null) return Object.keys(found).length
  return typeof found === 'string' ? [...found].length : undefined
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

function clipped(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}

export type Captured = { name: string; value: string; source: string }

/** What an answer gives to variables, and the captures that found nothing. */
export function captured(captures: readonly Capture[], json: unknown): { taken: Captured[]; missed: Capture[] } {
  const taken: Captured[] = []
  const missed: Capture[] = []
  for (const capture of captures) {
    const value = json === undefined ? undefined : resolvePointer(json, capture.pointer)
    if (value === undefined) missed.push(capture)
    else {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      taken.push({ name: capture.name, value: text, source: capture.pointer })
    }
  }
  return { taken, missed }
}
