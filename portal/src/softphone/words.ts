// How long a call lasts, and what is called by what was typed.

/** 75,000 ms as 1:15. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  const pad = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`
}

/** What is called by what was typed: an e-mail address is a colleague's phone in the browser. */
export function calledBy(typed: string): string {
  const text = typed.trim()
  return /^[^\s:@]+@[^\s:@]+$/.test(text) ? `client:${text}` : text
}

/** Whether a text may well be meant as a number to call. */
export function looksDialled(typed: string): boolean {
  return /^\+?[\d\s()./-]+$/.test(typed.trim()) && typed.replace(/\D/g, '').length >= 6
}
