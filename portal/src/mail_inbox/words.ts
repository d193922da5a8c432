// How a mail that came in is spoken of.

/** `Re: Monday`, once. */
export function answerSubject(subject: string): string {
  return /^(re|aw|sv|antw)\s*:/i.test(subject) ? subject : `Re: ${subject}`
}
