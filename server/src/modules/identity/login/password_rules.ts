// How strong a password must be. No demands for signs and capitals, which only make people write "Password1!": instead
// everything a guesser tries first is taken out, and what is left must still be something.
import { commonWords } from './common_passwords.ts'

export const passwordMinLength = 10
export const passwordMaxLength = 128

/**
 * What people choose for themselves: longer where nothing else stands beside it (NIST SP 800-63B-4 §3.1.1.2).
 * @param asked by an organization of theirs
 */
export function ownPasswordMinLength(hasSecondFactor: boolean, asked = 0): number {
  return Math.max(hasSecondFactor ? passwordMinLength : 15, asked)
}

/** Different characters that must remain when common words, walks, repeats and the e-mail are taken out. */
const minRemaining = 5
const minWalk = 4
/** Shorter parts of an e-mail stand in too many good passwords. */
const minLocalPart = 4
/** Shorter words of a name, such as Inc or Lee, do as well. */
const minName = 5

const walks = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
  '1qaz',
  '2wsx',
  '3edc',
  '4rfv',
  '5tgb',
  '6yhn',
  '7ujm',
  '!qaz',
  '@wsx',
  '#edc',
  '$rfv',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'qawsedrftgyhujikolp',
  'qazwsxedcrfvtgbyhnujm',
  '!@#$%^&*()',
  '!"§$%&/()=',
].flatMap(walk => [walk, [...walk].reverse().join('')])

/** Digits and marks that stand for letters, of the same length, so that places in both spellings agree. */
const disguises: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '+': 't',
}

/**
 * Why a password of allowed length is too weak, as the end of the sentence "it …", or undefined when it will do.
 * @param email of the user; what stands before its @ (and before a +), and the name of its domain, must not be part of the password
 * @param names of the person and their organization, which must not be either
 */
export function passwordWeakness(password: string, email: string, names: readonly string[] = []): string | undefined {
  const text = password.toLowerCase()
  const [local = ''] = email.toLowerCase().split(/[@+]/)
  if (local.length >= minLocalPart && text.includes(local)) return 'contains the e-mail address'
  const words = names.flatMap(name => name.toLowerCase().split(/[^\p{L}\p{N}]+/u))
  const named = words.find(word => word.length >= minName && text.includes(word))
  if (named !== undefined) return `contains the name ${named}`
  const taken = new Array<boolean>(text.length).fill(false)
  for (const spelling of spellings(text)) markWords(spelling, taken)
  takeWalks(text, taken)
  takeYears(text, taken)
  takeRepeats(text, taken)
  const remaining = new Set(text.split('').filter((_, index) => taken[index] === false))
  return remaining.size < minRemaining ? 'is among the most used ones, or hardly more than that' : undefined
}

function spellings(text: string): string[] {
  const plain = [...text].map(letter => disguises[letter] ?? letter).join('')
  return [
    text,
    plain,
    [...text].map(letter => (letter === '1' || letter === '!' ? 'l' : (disguises[letter] ?? letter))).join(''),
  ]
}

function markWords(text: string, taken: boolean[]): void {
  for (const word of commonWords) {
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) taken.fill(true, at, at + word.length)
  }
}

function takeWalks(text: string, taken: boolean[]): void {
  for (let from = 0; from + minWalk <= text.length; from++) {
    let to = from + minWalk
    if (!isWalk(text.slice(from, to))) continue
    while (to < text.length && isWalk(text.slice(from, to + 1))) to++
    taken.fill(true, from, to)
  }
}

function isWalk(part: string): boolean {
  return walks.some(walk => walk.includes(part))
}

function takeYears(text: string, taken: boolean[]): void {
  for (const match of text.matchAll(/(?:19|20)\d\d/g)) taken.fill(true, match.index, match.index + 4)
}

/** `aaaa`, `abcabcabc`: of what follows itself at once, only the first counts. */
function takeRepeats(text: string, taken: boolean[]): void {
  for (const match of text.matchAll(/(.{1,12}?)\1+/gs)) {
    taken.fill(true, match.index + (match[1] as string).length, match.index + match[0].length)
  }
}
